import type { Item, Key } from '../../../dynamodb/attribute-value.js'
import { countReadUnits } from '../../../dynamodb/capacity.js'
import { BATCH_GET_BYTES, BATCH_GET_PARTITION_BYTES } from '../../../dynamodb/limits.js'
import type { BatchGetItemInput, BatchGetItemOutput, KeysAndAttributes } from '../../../dynamodb/operation-types.js'
import { TableUnits } from '../../capacity/consumed-capacity.js'
import type { Engine } from '../../engine.js'
import { toOutputItem } from '../../items/output-item.js'
import { admitRead, countRead } from '../../items/run-action.js'
import { UnprocessedParts } from '../../items/unprocessed-parts.js'
import { checkKey, checkScalarKeys } from '../../keys/check-key.js'
import { encodeKey } from '../../keys/key-schema.js'
import { partitionPrefixOf } from '../../keys/partition-key.js'
import { type BatchGetRead, checkNoDuplicateKeys, readBatchGetItem } from './batch-get-item.validation.js'

export function batchGetItem(engine: Engine, request: BatchGetItemInput): BatchGetItemOutput {
  const reads = readBatchGetItem(engine, request)
  const units = new TableUnits()
  const responses = new Map<string, Item[]>()
  const located = reads.map(locateKeys)
  // A request may contain a table twice, by its name and by its ARN.
  checkNoDuplicateKeys(reads.flatMap(({ table }, i) => located[i]!.map(key => `${table.name}/${key}`)))
  const byteBudget = new BatchByteBudget()
  const unprocessedKeys = new UnprocessedParts<Key>()
  let spent = 0
  for (const [i, read] of reads.entries()) {
    const { answers, tableUnits } = readTable(engine, read, located[i]!, byteBudget, unprocessedKeys)
    responses.set(read.name, answers)
    units.add(read.table, { table: tableUnits, indexes: undefined }, read.name)
    spent += tableUnits
  }
  unprocessedKeys.throwIfThrottledUnless(spent > 0)
  const output: BatchGetItemOutput = {
    Responses: Object.fromEntries(responses),
    UnprocessedKeys: toUnprocessedKeys(request, unprocessedKeys.toRecord()),
  }
  const consumed = units.toConsumedCapacities(request.ReturnConsumedCapacity)
  if (consumed) output.ConsumedCapacity = consumed
  return output
}

function toUnprocessedKeys(
  { RequestItems }: BatchGetItemInput,
  keysByTable: Record<string, Key[]>,
): Record<string, KeysAndAttributes> {
  return Object.fromEntries(Object.entries(keysByTable).map(([name, Keys]) => [name, { ...RequestItems[name]!, Keys }]))
}

function locateKeys({ table, keys, projection }: BatchGetRead): string[] {
  checkScalarKeys(table, projection?.nestedNames)
  return keys.map(key => {
    checkKey(table.keys, key)
    return encodeKey(table.keys, key)
  })
}

/** The number of bytes that a batch may still read, in total and from each partition. */
class BatchByteBudget {
  private bytes = BATCH_GET_BYTES
  private readonly bytesByPartition = new Map<string, number>()

  /** Returns whether keys of this partition may still be read. */
  hasRoom(partition: string): boolean {
    return this.bytes > 0 && this.remainingOf(partition) > 0
  }

  /** Returns whether an item fits. The first item that does not fit ends its partition or the whole batch. */
  take(partition: string, sizeBytes: number): boolean {
    const remaining = this.remainingOf(partition)
    const fitsBatch = sizeBytes <= this.bytes
    const fitsPartition = sizeBytes <= remaining
    this.bytesByPartition.set(partition, fitsPartition ? remaining - sizeBytes : 0)
    if (!fitsBatch) this.bytes = 0
    else if (fitsPartition) this.bytes -= sizeBytes
    return fitsBatch && fitsPartition
  }

  private remainingOf(partition: string): number {
    return this.bytesByPartition.get(partition) ?? BATCH_GET_PARTITION_BYTES
  }
}

/** Reads the keys of one table until the response is full. Keys without room or capacity stay unprocessed. */
function readTable(
  engine: Engine,
  { table, name, keys, consistency, projection }: BatchGetRead,
  encoded: string[],
  byteBudget: BatchByteBudget,
  unprocessedKeys: UnprocessedParts<Key>,
) {
  const answers: Item[] = []
  let tableUnits = 0
  for (const [i, key] of encoded.entries()) {
    const part = { tableName: name, part: keys[i]! }
    const partition = `${table.name}/${partitionPrefixOf(table.keys, key)}`
    if (!byteBudget.hasRoom(partition)) {
      unprocessedKeys.add(part)
      continue
    }
    if (engine.traffic && !unprocessedKeys.attempt(part, () => admitRead(engine, { table, key }))) continue
    const found = table.space.get(key)
    if (found && !byteBudget.take(partition, found.sizeBytes)) {
      unprocessedKeys.add(part)
      continue
    }
    const spent = countReadUnits(found?.sizeBytes ?? 0, consistency)
    countRead(engine, { table, key }, spent)
    tableUnits += spent
    if (found) answers.push(toOutputItem(found, projection))
  }
  return { answers, tableUnits }
}
