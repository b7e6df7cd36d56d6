import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { countReadUnits, type ReadConsistency } from '../../dynamodb/capacity.js'
import { PAGE_BYTES } from '../../dynamodb/limits.js'
import type { QueryInput, QueryOutput } from '../../dynamodb/operation-types.js'
import { toConsumedCapacity } from '../capacity/consumed-capacity.js'
import type { Engine } from '../engine.js'
import type { RequestExpressions } from '../expressions/expression-reader.js'
import { toOutputItem } from '../items/output-item.js'
import { encodeKey } from '../keys/key-schema.js'
import type { KeyRange } from '../keyvalues/port.js'
import { type TrafficTarget, trafficTargetOf } from '../traffic/traffic-target.js'
import type { StoredItem } from '../values/stored-item.js'
import { hasSingleItemPartitions, positionKeyOf, type ReadSource } from './read-source.js'

/** The plan of a query or scan after all checks. */
export interface ReadPlan {
  readonly source: ReadSource
  readonly range: KeyRange
  readonly expressions: RequestExpressions
  readonly completeFromTable: boolean
  /** Whether the read covers all partitions instead of one. */
  readonly acrossPartitions: boolean
}

interface PageProgress {
  readonly items: Item[]
  count: number
  scanned: number
  /** The bytes read from the source, and the units of completing entries from the table. */
  bytes: number
  tableUnits: number
  lastKey: Key | undefined
}

type ReadRequest = Pick<QueryInput, 'TableName' | 'ReturnConsumedCapacity' | 'ConsistentRead' | 'Select' | 'Limit'>

/** Reads one page of a query or scan. */
export function runReadPlan(engine: Engine, request: ReadRequest, reading: ReadPlan): QueryOutput {
  const { index } = reading.source
  const target = engine.traffic && trafficTargetOfPlan(reading)
  if (target) engine.traffic?.admit(engine, target, 'Read')
  const countOnly = request.Select === 'COUNT'
  const consistency = request.ConsistentRead ? 'strong' : 'eventual'
  const read = readPage(reading, request.Limit ?? Number.POSITIVE_INFINITY, countOnly, consistency)
  const output: QueryOutput = countOnly ? {} : { Items: read.items }
  output.Count = read.count
  output.ScannedCount = read.scanned
  if (read.lastKey) output.LastEvaluatedKey = read.lastKey
  const units = countReadUnits(read.bytes, consistency)
  const spent = index
    ? { table: read.tableUnits, indexes: new Map([[index, units]]) }
    : { table: units, indexes: undefined }
  if (target) engine.traffic?.countRead(target, spent)
  const consumed = toConsumedCapacity(request.ReturnConsumedCapacity, request.TableName, spent)
  if (consumed) output.ConsumedCapacity = consumed
  return output
}

function trafficTargetOfPlan({ source: { table, index }, range, acrossPartitions }: ReadPlan): TrafficTarget {
  return acrossPartitions ? { table, index, partition: undefined } : trafficTargetOf(table, index, range.from)
}

/**
 * Reads until the range ends, the limit is reached or 1 MB is read. The item that exceeds 1 MB is part of the page, and
 * its key is the last evaluated key even if no item follows. A query of a table without a sort key does not return this key,
 * because its partition has one item. Filters apply after reading.
 */
function readPage(reading: ReadPlan, limit: number, countOnly: boolean, consistency: ReadConsistency): PageProgress {
  const { source, expressions, completeFromTable, acrossPartitions } = reading
  const { filter, projection } = expressions
  const read: PageProgress = { items: [], count: 0, scanned: 0, bytes: 0, tableUnits: 0, lastKey: undefined }
  source.space.range(reading.range, entry => {
    read.scanned++
    read.bytes += entry.sizeBytes
    const stored = completeFromTable ? completeEntry(source, read, entry, consistency) : entry
    if (!filter || filter.test(stored.item)) {
      read.count++
      if (!countOnly) read.items.push(toOutputItem(stored, projection))
    }
    if (read.scanned < limit && read.bytes < PAGE_BYTES) return true
    if (acrossPartitions || !hasSingleItemPartitions(source)) read.lastKey = positionKeyOf(source, entry)
    return false
  })
  return read
}

/** Reads the whole item from the table for attributes that a local index lacks. Each of these reads consumes units. */
function completeEntry(
  { table }: ReadSource,
  read: PageProgress,
  entry: StoredItem,
  consistency: ReadConsistency,
): StoredItem {
  const whole = table.space.get(encodeKey(table.keys, entry.item)) ?? entry
  read.tableUnits += countReadUnits(whole.sizeBytes, consistency)
  return whole
}
