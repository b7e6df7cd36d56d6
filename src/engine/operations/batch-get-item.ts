import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { readUnits } from '../../dynamodb/capacity.js'
import { BATCH_GET_BYTES, BATCH_GET_PARTITION_BYTES } from '../../dynamodb/limits.js'
import type { BatchGetItemAnswer, BatchGetItemRequest, KeysAndAttributes } from '../../dynamodb/operations/batches.js'
import { TableUnits } from '../capacity/consumed.js'
import type { Engine } from '../engine.js'
import { Left } from '../items/left.js'
import { admitRead, countRead } from '../items/perform.js'
import { answerItem } from '../items/read.js'
import { checkKey, checkScalarKeys } from '../keys/check.js'
import { partitionOf } from '../keys/partition.js'
import { encodeKey } from '../keys/schema.js'
import { type ReadBatchGet, readBatchGetItem, refuseDuplicateKeys } from './batch-get-item.validation.js'

export function batchGetItem(engine: Engine, request: BatchGetItemRequest): BatchGetItemAnswer {
  const reads = readBatchGetItem(engine, request)
  const units = new TableUnits()
  const responses = new Map<string, Item[]>()
  const located = reads.map(locateKeys)
  // A table may stand there twice, by its name and by its ARN.
  refuseDuplicateKeys(reads.flatMap(({ table }, i) => located[i]!.map(key => `${table.name}/${key}`)))
  const room = new BatchRoom()
  const left = new Left<Key>()
  let spent = 0
  for (const [i, read] of reads.entries()) {
    const { answers, tableUnits } = readTable(engine, read, located[i]!, room, left)
    responses.set(read.name, answers)
    units.add(read.table, { table: tableUnits, indexes: undefined }, read.name)
    spent += tableUnits
  }
  left.refuseUnless(spent > 0)
  const answer: BatchGetItemAnswer = {
    Responses: Object.fromEntries(responses),
    UnprocessedKeys: unprocessed(request, left.byTable()),
  }
  const consumed = units.consumed(request.ReturnConsumedCapacity)
  if (consumed) answer.ConsumedCapacity = consumed
  return answer
}

function unprocessed(
  { RequestItems }: BatchGetItemRequest,
  left: Record<string, Key[]>,
): Record<string, KeysAndAttributes> {
  return Object.fromEntries(Object.entries(left).map(([name, Keys]) => [name, { ...RequestItems[name]!, Keys }]))
}

function locateKeys({ table, keys, projection }: ReadBatchGet): string[] {
  checkScalarKeys(table, projection?.nestedNames)
  return keys.map(key => {
    checkKey(table.keys, key)
    return encodeKey(table.keys, key)
  })
}

/** How many more bytes a batch may read: in total, and from each partition. */
class BatchRoom {
  private bytes = BATCH_GET_BYTES
  private readonly bytesByPartition = new Map<string, number>()

  /** Whether a key of this partition may still be read. */
  isOpen(partition: string): boolean {
    return this.bytes > 0 && this.leftOf(partition) > 0
  }

  /** Whether an item fits. The first item that does not fit ends its partition, or the whole batch. */
  take(partition: string, sizeBytes: number): boolean {
    const left = this.leftOf(partition)
    const fitsBatch = sizeBytes <= this.bytes
    const fitsPartition = sizeBytes <= left
    this.bytesByPartition.set(partition, fitsPartition ? left - sizeBytes : 0)
    if (!fitsBatch) this.bytes = 0
    else if (fitsPartition) this.bytes -= sizeBytes
    return fitsBatch && fitsPartition
  }

  private leftOf(partition: string): number {
    return this.bytesByPartition.get(partition) ?? BATCH_GET_PARTITION_BYTES
  }
}

/** Reads until the answer is full. Keys that find no room or no capacity stay unprocessed. */
function readTable(
  engine: Engine,
  { table, name, keys, consistency, projection }: ReadBatchGet,
  encoded: string[],
  room: BatchRoom,
  left: Left<Key>,
) {
  const answers: Item[] = []
  let tableUnits = 0
  for (const [i, key] of encoded.entries()) {
    const given = { tableName: name, part: keys[i]! }
    const partition = `${table.name}/${partitionOf(table.keys, key)}`
    if (!room.isOpen(partition)) {
      left.leave(given)
      continue
    }
    if (engine.traffic && !left.attempt(given, () => admitRead(engine, { table, key }))) continue
    const found = table.space.get(key)
    if (found && !room.take(partition, found.sizeBytes)) {
      left.leave(given)
      continue
    }
    const spent = readUnits(found?.sizeBytes ?? 0, consistency)
    countRead(engine, { table, key }, spent)
    tableUnits += spent
    if (found) answers.push(answerItem(found, projection))
  }
  return { answers, tableUnits }
}
