import { countValueBytes } from '../../dynamodb/size.js'
import type { Table } from '../tables/table.js'
import { attributeOf } from '../values/compare-values.js'
import type { StoredItem } from '../values/stored-item.js'
import { vectorBytesOf } from './vector-entry.js'

/**
 * Returns the size of an item for writes and for the size of its table: an indexed vector counts four bytes per
 * dimension, regardless of its numbers. Reads and the item size limit count the numbers instead.
 */
export function billedBytesOf({ vectorIndexes }: Table, stored: StoredItem | undefined): number {
  if (!stored) return 0
  if (vectorIndexes.length === 0) return stored.sizeBytes
  let { sizeBytes } = stored
  const seen = new Set<string>()
  for (const { attribute: name, dimensions } of vectorIndexes) {
    const value = attributeOf(stored.item, name)
    if (seen.has(name) || value?.L?.length !== dimensions || !value.L.every(({ N }) => N !== undefined)) continue
    seen.add(name)
    sizeBytes += vectorBytesOf(dimensions) - countValueBytes(value)
  }
  return sizeBytes
}
