import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { readUnits } from '../../dynamodb/capacity.js'
import { BATCH_GET_BYTES } from '../../dynamodb/limits.js'
import type { BatchGetItemAnswer, BatchGetItemRequest, KeysAndAttributes } from '../../dynamodb/operations/batches.js'
import { TableUnits } from '../capacity/consumed.js'
import type { Engine } from '../engine.js'
import { answerItem } from '../items/read.js'
import { checkKey, checkScalarKeys } from '../keys/check.js'
import { encodeKey } from '../keys/schema.js'
import { type ReadBatchGet, readBatchGetItem, refuseDuplicateKeys } from './batch-get-item.validation.js'

export function batchGetItem(engine: Engine, request: BatchGetItemRequest): BatchGetItemAnswer {
  const reads = readBatchGetItem(engine, request)
  const units = new TableUnits()
  const responses = new Map<string, Item[]>()
  const unprocessed = new Map<string, KeysAndAttributes>()
  const located = reads.map(locateKeys)
  // A table may stand there twice, by its name and by its ARN.
  refuseDuplicateKeys(reads.flatMap(({ table }, i) => located[i]!.map(key => `${table.name}/${key}`)))
  let room = BATCH_GET_BYTES
  for (const [i, read] of reads.entries()) {
    const { items, left, spent } = readTable(read, located[i]!, room)
    room = left.length > 0 ? 0 : room - items.bytes
    responses.set(read.name, items.answers)
    units.add(read.table, { table: spent, indexes: undefined })
    if (left.length > 0) unprocessed.set(read.name, { ...request.RequestItems[read.name]!, Keys: left })
  }
  const answer: BatchGetItemAnswer = {
    Responses: Object.fromEntries(responses),
    UnprocessedKeys: Object.fromEntries(unprocessed),
  }
  const consumed = units.consumed(request.ReturnConsumedCapacity)
  if (consumed) answer.ConsumedCapacity = consumed
  return answer
}

function locateKeys({ table, keys, projection }: ReadBatchGet): string[] {
  checkScalarKeys(table, projection?.nestedNames)
  return keys.map(key => {
    checkKey(table.keys, key)
    return encodeKey(table.keys, key)
  })
}

/** Reads until the answer is full; what is left is for the caller to ask again. */
function readTable(read: ReadBatchGet, encoded: string[], room: number) {
  const items = { answers: [] as ReturnType<typeof answerItem>[], bytes: 0 }
  const left: Key[] = []
  let spent = 0
  for (const [i, key] of encoded.entries()) {
    const found = left.length > 0 || room <= 0 ? undefined : read.table.space.get(key)
    if (left.length > 0 || room <= 0 || (found && items.bytes + found.sizeBytes > room)) {
      left.push(read.keys[i]!)
      continue
    }
    spent += readUnits(found?.sizeBytes ?? 0, read.consistency)
    if (!found) continue
    items.bytes += found.sizeBytes
    items.answers.push(answerItem(found, read.projection))
  }
  return { items, left, spent }
}
