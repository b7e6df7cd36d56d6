import { writeUnits } from '../../dynamodb/capacity.js'
import { fitsKey } from '../keys/fits.js'
import { encodeIndexKey, hasKey } from '../keys/schema.js'
import type { Index, Table } from '../tables/table.js'
import type { Stored } from '../values/stored.js'
import { entryOf, sameEntry, sameKey } from './entry.js'
import type { IndexLag } from './lag.js'

/** Write units that indexes took, by index; those whose entry did not change are not in it. */
export type IndexUnits = Map<Index, number>

/** Brings every index of a table from an item's state before a write to that after it. */
export function maintainIndexes(
  table: Table,
  key: string,
  before: Stored | undefined,
  after: Stored | undefined,
  metered: boolean,
): IndexUnits | undefined {
  let units: IndexUnits | undefined
  for (const index of table.indexes) {
    const spent = index.lag
      ? maintainLater(index, index.lag, key, before, after)
      : maintainIndex(table, index, before, after, metered)
    if (spent === 0 || !metered) continue
    units ??= new Map()
    units.set(index, spent)
  }
  return units
}

/** Takes into a new index every item that has its key. */
export function fillIndex(table: Table, index: Index): void {
  table.space.range({ from: '', to: undefined, reverse: false }, stored => {
    if (belongs(index, stored)) addEntry(table, index, stored)
    return true
  })
}

/** Items that were there before the index may have what no key can be, and stay out of it. */
function belongs({ keys, addedLater }: Index, { item }: Stored): boolean {
  return hasKey(keys, item) && (!addedLater || fitsKey(keys, item))
}

/** The entries of an index that bring it from an item's state before a write to that after it, and what each takes. */
export function entryCosts(
  index: Index,
  before: Stored | undefined,
  after: Stored | undefined,
): { entry: Stored; units: number }[] {
  const old = before && belongs(index, before) ? entryOf(index, before) : undefined
  const next = after && belongs(index, after) ? entryOf(index, after) : undefined
  if (!old || !next || !sameKey(index.keys, old.item, next.item))
    return [old, next].flatMap(entry => (entry ? [{ entry, units: writeUnits(entry.sizeBytes) }] : []))
  if (sameEntry(index, old, next)) return []
  return [{ entry: next, units: writeUnits(Math.max(old.sizeBytes, next.sizeBytes)) }]
}

/** An index that lags takes note of the change, which is paid for now. */
function maintainLater(
  index: Index,
  lag: IndexLag,
  key: string,
  before: Stored | undefined,
  after: Stored | undefined,
): number {
  if ((before && belongs(index, before)) || (after && belongs(index, after))) lag.follow(key, before, after)
  return entryCosts(index, before, after).reduce((sum, { units }) => sum + units, 0)
}

/** Shows what an index that lags has taken note of, as far as its time has come. */
export function catchUp(table: Table, nowMs: number): void {
  for (const index of table.indexes)
    index.lag?.catchUp(nowMs, (before, after) => maintainIndex(table, index, before, after, false))
}

function maintainIndex(
  table: Table,
  index: Index,
  before: Stored | undefined,
  after: Stored | undefined,
  metered: boolean,
): number {
  const old = before && belongs(index, before) ? before : undefined
  const next = after && belongs(index, after) ? after : undefined
  if (old && next && sameKey(index.keys, old.item, next.item)) return replaceEntry(table, index, old, next, metered)
  let units = 0
  if (old) units += removeEntry(table, index, old)
  if (next) units += addEntry(table, index, next)
  return units
}

/** An entry that is the item itself follows it always; whether it differs from the old one matters only to its price. */
function replaceEntry(table: Table, index: Index, old: Stored, next: Stored, metered: boolean): number {
  const same = (metered || index.projected !== undefined) && sameEntry(index, old, next)
  if (same && index.projected !== undefined) return 0
  const entry = entryOf(index, next)
  const oldBytes = entryOf(index, old).sizeBytes
  index.space.put(encodeIndexKey(index.keys, table.keys, next.item), entry)
  index.sizeBytes += entry.sizeBytes - oldBytes
  return same ? 0 : writeUnits(Math.max(oldBytes, entry.sizeBytes))
}

function removeEntry(table: Table, index: Index, old: Stored): number {
  const { sizeBytes } = entryOf(index, old)
  index.space.remove(encodeIndexKey(index.keys, table.keys, old.item))
  index.itemCount--
  index.sizeBytes -= sizeBytes
  return writeUnits(sizeBytes)
}

function addEntry(table: Table, index: Index, next: Stored): number {
  const entry = entryOf(index, next)
  index.space.put(encodeIndexKey(index.keys, table.keys, next.item), entry)
  index.itemCount++
  index.sizeBytes += entry.sizeBytes
  return writeUnits(entry.sizeBytes)
}
