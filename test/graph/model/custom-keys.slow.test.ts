import { it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { anyGivenSchema } from './schemas/custom-keys.js'
import { anyNarrowSchema, anyNarrowStreamedSchema } from './schemas/narrow-indexes.js'
import { anyRewordedSchema, anyRewordedStreamedSchema } from './schemas/reworded-keys.js'
import { equalsModel, equalsModelUnderFaults, runs } from './suite.js'

it('random operations on random graphs with custom keys equal the reference model', async () => {
  await equalsModel(memory, 40, runs(60), anyGivenSchema)
})

it('failed operations under custom keys are atomic', async () => {
  await equalsModelUnderFaults(memory, 30, runs(30), anyGivenSchema)
})

it('random operations with reworded keys, names and marks equal the reference model', async () => {
  await equalsModel(memory, 40, runs(40), anyRewordedSchema)
})

it('random operations with custom keys and stream data equal the reference model', async () => {
  await equalsModel(memory, 40, runs(30), anyRewordedStreamedSchema)
})

it('random operations with narrow indexes equal the reference model', async () => {
  await equalsModel(memory, 40, runs(40), anyNarrowSchema)
})

it('random operations with narrow indexes and stream data equal the reference model', async () => {
  await equalsModel(memory, 40, runs(30), anyNarrowStreamedSchema)
})
