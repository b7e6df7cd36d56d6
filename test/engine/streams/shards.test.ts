import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import type { ChangeRecord, Shard } from '../../../src/dynamodb/operation-types.js'
import { memory } from '../../../src/engine/index.js'
import { beginning, HOUR_MS, keysOf, put, read, type StoreWithClock, shards, storeWithClock } from './read-stream.js'

describe('stream shards', () => {
  test('a stream has the requested number of shards, each with a range of partitions', async () => {
    const { store, arn } = await storeWithClock({ streams: { shards: 4 } })
    for (let i = 0; i < 100; i++) await put(store, `key-${i}`)
    const all = await shards(store, arn)
    expect(all.map(shard => shard.ParentShardId)).toEqual([undefined, undefined, undefined, undefined])
    const counts = await Promise.all(all.map(async shard => (await read(store, arn, shard)).length))
    expect(counts.reduce((sum, count) => sum + count)).toBe(100)
    for (const count of counts) expect(count).toBeGreaterThan(10)
  })

  test('a shard with the maximum number of records closes and gets two children', async () => {
    const { store, arn } = await storeWithClock({ streams: { splitAfterRecords: 10 } })
    for (let i = 0; i < 11; i++) await put(store, `key-${i}`)
    const [parent, ...children] = await shards(store, arn)
    expect(children.map(child => child.ParentShardId)).toEqual([parent!.ShardId, parent!.ShardId])
    expect((await read(store, arn, parent!)).length).toBe(10)
    const { EndingSequenceNumber } = parent!.SequenceNumberRange!
    for (const child of children) {
      expect(child.SequenceNumberRange!.StartingSequenceNumber! > EndingSequenceNumber!).toBe(true)
      expect(child.SequenceNumberRange!.EndingSequenceNumber).toBeUndefined()
    }
  })

  test('a shard with the maximum number of bytes is split', async () => {
    const { store, arn } = await storeWithClock({ streams: { splitAfterBytes: 100 } })
    for (let i = 0; i < 20; i++) await put(store, `key-${i}`)
    const [parent] = await shards(store, arn)
    const bytes = (await read(store, arn, parent!)).map(({ dynamodb }) => dynamodb!.SizeBytes!)
    const sum = bytes.reduce((total, size) => total + size)
    expect(sum).toBeGreaterThanOrEqual(100)
    expect(sum - bytes.at(-1)!).toBeLessThan(100)
  })

  test('a shard is split when splitWhen returns true', async () => {
    let split = false
    const seen: string[] = []
    const { store, arn } = await storeWithClock({
      streams: {
        splitWhen: ({ tableName, records }) => {
          seen.push(`${tableName} ${records}`)
          return split
        },
      },
    })
    await put(store, 'a')
    await put(store, 'b')
    expect((await shards(store, arn)).length).toBe(1)
    split = true
    await put(store, 'c')
    expect((await shards(store, arn)).length).toBe(3)
    expect(seen).toEqual(['Orders 0', 'Orders 1', 'Orders 2'])
  })

  test('a shard that is four hours old is followed by another', async () => {
    const { store, clock, arn } = await storeWithClock()
    await put(store, 'a')
    clock.ms += 4 * HOUR_MS - 1
    await put(store, 'b')
    clock.ms += 1
    await put(store, 'c')
    const [old, next] = await shards(store, arn)
    expect(next!.ParentShardId).toBe(old!.ShardId)
    expect([keysOf(await read(store, arn, old!)), keysOf(await read(store, arn, next!))]).toEqual([['a', 'b'], ['c']])
  })

  test('shards are described in pages, parents before children', async () => {
    const { store, arn } = await storeWithClock({ streams: { splitAfterRecords: 3 } })
    for (let i = 0; i < 60; i++) await put(store, `key-${i}`)
    const all = await shards(store, arn)
    const ids = all.map(({ ShardId }) => ShardId!)
    expect(ids).toEqual(ids.toSorted())
    for (const { ParentShardId, ShardId } of all)
      if (ParentShardId) expect(ids.indexOf(ParentShardId)).toBeLessThan(ids.indexOf(ShardId!))
    const paged: string[] = []
    let ExclusiveStartShardId: string | undefined
    do {
      const { StreamDescription } = await store.describeStream({ StreamArn: arn, Limit: 7, ExclusiveStartShardId })
      paged.push(...StreamDescription!.Shards!.map(({ ShardId }) => ShardId!))
      ExclusiveStartShardId = StreamDescription!.LastEvaluatedShardId
    } while (ExclusiveStartShardId)
    expect(paged).toEqual(ids)
    const ShardFilter = { Type: 'CHILD_SHARDS' as const, ShardId: ids[0]! }
    const { StreamDescription } = await store.describeStream({ StreamArn: arn, ShardFilter })
    expect(StreamDescription!.Shards!.map(({ ParentShardId }) => ParentShardId)).toEqual([ids[0], ids[0]])
  })

  test('invalid shard options are rejected', () => {
    for (const shards of [0, -1, 1.5, Number.NaN, 2 ** 16 + 1])
      expect(() => memory({ streams: { shards } })).toThrow(
        `streams.shards: ${shards} is out of range; use a whole number from 1`,
      )
    expect(() => memory({ streams: { splitAfterRecords: 0 } })).toThrow(RangeError)
  })
})

