import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { countReadUnits, type ReadConsistency } from '../../dynamodb/capacity.js'
import { PAGE_BYTES } from '../../dynamodb/limits.js'
import type { QueryInput, QueryOutput } from '../../dynamodb/operations/reads.js'
import { toConsumedCapacity } from '../capacity/consumed-capacity.js'
import type { Engine } from '../engine.js'
import type { RequestExpressions } from '../expressions/expression-reader.js'
import { toOutputItem } from '../items/output-item.js'
import { encodeKey } from '../keys/key-schema.js'
import type { KeyRange } from '../keyvalues/port.js'
import { type TrafficTarget, trafficTargetOf } from '../traffic/traffic-target.js'
import type { StoredItem } from '../values/stored-item.js'
import { hasSingleItemPartitions, positionKeyOf, type ReadSource } from './read-source.js'

/** What a query or a scan reads, once its request is understood. */
export interface ReadPlan {
  readonly source: ReadSource
  readonly range: KeyRange
  readonly expressions: RequestExpressions
  readonly completeFromTable: boolean
  /** Whether it goes through all partitions, and not through one. */
  readonly acrossPartitions: boolean
}

interface PageProgress {
  readonly items: Item[]
  count: number
  scanned: number
  /** Read so far: of what is read, and of the table where entries are completed from it. */
  bytes: number
  tableUnits: number
  lastKey: Key | undefined
}

type ReadRequest = Pick<QueryInput, 'TableName' | 'ReturnConsumedCapacity' | 'ConsistentRead' | 'Select' | 'Limit'>

/** One page of a query or a scan. */
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
 * Until the range ends, the limit is reached, or a megabyte is read. The item that passes the megabyte is still of the
 * page, and its key is where to go on, even where nothing follows. A query of a table without a sort key has no such
 * key: its partition holds one item. Filters count after reading.
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

/** A local index asked for what it does not project: the item is fetched from the table, at the price of a read each. */
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
