import { it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { anySortlessSchema } from './schemas/sortless-tables.js'
import { equalsModel, equalsModelUnderFaults, runs } from './suite.js'

it('any operations on any graph answer as plain rows do in a table without a sort key', async () => {
  await equalsModel(memory, 40, runs(40), anySortlessSchema)
})

it('and what fails there is wholly done or not at all', async () => {
  await equalsModelUnderFaults(memory, 30, runs(20), anySortlessSchema)
})