/** Reads every record, parent shards before children. */
async function readAll(store: StoreWithClock, arn: string): Promise<ChangeRecord[]> {
  const records: ChangeRecord[] = []
  const done = new Set<string>()
  let waiting: Shard[] = (await shards(store, arn)).toReversed()
  const ids = new Set(waiting.map(({ ShardId }) => ShardId))
  while (waiting.length > 0) {
    const ready = waiting.filter(({ ParentShardId: id }) => id === undefined || done.has(id) || !ids.has(id))
    for (const shard of ready) {
      records.push(...(await read(store, arn, shard, 3)))
      done.add(shard.ShardId!)
    }
    waiting = waiting.filter(({ ShardId }) => !done.has(ShardId!))
  }
  return records
}

const write = fc.record({
  pk: fc.integer({ min: 0, max: 12 }).map(n => `key-${n}`),
  n: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
  laterMs: fc.integer({ min: 0, max: HOUR_MS }),
})

test('the changes of each item are in order and reproduce the table with any shards', async () => {
  const options = fc.record({
    shards: fc.integer({ min: 1, max: 5 }),
    splitAfterRecords: fc.integer({ min: 1, max: 6 }),
    rollAfterMs: fc.integer({ min: HOUR_MS, max: 8 * HOUR_MS }),
  })
  await fc.assert(
    fc.asyncProperty(options, fc.array(write, { maxLength: 20 }), async (streams, writes) => {
      const { store, clock, arn } = await storeWithClock({ streams })
      const expected: string[] = []
      const table = new Map<string, number>()
      for (const { pk, n, laterMs } of writes) {
        clock.ms += laterMs
        const before = table.get(pk)
        if (n === undefined) await store.deleteItem({ TableName: 'Orders', Key: { pk: { S: pk } } })
        else await put(store, pk, n)
        if (n === undefined) table.delete(pk)
        else table.set(pk, n)
        if (before !== n) expected.push(`${pk} ${before} ${n}`)
      }
      const found = (await readAll(store, arn)).map(({ dynamodb }) => {
        const number = (image: Item | undefined) => (image ? Number(image.n!.N) : undefined)
        return `${dynamodb!.Keys!.pk!.S} ${number(dynamodb!.OldImage)} ${number(dynamodb!.NewImage)}`
      })
      const ofItem = (all: string[], pk: string) => all.filter(text => text.startsWith(`${pk} `))
      for (const pk of new Set(writes.map(one => one.pk))) expect(ofItem(found, pk)).toEqual(ofItem(expected, pk))
      expect(found.length).toBe(expected.length)
    }),
    { numRuns: 40 },
  )
})

test('a reader that continues without pauses reads every record once', async () => {
  const { store, arn } = await storeWithClock()
  const [shard] = await shards(store, arn)
  let iterator = await beginning(store, arn, shard!.ShardId!)
  const seen: (string | undefined)[] = []
  for (let i = 0; i < 30; i++) {
    if (i % 3 !== 2) await put(store, `key-${i}`)
    const { Records, NextShardIterator } = await store.getRecords({ ShardIterator: iterator, Limit: 1 + (i % 2) })
    seen.push(...keysOf(Records!))
    iterator = NextShardIterator!
  }
  expect(seen).toEqual(
    Array.from({ length: 30 }, (_, i) => i)
      .filter(i => i % 3 !== 2)
      .map(i => `key-${i}`),
  )
})
