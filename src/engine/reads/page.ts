import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { readUnits } from '../../dynamodb/capacity.js'
import { PAGE_BYTES } from '../../dynamodb/limits.js'
import type { QueryAnswer, QueryRequest } from '../../dynamodb/operations/reads.js'
import { consumedCapacity } from '../capacity/consumed.js'
import type { Condition } from '../expressions/condition.js'
import type { Projection } from '../expressions/projection.js'
import { answerItem } from '../items/read.js'
import { encodeKey } from '../keys/schema.js'
import type { KeyRange } from '../keyvalues/port.js'
import type { Stored } from '../values/stored.js'
import { positionOf, type Source } from './source.js'

export interface PageRequest {
  readonly source: Source
  readonly range: KeyRange
  readonly limit: number | undefined
  readonly filter: Condition | undefined
  readonly projection: Projection | undefined
  readonly countOnly: boolean
  readonly completeFromTable: boolean
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

/**
 * Reads one page: until the range ends, the limit is reached, or a megabyte is read. The item that passes the megabyte
 * is still of the page, and its key is where to go on, even where nothing follows. Filters count after reading.
 */
function readPage(page: PageRequest, consistent: boolean): PageRead {
  const read: PageRead = { items: [], count: 0, scanned: 0, bytes: 0, tableUnits: 0, last: undefined }
  const limit = page.limit ?? Number.POSITIVE_INFINITY
  page.source.space.range(page.range, entry => {
    read.scanned++
    read.bytes += entry.sizeBytes
    takeEntry(page, read, entry, consistent)
    if (read.scanned < limit && read.bytes < PAGE_BYTES) return true
    read.last = positionOf(page.source, entry)
    return false
  })
  return read
}

function takeEntry(page: PageRequest, read: PageRead, entry: Stored, consistent: boolean): void {
  const stored = page.completeFromTable ? complete(page.source, read, entry, consistent) : entry
  if (page.filter && !page.filter.test(stored.item)) return
  read.count++
  if (!page.countOnly) read.items.push(answerItem(stored, page.projection))
}

/** A local index asked for what it does not project: the item is fetched from the table, at the price of a read each. */
function complete({ table }: Source, read: PageRead, entry: Stored, consistent: boolean): Stored {
  const whole = table.space.get(encodeKey(table.keys, entry.item)) ?? entry
  read.tableUnits += readUnits(whole.sizeBytes, consistent ? 'strong' : 'eventual')
  return whole
}

type ReadRequest = Pick<QueryRequest, 'ReturnConsumedCapacity' | 'ConsistentRead' | 'Select'>

export function answerPage(request: ReadRequest, page: PageRequest): QueryAnswer {
  const consistent = request.ConsistentRead === true
  const read = readPage(page, consistent)
  const answer: QueryAnswer = page.countOnly ? {} : { Items: read.items }
  answer.Count = read.count
  answer.ScannedCount = read.scanned
  if (read.last) answer.LastEvaluatedKey = read.last
  const { table, index } = page.source
  const units = readUnits(read.bytes, consistent ? 'strong' : 'eventual')
  const consumed = consumedCapacity(
    request.ReturnConsumedCapacity,
    table,
    index ? { table: read.tableUnits, indexes: new Map([[index, units]]) } : { table: units, indexes: undefined },
  )
  if (consumed) answer.ConsumedCapacity = consumed
  return answer
}
