import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import type { ChangeRecord } from '../../../src/dynamodb/operation-types.js'
import { memory } from '../../../src/engine/index.js'
import type { Service, Streams } from '../../../src/store/port.js'
import { read, shards as shardsOf } from '../streams/read-stream.js'
import { anyWrites, TABLE } from './random-writes.js'

const { TableName } = TABLE
const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' as const }
const keyText = (item: Item) => JSON.stringify([item.pk, item.sk])

/** Returns all records shard by shard, parents before children. */
async function records(store: Service & Streams): Promise<ChangeRecord[]> {
  const { Table } = await store.describeTable({ TableName })
  const all: ChangeRecord[] = []
  for (const shard of await shardsOf(store, Table!.LatestStreamArn!))
    all.push(...(await read(store, Table!.LatestStreamArn!, shard)))
  return all
}

it('replaying a stream reproduces the table, and each record begins with the state after the previous one', async () => {
  const cuts = fc.record({ shards: fc.integer({ min: 1, max: 3 }), splitAfterRecords: fc.integer({ min: 1, max: 20 }) })
  await fc.assert(
    fc.asyncProperty(anyWrites, cuts, async (writes, streams) => {
      const store = memory({ streams })
      await store.createTable({ ...TABLE, StreamSpecification })
      for (const write of writes) await write.run(store)
      const replayed = new Map<string, Item>()
      for (const { eventName, dynamodb } of await records(store)) {
        const { Keys, NewImage, OldImage } = dynamodb!
        const key = keyText(Keys!)
        expect(OldImage).toEqual(replayed.get(key))
        expect(NewImage).not.toEqual(OldImage)
        expect(eventName).toBe(OldImage ? (NewImage ? 'MODIFY' : 'REMOVE') : 'INSERT')
        if (NewImage) replayed.set(key, NewImage)
        else replayed.delete(key)
      }
      const { Items } = await store.scan({ TableName })
      expect(new Map(Items!.map(item => [keyText(item), item]))).toEqual(replayed)
    }),
    { numRuns: 100 },
  )
})
