import { describe, expect, it } from 'vitest'
import { type Disk, type DiskOptions, disk } from '../../../src/engine/index.js'
import { keysOf, put, read, START_MS, shards } from '../streams/read-stream.js'
import { request } from '../tables.js'
import { temporaryFolder } from './temporary-folder.js'

const TableName = 'Orders'
const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' as const }

/**
 * Opens a folder with a clock and a table with a stream; `reopened` closes the store and opens the folder a second
 * later.
 */
async function streaming(options: DiskOptions = {}) {
  const clock = { ms: START_MS }
  const path = temporaryFolder()
  const open = () => disk(path, { now: () => clock.ms, sync: false, ...options })
  const reopened = async (store: Disk) => {
    await store.close()
    clock.ms += 1000
    return open()
  }
  const store = open()
  await store.createTable(request({ StreamSpecification }))
  return { store, reopened, arn: await latest(store) }
}

async function latest(store: Disk): Promise<string> {
  return (await store.describeTable({ TableName })).Table!.LatestStreamArn!
}

const disable = (store: Disk) => store.updateTable({ TableName, StreamSpecification: { StreamEnabled: false } })

describe('streams of reopened folders', () => {
  it('the changes of an item continue in the same shard or a descendant after reopening', async () => {
    const given = await streaming({ streams: { splitAfterRecords: 5 } })
    const { reopened, arn } = given
    let { store } = given
    const keys = Array.from({ length: 12 }, (_, i) => `key-${i}`)
    for (let round = 0; round < 4; round++) {
      for (const key of keys) await put(store, key, round)
      store = await reopened(store)
    }
    const all = await shards(store, arn)
    const parents = new Map(all.map(({ ShardId, ParentShardId }) => [ShardId!, ParentShardId]))
    const follows = (shard: string, before: string): boolean => {
      const parent = parents.get(shard)
      return shard === before || (parent !== undefined && follows(parent, before))
    }
    const places = new Map<string, string>()
    let records = 0
    for (const shard of all)
      for (const key of keysOf(await read(store, arn, shard))) {
        const before = places.get(key!)
        expect(before === undefined || follows(shard.ShardId!, before)).toBe(true)
        places.set(key!, shard.ShardId!)
        records++
      }
    expect(records).toBe(4 * keys.length)
    await store.close()
  })

  it('the description of a stream does not change with reopening', async () => {
    const { store, reopened, arn } = await streaming()
    const described = async (of: Disk) => (await of.describeStream({ StreamArn: arn })).StreamDescription
    const before = await described(store)
    const again = await reopened(store)
    expect(await described(again)).toEqual(before)
    await again.close()
  })

  it('a disabled stream stays disabled after reopening and records no more changes', async () => {
    const given = await streaming()
    const { reopened, arn } = given
    let { store } = given
    await put(store, 'a')
    await disable(store)
    store = await reopened(store)
    await put(store, 'b')
    const { StreamDescription } = await store.describeStream({ StreamArn: arn })
    expect(StreamDescription!.StreamStatus).toBe('DISABLED')
    await store.updateTable({ TableName, StreamSpecification })
    store = await reopened(store)
    await put(store, 'c')
    const next = await latest(store)
    for (const [of, expected] of [
      [arn, ['a']],
      [next, ['c']],
    ] as const) {
      const [shard] = await shards(store, of)
      expect(keysOf(await read(store, of, shard!))).toEqual(expected)
    }
    await store.close()
  })
})
