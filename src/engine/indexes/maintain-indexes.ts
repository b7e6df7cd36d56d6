import { countWriteUnits } from '../../dynamodb/capacity.js'
import { encodeIndexKey, hasValidKey } from '../keys/key-schema.js'
import { isValidIndexKey } from '../keys/valid-index-key.js'
import type { Table, TableIndex } from '../tables/table.js'
import type { StoredItem } from '../values/stored-item.js'
import { isSameIndexEntry, isSameIndexKey, toIndexEntry } from './index-entry.js'
import type { IndexLag } from './index-lag.js'

/** The write units of each index. Indexes with an unchanged entry are absent. */
export type IndexUnits = Map<TableIndex, number>

/** Updates every index of a table after a write. */
export function maintainIndexes(
  table: Table,
  key: string,
  before: StoredItem | undefined,
  after: StoredItem | undefined,
  isMetered: boolean,
): IndexUnits | undefined {
  let units: IndexUnits | undefined
  for (const index of table.indexes) {
    const spent = index.lag
      ? enqueueMaintenance(index, index.lag, key, before, after)
      : maintainIndex(table, index, before, after, isMetered)
    if (spent === 0 || !isMetered) continue
    units ??= new Map()
    units.set(index, spent)
  }
  return units
}

/** Adds every item that has the key of a new index. */
export function fillIndex(table: Table, index: TableIndex): void {
  table.space.range({ from: '', to: undefined, reverse: false }, stored => {
    if (isIndexed(index, stored)) addEntry(table, index, stored)
    return true
  })
}

/** Items that are older than the index can have key values that a write would reject. These items are left out. */
function isIndexed({ keys, addedLater }: TableIndex, { item }: StoredItem): boolean {
  return hasValidKey(keys, item) && (!addedLater || isValidIndexKey(keys, item))
}

/** Returns the index entries that a write adds, replaces or removes, with the units of each. */
export function entryCostsOf(
  index: TableIndex,
  before: StoredItem | undefined,
  after: StoredItem | undefined,
): { entry: StoredItem; units: number }[] {
  const old = before && isIndexed(index, before) ? toIndexEntry(index, before) : undefined
  const next = after && isIndexed(index, after) ? toIndexEntry(index, after) : undefined
  if (!old || !next || !isSameIndexKey(index.keys, old.item, next.item))
    return [old, next].flatMap(entry => (entry ? [{ entry, units: countWriteUnits(entry.sizeBytes) }] : []))
  if (isSameIndexEntry(index, old, next)) return []
  return [{ entry: next, units: countWriteUnits(Math.max(old.sizeBytes, next.sizeBytes)) }]
}

/** The change is applied later, but its units are charged now. */
function enqueueMaintenance(
  index: TableIndex,
  lag: IndexLag,
  key: string,
  before: StoredItem | undefined,
  after: StoredItem | undefined,
): number {
  if ((before && isIndexed(index, before)) || (after && isIndexed(index, after))) lag.enqueue(key, before, after)
  return entryCostsOf(index, before, after).reduce((sum, { units }) => sum + units, 0)
}

/** Applies the pending changes of all indexes that are due. */
export function applyLaggedChanges(table: Table, nowMs: number): void {
  for (const index of table.indexes)
    index.lag?.applyDue(nowMs, (before, after) => maintainIndex(table, index, before, after, false))
}

function maintainIndex(
  table: Table,
  index: TableIndex,
  before: StoredItem | undefined,
  after: StoredItem | undefined,
  isMetered: boolean,
): number {
  const old = before && isIndexed(index, before) ? before : undefined
  const next = after && isIndexed(index, after) ? after : undefined
  if (old && next && isSameIndexKey(index.keys, old.item, next.item))
    return replaceEntry(table, index, old, next, isMetered)
  let units = 0
  if (old) units += removeEntry(table, index, old)
  if (next) units += addEntry(table, index, next)
  return units
}

/** An entry that is the item itself is always replaced. Whether it changed only matters for the consumed units. */
function replaceEntry(table: Table, index: TableIndex, old: StoredItem, next: StoredItem, isMetered: boolean): number {
  const isSame = (isMetered || index.projected !== undefined) && isSameIndexEntry(index, old, next)
  if (isSame && index.projected !== undefined) return 0
  const entry = toIndexEntry(index, next)
  const oldBytes = toIndexEntry(index, old).sizeBytes
  index.space.put(encodeIndexKey(index.keys, table.keys, next.item), entry)
  index.sizeBytes += entry.sizeBytes - oldBytes
  return isSame ? 0 : countWriteUnits(Math.max(oldBytes, entry.sizeBytes))
}

function removeEntry(table: Table, index: TableIndex, old: StoredItem): number {
  const { sizeBytes } = toIndexEntry(index, old)
  index.space.remove(encodeIndexKey(index.keys, table.keys, old.item))
  index.itemCount--
  index.sizeBytes -= sizeBytes
  return countWriteUnits(sizeBytes)
}

function addEntry(table: Table, index: TableIndex, next: StoredItem): number {
  const entry = toIndexEntry(index, next)
  index.space.put(encodeIndexKey(index.keys, table.keys, next.item), entry)
  index.itemCount++
  index.sizeBytes += entry.sizeBytes
  return countWriteUnits(entry.sizeBytes)
}
