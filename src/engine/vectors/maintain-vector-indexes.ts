import { countVectorWriteBytes } from '../../dynamodb/capacity.js'
import { encodeKey } from '../keys/key-schema.js'
import type { Table } from '../tables/table.js'
import type { StoredItem } from '../values/stored-item.js'
import { billedBytesOf } from './billed-bytes.js'
import {
  isSameVectorEntry,
  isSameVectorPartition,
  projectedItemOf,
  toVectorEntry,
  vectorEntryKeyOf,
} from './vector-entry.js'
import type { TableVectorIndex } from './vector-index.js'

/** The bytes written to each vector index. Indexes with an unchanged entry are absent. */
export type VectorBytes = Map<TableVectorIndex, number>

/** Updates every vector index of a table after a write. */
export function maintainVectorIndexes(
  table: Table,
  key: string,
  before: StoredItem | undefined,
  after: StoredItem | undefined,
): VectorBytes | undefined {
  let bytes: VectorBytes | undefined
  for (const index of table.vectorIndexes) {
    // The backfill will add the item later.
    if (!index.isFilled) continue
    const old = before && currentEntryOf(index, key, before)
    const next = after && toVectorEntry(index, after)
    if (!old && !next) continue
    if (index.lag) index.lag.enqueue(key, before, after)
    else replaceVectorEntry(index, key, old, next)
    const written = countWrittenBytes(index, old, next)
    if (written === 0) continue
    bytes ??= new Map()
    bytes.set(index, written)
  }
  return bytes
}

/** Returns the current entry. A lagging index may not have it yet, so its entry is computed. */
function currentEntryOf(index: TableVectorIndex, key: string, before: StoredItem): StoredItem | undefined {
  if (index.lag) return toVectorEntry(index, before)
  const at = vectorEntryKeyOf(index, before.item, key)
  return at === undefined ? undefined : index.space.get(at)
}

/** Counts written bytes: the larger size for an entry that is replaced in place, both sizes for one that moves. */
function countWrittenBytes(index: TableVectorIndex, old: StoredItem | undefined, next: StoredItem | undefined): number {
  if (!old || !next || !isSameVectorPartition(index, old, next))
    return [old, next].reduce((sum, entry) => sum + (entry ? countVectorWriteBytes(entry.sizeBytes) : 0), 0)
  return isSameVectorEntry(old, next) ? 0 : countVectorWriteBytes(Math.max(old.sizeBytes, next.sizeBytes))
}

function replaceVectorEntry(
  index: TableVectorIndex,
  key: string,
  old: StoredItem | undefined,
  next: StoredItem | undefined,
): void {
  const oldKey = old && vectorEntryKeyOf(index, projectedItemOf(old), key)
  const nextKey = next && vectorEntryKeyOf(index, projectedItemOf(next), key)
  if (oldKey !== undefined && oldKey !== nextKey) index.space.remove(oldKey)
  if (nextKey !== undefined) index.space.put(nextKey, next!)
  index.itemCount += (next ? 1 : 0) - (old ? 1 : 0)
  index.sizeBytes += (next?.sizeBytes ?? 0) - (old?.sizeBytes ?? 0)
}

/** Applies the pending changes of vector indexes that are due. */
export function applyLaggedVectorChanges({ keys, vectorIndexes }: Table, nowMs: number): void {
  for (const index of vectorIndexes)
    index.lag?.applyDue(nowMs, (before, after) =>
      replaceVectorEntry(
        index,
        encodeKey(keys, (after ?? before)!.item),
        before && toVectorEntry(index, before),
        after && toVectorEntry(index, after),
      ),
    )
}

const FULL_RANGE = { from: '', to: undefined, reverse: false }

/** Rebuilds an index from all items. Must run within a write. */
function fillVectorIndex(table: Table, index: TableVectorIndex): void {
  const stale: string[] = []
  index.space.range(FULL_RANGE, (_, key) => stale.push(key) > 0)
  for (const key of stale) index.space.remove(key)
  index.itemCount = 0
  index.sizeBytes = 0
  table.space.range(FULL_RANGE, (stored, key) => {
    const entry = toVectorEntry(index, stored)
    if (entry) replaceVectorEntry(index, key, undefined, entry)
    return true
  })
  index.isFilled = true
}

/** Recomputes the size of a table, which depends on its vector indexes. */
export function measureTableSize(table: Table): void {
  let sizeBytes = 0
  table.space.range(FULL_RANGE, stored => {
    sizeBytes += billedBytesOf(table, stored)
    return true
  })
  table.sizeBytes = sizeBytes
}

/** Fills all indexes that are not filled. Must run within a write. */
export function fillVectorIndexes(table: Table): void {
  const missing = table.vectorIndexes.filter(index => !index.isFilled)
  if (missing.length === 0) return
  for (const index of missing) fillVectorIndex(table, index)
  measureTableSize(table)
}
