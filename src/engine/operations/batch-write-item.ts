import type { BatchWriteItemAnswer, BatchWriteItemRequest } from '../../dynamodb/operations/batches.js'
import type { ItemCollectionMetrics } from '../../dynamodb/operations/capacity.js'
import { TableUnits } from '../capacity/consumed.js'
import type { Engine } from '../engine.js'
import { carryOut, isMetered, type PlannedWrite } from '../items/action.js'
import { itemCollectionMetrics } from '../items/metrics.js'
import { keyWithin } from '../keys/schema.js'
import { planBatchWrite, readBatchWriteItem } from './batch-write-item.validation.js'

export function batchWriteItem(
  engine: Engine,
  request: BatchWriteItemRequest,
): BatchWriteItemAnswer | Promise<BatchWriteItemAnswer> {
  const writes = readBatchWriteItem(request)
  return engine.keyValues.write(() => {
    const planned = planBatchWrite(engine, writes)
    const units = new TableUnits()
    for (const write of planned) units.add(write.table, carryOut(write, isMetered(request)))
    const answer: BatchWriteItemAnswer = { UnprocessedItems: {} }
    const consumed = units.consumed(request.ReturnConsumedCapacity)
    if (consumed) answer.ConsumedCapacity = consumed
    const metrics = collectionMetrics(request.ReturnItemCollectionMetrics, planned)
    if (metrics) answer.ItemCollectionMetrics = metrics
    return answer
  })
}

/** One measure for each item collection that was written, by table. */
export function collectionMetrics(
  mode: BatchWriteItemRequest['ReturnItemCollectionMetrics'],
  writes: readonly PlannedWrite[],
): Record<string, ItemCollectionMetrics[]> | undefined {
  const byTable = new Map<string, ItemCollectionMetrics[]>()
  const seen = new Set<string>()
  for (const { table, before, after } of writes) {
    const item = after ?? before
    if (!item || mode !== 'SIZE') continue
    const collection = JSON.stringify([table.name, keyWithin({ ...table.keys, sort: [] }, item.item)])
    const metrics = seen.has(collection) ? undefined : itemCollectionMetrics(mode, table, item)
    seen.add(collection)
    if (metrics) byTable.set(table.name, [...(byTable.get(table.name) ?? []), metrics])
  }
  return byTable.size === 0 ? undefined : Object.fromEntries(byTable)
}
