import { it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { anyGivenSchema } from './schemas/custom-keys.js'
import { anyNarrowSchema, anyNarrowStreamedSchema } from './schemas/narrow-indexes.js'
import { anyRewordedSchema, anyRewordedStreamedSchema } from './schemas/reworded-keys.js'
import { equalsModel, equalsModelUnderFaults, runs } from './suite.js'

it('any operations on any graph answer as plain rows do wherever its items are said to lie', async () => {
  await equalsModel(memory, 40, runs(60), anyGivenSchema)
})

it('and what fails there is wholly done or not at all', async () => {
  await equalsModelUnderFaults(memory, 30, runs(30), anyGivenSchema)
})

it('and whatever words their keys have, and names and marks', async () => {
  await equalsModel(memory, 40, runs(40), anyRewordedSchema)
})

it('and where the stream keeps something of them', async () => {
  await equalsModel(memory, 40, runs(30), anyRewordedStreamedSchema)
})

it('and whatever their indexes hold', async () => {
  await equalsModel(memory, 40, runs(40), anyNarrowSchema)
})

it('and where the stream keeps something of those', async () => {
  await equalsModel(memory, 40, runs(30), anyNarrowStreamedSchema)
})
