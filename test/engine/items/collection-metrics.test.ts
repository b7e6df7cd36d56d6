import { expect, test } from 'vitest'
import { measureItemCollection } from '../../../src/engine/items/collection-metrics.js'
import { encodeIndexKey, encodeKey } from '../../../src/engine/keys/key-schema.js'
import { createTable } from '../../../src/engine/operations/tables/create-table.js'
import { StoredItem } from '../../../src/engine/values/stored-item.js'
import { emptyEngine } from '../tables.js'

const text = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' as const })
const keyOf = (sort: string) => [
  { AttributeName: 'pk', KeyType: 'HASH' as const },
  { AttributeName: sort, KeyType: 'RANGE' as const },
]

/** Creates a table with a local index and an item of a pretended size in both. */
function tableWith(sizeBytes: number) {
  const engine = emptyEngine()
  createTable(engine, {
    TableName: 'tab',
    AttributeDefinitions: ['pk', 'sk', 'l'].map(text),
    KeySchema: keyOf('sk'),
    LocalSecondaryIndexes: [{ IndexName: 'local', KeySchema: keyOf('l'), Projection: { ProjectionType: 'ALL' } }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  const table = engine.tables.get('tab')!
  const stored = new StoredItem({ pk: { S: 'p' }, sk: { S: 's' }, l: { S: 'l' } }, sizeBytes, false)
  const [local] = table.indexes
  table.space.put(encodeKey(table.keys, stored.item), stored)
  local!.space.put(encodeIndexKey(local!.keys, table.keys, stored.item), stored)
  return { table, stored }
}

test('an item collection is measured with its local index entries, in whole gigabytes around its size', () => {
  const { table, stored } = tableWith(0.7 * 1024 ** 3)
  expect(measureItemCollection('SIZE', table, stored)).toEqual({
    ItemCollectionKey: { pk: { S: 'p' } },
    SizeEstimateRangeGB: [1, 2],
  })
})

test('an item collection excludes other partitions', () => {
  const { table, stored } = tableWith(0.7 * 1024 ** 3)
  const elsewhere = new StoredItem({ ...stored.item, pk: { S: 'q' } }, 10, false)
  expect(measureItemCollection('SIZE', table, elsewhere)!.SizeEstimateRangeGB).toEqual([0, 1])
})
