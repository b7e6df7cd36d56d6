import { batchGetItem, batchWriteItem } from './batches.js'
import { deleteItem, getItem, putItem, updateItem } from './item-operations.js'
import type { Call, Ground } from './operation.js'
import { query, scan } from './reads.js'
import { executeStatement } from './statements.js'
import { transactGetItems, transactWriteItems } from './transactions.js'

/** Creates any call on these tables. */
export function randomCall(ground: Ground): Call {
  return ground.chance.way<Call>(
    [7, () => putItem(ground)],
    [8, () => updateItem(ground)],
    [2, () => deleteItem(ground)],
    [2, () => getItem(ground)],
    [6, () => query(ground)],
    [4, () => scan(ground)],
    [1, () => batchGetItem(ground)],
    [2, () => batchWriteItem(ground)],
    [3, () => transactWriteItems(ground)],
    [1, () => transactGetItems(ground)],
    [1, () => executeStatement(ground)],
  )
}
