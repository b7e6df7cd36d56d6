import { it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { anySortlessSchema } from './schemas/sortless-tables.js'
import { equalsModel, equalsModelUnderFaults, runs } from './suite.js'

it('random operations in a table without a sort key equal the reference model', async () => {
  await equalsModel(memory, 40, runs(40), anySortlessSchema)
})

it('failed operations in a table without a sort key are atomic', async () => {
  await equalsModelUnderFaults(memory, 30, runs(20), anySortlessSchema)
})
