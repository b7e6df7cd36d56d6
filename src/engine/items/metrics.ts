import type { Item } from '../../dynamodb/attribute-value.js'
import type { ItemCollectionMetrics, ReturnItemCollectionMetrics } from '../../dynamodb/operations/capacity.js'
import type { Table } from '../tables/table.js'

/** Item collections are measured only where a table has local indexes, which bound them. Ours are below a gigabyte. */
export function itemCollectionMetrics(
  mode: ReturnItemCollectionMetrics | undefined,
  table: Table,
  item: Item,
): ItemCollectionMetrics | undefined {
  if (mode !== 'SIZE' || !table.indexes.some(index => index.kind === 'local')) return undefined
  const ItemCollectionKey: Item = {}
  for (const { name } of table.keys.partition) ItemCollectionKey[name] = item[name]!
  return { ItemCollectionKey, SizeEstimateRangeGB: [0, 1] }
}
