import type { Key } from '../../dynamodb/attribute-value.js'
import type { ItemCollectionMetrics, ReturnItemCollectionMetrics } from '../../dynamodb/operation-types.js'
import { keyEncoder, upperBoundOf } from '../keys/key-encoder.js'
import { pickKey } from '../keys/key-schema.js'
import type { Table } from '../tables/table.js'
import { type StoredItem, toCallerItem } from '../values/stored-item.js'

const GIGABYTE_BYTES = 1024 ** 3

/** Only tables with local indexes have item collection metrics, because local indexes limit a collection to 10 GB. */
export function measureItemCollection(
  mode: ReturnItemCollectionMetrics | undefined,
  table: Table,
  stored: StoredItem,
): ItemCollectionMetrics | undefined {
  if (mode !== 'SIZE' || !table.indexes.some(index => index.kind === 'local')) return undefined
  const key = pickKey({ ...table.keys, sort: [] }, stored.item)
  const gigabytes = Math.floor(countCollectionBytes(table, key) / GIGABYTE_BYTES)
  return {
    ItemCollectionKey: toCallerItem(key, stored.hasBinary),
    SizeEstimateRangeGB: [gigabytes, gigabytes + 1],
  }
}

/** Counts all items of a partition in the table and in its local indexes, which have the same partitions. */
function countCollectionBytes(table: Table, key: Key): number {
  const from = keyEncoder.beginPartition(table.keys.partition.map(({ name }) => key[name]!)).toText()
  const local = table.indexes.filter(index => index.kind === 'local')
  let bytes = 0
  for (const { space } of [table, ...local])
    space.range({ from, to: upperBoundOf(from), reverse: false }, entry => {
      bytes += entry.sizeBytes
      return true
    })
  return bytes
}
