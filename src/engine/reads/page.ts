import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { type ReadConsistency, readUnits } from '../../dynamodb/capacity.js'
import { PAGE_BYTES } from '../../dynamodb/limits.js'
import type { QueryAnswer, QueryRequest } from '../../dynamodb/operations/reads.js'
import { consumedCapacity } from '../capacity/consumed.js'
import type { Engine } from '../engine.js'
import type { Expressions } from '../expressions/read.js'
import { answerItem } from '../items/read.js'
import { encodeKey } from '../keys/schema.js'
import type { KeyRange } from '../keyvalues/port.js'
import { type Target, targetOf } from '../traffic/target.js'
import type { Stored } from '../values/stored.js'
import { isSingleItem, positionOf, type Source } from './source.js'

/** What a query or a scan reads, once its request is understood. */
export interface Reading {
  readonly source: Source
  readonly range: KeyRange
  readonly expressions: Expressions
  readonly completeFromTable: boolean
  /** Whether it goes through all partitions, and not through one. */
  readonly acrossPartitions: boolean
}

interface PageRead {
  readonly items: Item[]
  count: number
  scanned: number
  /** Read so far: of what is read, and of the table where entries are completed from it. */
  bytes: number
  tableUnits: number
  last: Key | undefined
}

type ReadRequest = Pick<QueryRequest, 'TableName' | 'ReturnConsumedCapacity' | 'ConsistentRead' | 'Select' | 'Limit'>

/** One page of a query or a scan. */
export function answerPage(engine: Engine, request: ReadRequest, reading: Reading): QueryAnswer {
  const { index } = reading.source
  const target = engine.traffic && targetOfPage(reading)
  if (target) engine.traffic?.admit(engine, target, 'Read')
  const countOnly = request.Select === 'COUNT'
  const consistency = request.ConsistentRead ? 'strong' : 'eventual'
  const read = readPage(reading, request.Limit ?? Number.POSITIVE_INFINITY, countOnly, consistency)
  const answer: QueryAnswer = countOnly ? {} : { Items: read.items }
  answer.Count = read.count
  answer.ScannedCount = read.scanned
  if (read.last) answer.LastEvaluatedKey = read.last
  const units = readUnits(read.bytes, consistency)
  const spent = index
    ? { table: read.tableUnits, indexes: new Map([[index, units]]) }
    : { table: units, indexes: undefined }
  if (target) engine.traffic?.countRead(target, spent)
  const consumed = consumedCapacity(request.ReturnConsumedCapacity, request.TableName, spent)
  if (consumed) answer.ConsumedCapacity = consumed
  return answer
}

function targetOfPage({ source: { table, index }, range, acrossPartitions }: Reading): Target {
  return acrossPartitions ? { table, index, partition: undefined } : targetOf(table, index, range.from)
}

/**
 * Until the range ends, the limit is reached, or a megabyte is read. The item that passes the megabyte is still of the
 * page, and its key is where to go on, even where nothing follows. A query of a table without a sort key has no such
 * key: its partition holds one item. Filters count after reading.
 */
function readPage(reading: Reading, limit: number, countOnly: boolean, consistency: ReadConsistency): PageRead {
  const { source, expressions, completeFromTable, acrossPartitions } = reading
  const { filter, projection } = expressions
  const read: PageRead = { items: [], count: 0, scanned: 0, bytes: 0, tableUnits: 0, last: undefined }
  source.space.range(reading.range, entry => {
    read.scanned++
    read.bytes += entry.sizeBytes
    const stored = completeFromTable ? complete(source, read, entry, consistency) : entry
    if (!filter || filter.test(stored.item)) {
      read.count++
      if (!countOnly) read.items.push(answerItem(stored, projection))
    }
    if (read.scanned < limit && read.bytes < PAGE_BYTES) return true
    if (acrossPartitions || !isSingleItem(source)) read.last = positionOf(source, entry)
    return false
  })
  return read
}

/** A local index asked for what it does not project: the item is fetched from the table, at the price of a read each. */
function complete({ table }: Source, read: PageRead, entry: Stored, consistency: ReadConsistency): Stored {
  const whole = table.space.get(encodeKey(table.keys, entry.item)) ?? entry
  read.tableUnits += readUnits(whole.sizeBytes, consistency)
  return whole
}
