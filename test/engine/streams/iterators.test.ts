import { describe, expect, test } from 'vitest'
import { SHARD_ITERATOR_MS, STREAM_RETENTION_MS } from '../../../src/dynamodb/limits.js'
import { beginning, keysOf, put, START_MS, type StoreWithClock, shards, storeWithClock } from './read-stream.js'

test('an iterator is valid for 15 minutes and can be used repeatedly', async () => {
  const { store, clock, arn } = await storeWithClock()
  await put(store, 'a')
  const [shard] = await shards(store, arn)
  const iterator = await beginning(store, arn, shard!.ShardId!)
  clock.ms += SHARD_ITERATOR_MS
  expect(keysOf((await store.getRecords({ ShardIterator: iterator })).Records!)).toEqual(['a'])
  expect(keysOf((await store.getRecords({ ShardIterator: iterator })).Records!)).toEqual(['a'])
  clock.ms += 1
  await expect(store.getRecords({ ShardIterator: iterator })).rejects.toMatchObject({
    name: 'ExpiredIteratorException',
    message: 'Shard iterator has expired',
  })
})

test('the validity of a next iterator begins when it is returned', async () => {
  const { store, clock, arn } = await storeWithClock()
  const [shard] = await shards(store, arn)
  const iterator = await beginning(store, arn, shard!.ShardId!)
  clock.ms += SHARD_ITERATOR_MS
  const { NextShardIterator } = await store.getRecords({ ShardIterator: iterator })
  clock.ms += SHARD_ITERATOR_MS
  await put(store, 'a')
  expect(keysOf((await store.getRecords({ ShardIterator: NextShardIterator! })).Records!)).toEqual(['a'])
})

test('a modified iterator is rejected', async () => {
  const { store, arn } = await storeWithClock()
  const [shard] = await shards(store, arn)
  const iterator = await beginning(store, arn, shard!.ShardId!)
  const [, , place] = iterator.split('|')
  const bad = (text: string) => `${arn}|1|${Buffer.from(text).toString('base64')}`
  for (const ShardIterator of [`${arn}|2|${place}`, arn, bad('{'), bad('[1,2,3]'), bad('["x"]'), bad('["x",1,"y"]')])
    await expect(store.getRecords({ ShardIterator })).rejects.toMatchObject({
      name: 'ValidationException',
      message: 'Invalid ShardIterator',
    })
})

test('only a closed shard ends without a next iterator', async () => {
  const { store, arn } = await storeWithClock()
  await put(store, 'a')
  const [shard] = await shards(store, arn)
  const iterator = await beginning(store, arn, shard!.ShardId!)
  expect((await store.getRecords({ ShardIterator: iterator })).NextShardIterator).toBeDefined()
  await store.updateTable({ TableName: 'Orders', StreamSpecification: { StreamEnabled: false } })
  const page = await store.getRecords({ ShardIterator: iterator })
  expect([keysOf(page.Records!), 'NextShardIterator' in page]).toEqual([['a'], false])
  const { ShardIterator: latest } = await store.getShardIterator({
    StreamArn: arn,
    ShardId: shard!.ShardId!,
    ShardIteratorType: 'LATEST',
  })
  expect(await store.getRecords({ ShardIterator: latest! })).toEqual({ Records: [] })
})

describe('iterators by timestamp', () => {
  const types = { ShardIteratorType: 'AT_TIMESTAMP' as const }

  async function readSince(store: StoreWithClock, StreamArn: string, Timestamp: Date) {
    const [shard] = await shards(store, StreamArn)
    const request = { StreamArn, ShardId: shard!.ShardId!, ...types, Timestamp }
    const { ShardIterator } = await store.getShardIterator(request)
    return keysOf((await store.getRecords({ ShardIterator: ShardIterator! })).Records!)
  }

  test('an iterator by timestamp begins with the first record at or after the time', async () => {
    const { store, clock, arn } = await storeWithClock({ streams: { rollAfterMs: Number.POSITIVE_INFINITY } })
    for (const key of ['a', 'b', 'c']) {
      await put(store, key)
      clock.ms += 1000
    }
    expect(await readSince(store, arn, new Date(0))).toEqual(['a', 'b', 'c'])
    expect(await readSince(store, arn, new Date(START_MS + 1000))).toEqual(['b', 'c'])
    expect(await readSince(store, arn, new Date(START_MS + 1001))).toEqual(['c'])
    expect(await readSince(store, arn, new Date(START_MS + 3000))).toEqual([])
    // As it arrives over the wire.
    expect(await readSince(store, arn, (START_MS / 1000 + 0.5) as unknown as Date)).toEqual(['b', 'c'])
    clock.ms += STREAM_RETENTION_MS - 1500
    expect(await readSince(store, arn, new Date(0))).toEqual(['c'])
  })

  test('an iterator by timestamp omits older records whose sequence numbers run ahead of their time', async () => {
    const { store, clock, arn } = await storeWithClock()
    for (let i = 0; i < 1500; i++) await put(store, 'a', i)
    clock.ms += 1
    for (const key of ['b', 'c']) await put(store, key)
    expect(await readSince(store, arn, new Date(START_MS + 1))).toEqual(['b', 'c'])
  })

  test('a timestamp must exist and must not be in the future', async () => {
    const { store, clock, arn } = await storeWithClock()
    const [shard] = await shards(store, arn)
    const request = { StreamArn: arn, ShardId: shard!.ShardId! }
    const refuses = (more: object, detail: string) =>
      expect(store.getShardIterator({ ...request, ShardIteratorType: 'LATEST', ...more })).rejects.toMatchObject({
        message: `One or more parameter values were invalid: ${detail}`,
      })
    await refuses(types, 'Timestamp cannot be null')
    await refuses({ ...types, Timestamp: new Date(clock.ms + 1) }, 'Timestamp cannot be in the future')
    await refuses({ Timestamp: new Date(0) }, 'Timestamp should not be passed for this iterator type')
  })
})
