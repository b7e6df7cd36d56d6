import type { BatchWriteItemAnswer, BatchWriteItemRequest, WriteRequest } from '../../dynamodb/operations/batches.js'
import type { ItemCollectionMetrics } from '../../dynamodb/operations/capacity.js'
import { TableUnits } from '../capacity/consumed.js'
import type { Engine } from '../engine.js'
import type { PlannedWrite } from '../items/action.js'
import { type Given, Left } from '../items/left.js'
import { itemCollectionMetrics } from '../items/metrics.js'
import { carryOutAlone, mayHoldBack, planWrite } from '../items/perform.js'
import { keyWithin } from '../keys/schema.js'
import { planBatchWrite, readBatchWriteItem } from './batch-write-item.validation.js'

export function batchWriteItem(
  engine: Engine,
  request: BatchWriteItemRequest,
): BatchWriteItemAnswer | Promise<BatchWriteItemAnswer> {
  const writes = readBatchWriteItem(request)
  const given = mayHoldBack(engine) ? flat(request) : []
  return engine.keyValues.write(() => {
    const planned = planBatchWrite(engine, writes)
    const units = new TableUnits()
    const names = writes.flatMap(({ name, writes: parts }) => parts.map(() => name))
    const done: PlannedWrite[] = []
    const left = new Left<WriteRequest>()
    for (const [i, write] of planned.entries()) {
      const part = given[i]
      const ready = part ? left.attempt(part, () => planWrite(engine, { plan: () => write }, write)) : write
      if (!ready) continue
      units.add(write.table, carryOutAlone(engine, request, ready), names[i])
      done.push(ready)
    }
    left.refuseUnless(done.length > 0)
    const answer: BatchWriteItemAnswer = { UnprocessedItems: left.byTable() }
    const consumed = units.consumed(request.ReturnConsumedCapacity)
    if (consumed) answer.ConsumedCapacity = consumed
    const metrics = collectionMetrics(request.ReturnItemCollectionMetrics, done)
    if (metrics) answer.ItemCollectionMetrics = metrics
    return answer
  })
}

/** The writes as they were given, in the order in which they are planned. */
function flat({ RequestItems }: BatchWriteItemRequest): Given<WriteRequest>[] {
  return Object.keys(RequestItems).flatMap(tableName => RequestItems[tableName]!.map(part => ({ tableName, part })))
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
