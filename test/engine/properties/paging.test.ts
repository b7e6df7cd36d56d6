import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Item, Key } from '../../../src/dynamodb/attribute-value.js'
import type { QueryOutput } from '../../../src/dynamodb/operation-types.js'
import { memory } from '../../../src/engine/index.js'
import type { Store } from '../../../src/store/port.js'
import { anyWrites, TABLE } from './random-writes.js'

const TableName = TABLE.TableName
const INDEXES = [
  undefined,
  ...[...TABLE.LocalSecondaryIndexes!, ...TABLE.GlobalSecondaryIndexes!].map(i => i.IndexName!),
]

/** Reads all items page by page. */
async function byPages(read: (start: Key | undefined) => Promise<QueryOutput>): Promise<Item[]> {
  const items: Item[] = []
  let start: Key | undefined
  do {
    const page = await read(start)
    items.push(...page.Items!)
    expect(page.Count).toBe(page.Items!.length)
    start = page.LastEvaluatedKey
  } while (start)
  return items
}

async function written(writes: readonly { run(store: Store): Promise<unknown> }[]): Promise<Store> {
  const store = memory()
  await store.createTable(TABLE)
  for (const write of writes) await write.run(store)
  return store
}

describe('paging', () => {
  it('pages of a scan visit every item once in order, with any page size and index', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyWrites,
        fc.constantFrom(...INDEXES),
        fc.integer({ min: 1, max: 4 }),
        async (writes, IndexName, Limit) => {
          const store = await written(writes)
          const request = { TableName, ...(IndexName && { IndexName }) }
          const paged = await byPages(start =>
            store.scan({ ...request, Limit, ...(start && { ExclusiveStartKey: start }) }),
          )
          expect(paged).toEqual((await store.scan(request)).Items)
        },
      ),
    )
  })

  it('a parallel scan visits every item once with any number of segments', async () => {
    await fc.assert(
      fc.asyncProperty(anyWrites, fc.integer({ min: 1, max: 5 }), async (writes, TotalSegments) => {
        const store = await written(writes)
        const parts = await Promise.all(
          Array.from({ length: TotalSegments }, (_, Segment) =>
            byPages(start =>
              store.scan({ TableName, Segment, TotalSegments, Limit: 2, ...(start && { ExclusiveStartKey: start }) }),
            ),
          ),
        )
        expect(parts.flat()).toEqual((await store.scan({ TableName })).Items)
      }),
    )
  })

  it.each([
    ['the table', undefined, 'pk = :v', { S: 'a' }],
    ['a local index', 'local', 'pk = :v', { S: 'a' }],
    ['an index with ties', 'included', 'g = :v', { S: 'x' }],
    ['an index without sort key', 'hashOnly', 'g = :v', { S: 'x' }],
  ])('pages of a query on %s visit every item once in both directions', async (_, IndexName, condition, value) => {
    await fc.assert(
      fc.asyncProperty(
        anyWrites,
        fc.integer({ min: 1, max: 3 }),
        fc.boolean(),
        async (writes, Limit, ScanIndexForward) => {
          const store = await written(writes)
          const request = {
            TableName,
            ...(IndexName && { IndexName }),
            KeyConditionExpression: condition,
            ExpressionAttributeValues: { ':v': value },
          }
          const paged = await byPages(start =>
            store.query({ ...request, Limit, ScanIndexForward, ...(start && { ExclusiveStartKey: start }) }),
          )
          const forwards = (await store.query(request)).Items!
          expect(paged).toEqual(ScanIndexForward ? forwards : [...forwards].reverse())
        },
      ),
    )
  })
})
