import type {
  BatchWriteItemInput,
  BatchWriteItemOutput,
  ItemCollectionMetrics,
  WriteRequest,
} from '../../../dynamodb/operation-types.js'
import { TableUnits } from '../../capacity/consumed-capacity.js'
import type { Engine } from '../../engine.js'
import { measureItemCollection } from '../../items/collection-metrics.js'
import { canFailTransiently, executeSingleWrite, planWrite } from '../../items/run-action.js'
import { type BatchPart, UnprocessedParts } from '../../items/unprocessed-parts.js'
import type { PlannedWrite } from '../../items/write-action.js'
import { pickKey } from '../../keys/key-schema.js'
import { planBatchWrite, readBatchWriteItem } from './batch-write-item.validation.js'

export function batchWriteItem(
  engine: Engine,
  request: BatchWriteItemInput,
): BatchWriteItemOutput | Promise<BatchWriteItemOutput> {
  const writes = readBatchWriteItem(request)
  const batchParts = canFailTransiently(engine) ? flattenParts(request) : []
  return engine.keyValues.write(() => {
    const planned = planBatchWrite(engine, writes)
    const units = new TableUnits()
    const names = writes.flatMap(({ name, writes: parts }) => parts.map(() => name))
    const done: PlannedWrite[] = []
    const unprocessedItems = new UnprocessedParts<WriteRequest>()
    for (const [i, write] of planned.entries()) {
      const part = batchParts[i]
      const ready = part ? unprocessedItems.attempt(part, () => planWrite(engine, { plan: () => write }, write)) : write
      if (!ready) continue
      units.add(write.table, executeSingleWrite(engine, request, ready), names[i])
      done.push(ready)
    }
    unprocessedItems.throwIfThrottledUnless(done.length > 0)
    const output: BatchWriteItemOutput = { UnprocessedItems: unprocessedItems.toRecord() }
    const consumed = units.toConsumedCapacities(request.ReturnConsumedCapacity)
    if (consumed) output.ConsumedCapacity = consumed
    const metrics = measureItemCollections(request.ReturnItemCollectionMetrics, done)
    if (metrics) output.ItemCollectionMetrics = metrics
    return output
  })
}

/** Returns the entries of the request in the order in which they are planned. */
function flattenParts({ RequestItems }: BatchWriteItemInput): BatchPart<WriteRequest>[] {
  return Object.keys(RequestItems).flatMap(tableName => RequestItems[tableName]!.map(part => ({ tableName, part })))
}

/** Returns one metric for each written item collection, by table. */
export function measureItemCollections(
  mode: BatchWriteItemInput['ReturnItemCollectionMetrics'],
  writes: readonly PlannedWrite[],
): Record<string, ItemCollectionMetrics[]> | undefined {
  const byTable = new Map<string, ItemCollectionMetrics[]>()
  const seen = new Set<string>()
  for (const { table, before, after } of writes) {
    const item = after ?? before
    if (!item || mode !== 'SIZE') continue
    const collection = JSON.stringify([table.name, pickKey({ ...table.keys, sort: [] }, item.item)])
    const metrics = seen.has(collection) ? undefined : measureItemCollection(mode, table, item)
    seen.add(collection)
    if (metrics) byTable.set(table.name, [...(byTable.get(table.name) ?? []), metrics])
  }
  return byTable.size === 0 ? undefined : Object.fromEntries(byTable)
}
