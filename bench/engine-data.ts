import type { Item } from '../src/dynamodb/attribute-value.js'
import { BATCH_WRITE_ITEMS } from '../src/dynamodb/limits.js'
import type { Store } from '../src/store/port.js'

export const TABLE = 'bench'
/** Items of a partition; the inverted index has as many partitions, each with one item of every partition. */
export const SORT_KEYS = 100

/** An item of eight attributes and 200 B. */
export function itemAt(index: number): Item {
  const partition = Math.floor(index / SORT_KEYS)
  return {
    pk: { S: `user#${String(partition).padStart(8, '0')}` },
    sk: { S: `follows#${String(index % SORT_KEYS).padStart(8, '0')}` },
    name: { S: `a name of some length ${index % 977}` },
    city: { S: `Los Angeles, number ${index % 613}` },
    since: { S: '2026-11-15T04:14:00.000Z' },
    status: { S: 'active' },
    visits: { N: String(index % 1000) },
    score: { N: `${index % 89}.25` },
  }
}

export async function loaded(store: Store, items: number): Promise<Store> {
  await store.createTable({
    TableName: TABLE,
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
    ],
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'inverted',
        KeySchema: [
          { AttributeName: 'sk', KeyType: 'HASH' },
          { AttributeName: 'pk', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  })
  for (let first = 0; first < items; first += BATCH_WRITE_ITEMS) {
    const batch = Array.from({ length: Math.min(BATCH_WRITE_ITEMS, items - first) }, (_, i) => ({
      PutRequest: { Item: itemAt(first + i) },
    }))
    await store.batchWriteItem({ RequestItems: { [TABLE]: batch } })
  }
  return store
}
