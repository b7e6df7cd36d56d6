import type { Key } from '../../dynamodb/attribute-value.js'
import type { ItemCollectionMetrics, ReturnItemCollectionMetrics } from '../../dynamodb/operations/capacity.js'
import { after, encoder } from '../keys/encoder.js'
import { keyWithin } from '../keys/schema.js'
import type { Table } from '../tables/table.js'
import { forCaller, type Stored } from '../values/stored.js'

const GIGABYTE_BYTES = 1024 ** 3

/** Item collections are measured only where a table has local indexes, which bound them to 10 GB. */
export function itemCollectionMetrics(
  mode: ReturnItemCollectionMetrics | undefined,
  table: Table,
  stored: Stored,
): ItemCollectionMetrics | undefined {
  if (mode !== 'SIZE' || !table.indexes.some(index => index.kind === 'local')) return undefined
  const key = keyWithin({ ...table.keys, sort: [] }, stored.item)
  const gigabytes = Math.floor(collectionBytes(table, key) / GIGABYTE_BYTES)
  return {
    ItemCollectionKey: forCaller(key, stored.hasBinary),
    SizeEstimateRangeGB: [gigabytes, gigabytes + 1],
  }
}

/** All items of the partition, in the table and in its local indexes, whose partitions are the same. */
function collectionBytes(table: Table, key: Key): number {
  const from = encoder.partition(table.keys.partition.map(({ name }) => key[name]!)).text()
  const local = table.indexes.filter(index => index.kind === 'local')
  let bytes = 0
  for (const { space } of [table, ...local])
    space.range({ from, to: after(from), reverse: false }, entry => {
      bytes += entry.sizeBytes
      return true
    })
  return bytes
}
