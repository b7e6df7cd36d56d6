import { it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { anyCrowdedSchema, Transactions } from './schemas/contended.js'
import { equalsModel, runs } from './suite.js'

it('transactions on few nodes, in which all that edges leave in them meets, end as their writes one after the other', async () => {
  await equalsModel(memory, 25, runs(40), anyCrowdedSchema, schema => new Transactions(schema))
})
