import { it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { anyCrowdedSchema, Transactions } from './schemas/contended.js'
import { equalsModel, runs } from './suite.js'

it('concurrent transactions on few nodes with shared aggregates are serializable', async () => {
  await equalsModel(memory, 25, runs(40), anyCrowdedSchema, schema => new Transactions(schema))
})
