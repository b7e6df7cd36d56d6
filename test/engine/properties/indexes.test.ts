import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import { countItemBytes } from '../../../src/dynamodb/size.js'
import { memory } from '../../../src/engine/index.js'
import type { Store } from '../../../src/store/port.js'
import { anyWrites, TABLE } from './random-writes.js'

const TableName = TABLE.TableName
const INDEXES = [...TABLE.LocalSecondaryIndexes!, ...TABLE.GlobalSecondaryIndexes!]

/** Computes the expected content of an index from the table. */
function rebuilt(index: (typeof INDEXES)[number], items: Item[]): Item[] {
  const keys = index.KeySchema!.map(({ AttributeName }) => AttributeName!)
  const { ProjectionType, NonKeyAttributes = [] } = index.Projection!
  return items
    .filter(item => keys.every(name => item[name] !== undefined))
    .map(item => {
      if (ProjectionType === 'ALL') return item
      const names = new Set(['pk', 'sk', ...keys, ...NonKeyAttributes])
      return Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name)))
    })
}

const everything = async (store: Store, IndexName?: string) =>
  (await store.scan({ TableName, ...(IndexName && { IndexName }) })).Items!

const inAnyOrder = (items: Item[]) => items.map(item => JSON.stringify(Object.entries(item).sort())).sort()

describe('indexes after any sequence of writes', () => {
  it('every index equals a rebuild from the table, and counts and sizes are correct', async () => {
    await fc.assert(
      fc.asyncProperty(anyWrites, async writes => {
        const store = memory()
        await store.createTable(TABLE)
        for (const write of writes) await write.run(store)
        const items = await everything(store)
        const { Table } = await store.describeTable({ TableName })
        expect(Table!.ItemCount).toBe(items.length)
        expect(Table!.TableSizeBytes).toBe(items.reduce((sum, item) => sum + countItemBytes(item), 0))
        const described = [...Table!.LocalSecondaryIndexes!, ...Table!.GlobalSecondaryIndexes!]
        for (const index of INDEXES) {
          const expected = rebuilt(index, items)
          expect(inAnyOrder(await everything(store, index.IndexName))).toEqual(inAnyOrder(expected))
          const { ItemCount, IndexSizeBytes } = described.find(({ IndexName }) => IndexName === index.IndexName)!
          expect(ItemCount).toBe(expected.length)
          expect(IndexSizeBytes).toBe(expected.reduce((sum, item) => sum + countItemBytes(item), 0))
        }
      }),
      { numRuns: 200 },
    )
  })
})
