import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import type { Store } from '../../../src/store/port.js'
import { anyWrites, TABLE } from './random-writes.js'

const { TableName, AttributeDefinitions, GlobalSecondaryIndexes, ...PLAIN } = TABLE
const INDEXES = GlobalSecondaryIndexes!

/** Returns the visible state of the indexes: entries in order, counts and sizes. */
async function seen(store: Store): Promise<unknown[]> {
  const { Table } = await store.describeTable({ TableName })
  return Promise.all(
    INDEXES.map(async ({ IndexName }) => {
      const { Items } = await store.scan({ TableName, IndexName })
      const { ItemCount, IndexSizeBytes, KeySchema, Projection } = Table!.GlobalSecondaryIndexes!.find(
        index => index.IndexName === IndexName,
      )!
      return { IndexName, Items, ItemCount, IndexSizeBytes, KeySchema, Projection }
    }),
  )
}

it('an index that is added later equals one that existed from the start', { timeout: 30_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(anyWrites, anyWrites, fc.boolean(), async (before, after, again) => {
      const always = memory()
      await always.createTable(TABLE)
      const later = memory()
      await later.createTable({ ...PLAIN, TableName, AttributeDefinitions })
      for (const write of before) for (const store of [always, later]) await write.run(store)
      for (const Create of INDEXES) {
        const update = { TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates: [{ Create }] }
        await later.updateTable(update)
        if (!again) continue
        const Delete = { IndexName: Create.IndexName }
        await later.updateTable({ TableName, GlobalSecondaryIndexUpdates: [{ Delete }] })
        await later.updateTable(update)
      }
      for (const write of after) for (const store of [always, later]) await write.run(store)
      expect(await seen(later)).toEqual(await seen(always))
      const [one, other] = await Promise.all([always, later].map(store => store.describeTable({ TableName })))
      expect(other!.Table!.AttributeDefinitions).toEqual(one!.Table!.AttributeDefinitions)
    }),
    { numRuns: 60 },
  )
})
