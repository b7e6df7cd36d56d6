import type { Seen } from '../difference.js'
import { type Plain, textOf } from '../sides/outcome.js'
import type { Fault } from './fault.js'
import { listOf, membersOf } from './values.js'

const units = (capacity: Plain | undefined) => Number(membersOf(capacity).CapacityUnits ?? Number.NaN)
const tablesOf = (capacity: Plain | undefined) => textOf(listOf(capacity).map(each => membersOf(each).TableName ?? ''))

/** Creates a fault of consumed capacity for operations by name. */
function capacity(operations: RegExp, description: string, explains: (seen: Seen) => boolean): Fault {
  return {
    description,
    explains: seen => seen.at === 'ConsumedCapacity' && operations.test(seen.call.operation) && explains(seen),
  }
}

const indexOf = ({ call, tables }: Seen) =>
  tables
    .find(({ name }) => name === call.request.TableName)
    ?.indexes.find(({ name }) => name === call.request.IndexName)

/** The faults of DynamoDB Local, whose capacity sometimes differs from the AWS documentation. */
export const LOCAL_CAPACITY_FAULTS: readonly Fault[] = [
  capacity(/^deleteItem$/, 'a delete reports its capacity without a request for it', ({ ours }) => ours === undefined),
  capacity(
    /^(?:query|scan|getItem)$/,
    'a read that finds nothing is free; AWS documents the minimum cost of a read',
    ({ ours, theirs }) => freeWhereDifferent(ours, theirs),
  ),
  capacity(
    /^(?:query|scan)$/,
    'a read of an index costs the same as a read of the table; AWS documents a cost by index entries, plus a read ' +
      'of each item that is completed from the table',
    seen => indexOf(seen)?.kind === 'local' || (indexOf(seen)?.projection ?? 'ALL') !== 'ALL',
  ),
  capacity(
    /^batchGetItem$/,
    'a batch key without an item is free; AWS documents the minimum cost of a read',
    ({ ours, theirs }) =>
      tablesOf(ours) === tablesOf(theirs) && listOf(theirs).every((each, i) => units(each) <= units(listOf(ours)[i])),
  ),
  capacity(
    /^batchWriteItem$/,
    'a delete in a batch costs more than a single delete',
    ({ call, ours, theirs }) =>
      textOf(call.request as Plain).includes('DeleteRequest') && tablesOf(ours) === tablesOf(theirs),
  ),
  capacity(
    /^transact/,
    'the capacity of a transaction is not split into reads and writes, is doubled for indexes (AWS was observed to ' +
      'double only the table) and differs for missing items',
    ({ ours, theirs }) => tablesOf(ours) === tablesOf(theirs) && !textOf(theirs).includes('teCapacityUnits'),
  ),
  capacity(
    /^(?:putItem|updateItem|deleteItem|batchWriteItem)$/,
    'an index with several key attributes is charged for items that lack one and are not in the index',
    ({ tables, ours, theirs }) =>
      tables.some(({ indexes }) => indexes.some(({ partition, sort }) => partition.length + sort.length > 1)) &&
      (Array.isArray(ours) ? tablesOf(ours) === tablesOf(theirs) : units(theirs) > units(ours)),
  ),
]

/** Returns whether pages of capacity are equal or cost nothing. */
function freeWhereDifferent(ours: Plain | undefined, theirs: Plain | undefined): boolean {
  if (!Array.isArray(ours)) return units(theirs) === 0
  const known = new Set(ours.map(textOf))
  const pages = listOf(theirs)
  return pages.length === ours.length && pages.every(page => known.has(textOf(page)) || units(page) === 0)
}
