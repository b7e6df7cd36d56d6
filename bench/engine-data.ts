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

export async function loaded<Loaded extends Store>(store: Loaded, items: number): Promise<Loaded> {
  await createBenchTable(store)
  for (let first = 0; first < items; ) {
    const { next, done } = putBatch(store, first, items)
    first = next
    await done
  }
  return store
}

/** Starts to write a batch of items, from the given one on, and returns where the next batch begins. */
export function putBatch(store: Store, first: number, items: number): { next: number; done: Promise<unknown> } {
  const next = Math.min(first + BATCH_WRITE_ITEMS, items)
  const batch = Array.from({ length: next - first }, (_, i) => ({ PutRequest: { Item: itemAt(first + i) } }))
  return { next, done: store.batchWriteItem({ RequestItems: { [TABLE]: batch } }) }
}

export async function createBenchTable(store: Store): Promise<void> {
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
}
