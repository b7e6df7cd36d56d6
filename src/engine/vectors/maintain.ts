import { vectorWriteBytes } from '../../dynamodb/capacity.js'
import { encodeKey } from '../keys/schema.js'
import type { Table } from '../tables/table.js'
import type { Stored } from '../values/stored.js'
import { billedBytes } from './billed.js'
import { entryKey, entryOf, restIn, sameEntry, samePartition } from './entry.js'
import type { VectorIndex } from './vector-index.js'

/** Bytes that were written to vector indexes; those whose entry did not change are not in it. */
export type VectorBytes = Map<VectorIndex, number>

/** Brings every vector index of a table from an item's state before a write to that after it. */
export function maintainVectorIndexes(
  table: Table,
  key: string,
  before: Stored | undefined,
  after: Stored | undefined,
): VectorBytes | undefined {
  let bytes: VectorBytes | undefined
  for (const index of table.vectorIndexes) {
    // It will be filled with what is there then.
    if (!index.isFilled) continue
    const old = before && keptEntry(index, key, before)
    const next = after && entryOf(index, after)
    if (!old && !next) continue
    if (index.lag) index.lag.follow(key, before, after)
    else replace(index, key, old, next)
    const written = writtenBytes(index, old, next)
    if (written === 0) continue
    bytes ??= new Map()
    bytes.set(index, written)
  }
  return bytes
}

/** An index that lags may not have it yet, or not any more. */
function keptEntry(index: VectorIndex, key: string, before: Stored): Stored | undefined {
  if (index.lag) return entryOf(index, before)
  const at = entryKey(index, before.item, key)
  return at === undefined ? undefined : index.space.get(at)
}

/** An entry that is replaced in its place takes the larger of both, and one that moves takes both. */
function writtenBytes(index: VectorIndex, old: Stored | undefined, next: Stored | undefined): number {
  if (!old || !next || !samePartition(index, old, next))
    return [old, next].reduce((sum, entry) => sum + (entry ? vectorWriteBytes(entry.sizeBytes) : 0), 0)
  return sameEntry(old, next) ? 0 : vectorWriteBytes(Math.max(old.sizeBytes, next.sizeBytes))
}

function replace(index: VectorIndex, key: string, old: Stored | undefined, next: Stored | undefined): void {
  const oldKey = old && entryKey(index, restIn(old), key)
  const nextKey = next && entryKey(index, restIn(next), key)
  if (oldKey !== undefined && oldKey !== nextKey) index.space.remove(oldKey)
  if (nextKey !== undefined) index.space.put(nextKey, next!)
  index.itemCount += (next ? 1 : 0) - (old ? 1 : 0)
  index.sizeBytes += (next?.sizeBytes ?? 0) - (old?.sizeBytes ?? 0)
}

/** Shows what an index that lags has taken note of, as far as its time has come. */
export function catchUpVectorIndexes({ keys, vectorIndexes }: Table, nowMs: number): void {
  for (const index of vectorIndexes)
    index.lag?.catchUp(nowMs, (before, after) =>
      replace(
        index,
        encodeKey(keys, (after ?? before)!.item),
        before && entryOf(index, before),
        after && entryOf(index, after),
      ),
    )
}

const ALL = { from: '', to: undefined, reverse: false }

/** Takes into an index every item that belongs to it, and nothing else. Within a write. */
function fillVectorIndex(table: Table, index: VectorIndex): void {
  const stale: string[] = []
  index.space.range(ALL, (_, key) => stale.push(key) > 0)
  for (const key of stale) index.space.remove(key)
  index.itemCount = 0
  index.sizeBytes = 0
  table.space.range(ALL, (stored, key) => {
    const entry = entryOf(index, stored)
    if (entry) replace(index, key, undefined, entry)
    return true
  })
  index.isFilled = true
}

/** What its items count for changes with the vector indexes of a table. */
export function measureTable(table: Table): void {
  let sizeBytes = 0
  table.space.range(ALL, stored => {
    sizeBytes += billedBytes(table, stored)
    return true
  })
  table.sizeBytes = sizeBytes
}

/** Fills what is not filled yet. Within a write. */
export function fillVectorIndexes(table: Table): void {
  const missing = table.vectorIndexes.filter(index => !index.isFilled)
  if (missing.length === 0) return
  for (const index of missing) fillVectorIndex(table, index)
  measureTable(table)
}
