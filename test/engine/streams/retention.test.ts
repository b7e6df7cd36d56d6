import { expect, test } from 'vitest'
import { SHARD_ITERATOR_MS, STREAM_RETENTION_MS } from '../../../src/dynamodb/limits.js'
import type { Space } from '../../../src/engine/keyvalues/port.js'
import { newEngineStore } from '../../../src/engine/store.js'
import type { StoredItem } from '../../../src/engine/values/stored-item.js'
import { emptyEngine, request } from '../tables.js'
import { beginning, HOUR_MS, keysOf, MINUTE_MS, put, read, START_MS, shards, storeWithClock } from './read-stream.js'

const TRIMMED = {
  name: 'TrimmedDataAccessException',
  message: 'The data you are trying to access has been trimmed',
}

test('records can be read for 24 hours', async () => {
  const { store, clock, arn } = await storeWithClock({ streams: { rollAfterMs: Number.POSITIVE_INFINITY } })
  await put(store, 'old')
  clock.ms += HOUR_MS
  await put(store, 'new')
  const [shard] = await shards(store, arn)
  clock.ms += STREAM_RETENTION_MS - HOUR_MS - 1
  expect(keysOf(await read(store, arn, shard!))).toEqual(['old', 'new'])
  clock.ms += 1
  expect(keysOf(await read(store, arn, shard!))).toEqual(['new'])
  // A write removes expired records.
  clock.ms += MINUTE_MS
  await put(store, 'newest')
  expect(keysOf(await read(store, arn, shard!))).toEqual(['new', 'newest'])
})

test.each([0, MINUTE_MS])('a reader cannot continue from a record that was trimmed %i ms ago', async agoMs => {
  const { store, clock, arn } = await storeWithClock({ streams: { rollAfterMs: Number.POSITIVE_INFINITY } })
  for (const key of ['older', 'old']) await put(store, key)
  const [shard] = await shards(store, arn)
  const [older, old] = await read(store, arn, shard!)
  clock.ms += STREAM_RETENTION_MS - SHARD_ITERATOR_MS / 2
  await put(store, 'new')
  const iterator = await beginning(store, arn, shard!.ShardId!)
  clock.ms += SHARD_ITERATOR_MS / 2 + agoMs
  if (agoMs > 0) await put(store, 'newest')
  await expect(store.getRecords({ ShardIterator: iterator })).rejects.toMatchObject(TRIMMED)
  for (const { dynamodb } of [older!, old!])
    for (const ShardIteratorType of ['AT_SEQUENCE_NUMBER', 'AFTER_SEQUENCE_NUMBER'] as const)
      await expect(
        store.getShardIterator({
          StreamArn: arn,
          ShardId: shard!.ShardId!,
          ShardIteratorType,
          SequenceNumber: dynamodb!.SequenceNumber,
        }),
      ).rejects.toMatchObject(TRIMMED)
})

test('a closed shard is removed after 24 hours, and its children remain', async () => {
  const { store, clock, arn } = await storeWithClock({ streams: { rollAfterMs: HOUR_MS } })
  await put(store, 'a')
  clock.ms += HOUR_MS
  await put(store, 'a', 1)
  const [parent, child] = await shards(store, arn)
  expect(child!.ParentShardId).toBe(parent!.ShardId)
  clock.ms += STREAM_RETENTION_MS - 1
  expect((await shards(store, arn)).length).toBe(2)
  clock.ms += 1
  expect(await shards(store, arn)).toEqual([child])
  await expect(beginning(store, arn, parent!.ShardId!)).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
    message: 'Requested resource not found: Shard does not exist',
  })
})

test('a disabled stream, or that of a deleted table, is removed after 24 hours', async () => {
  const { store, clock, arn } = await storeWithClock()
  await put(store, 'a')
  await store.deleteTable({ TableName: 'Orders' })
  clock.ms += STREAM_RETENTION_MS - 1
  const [shard] = await shards(store, arn)
  expect((await store.listStreams({})).Streams!.length).toBe(1)
  expect(keysOf(await read(store, arn, shard!))).toEqual(['a'])
  clock.ms += 1
  expect((await store.listStreams({})).Streams).toEqual([])
  await expect(store.describeStream({ StreamArn: arn })).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
})

/** Counts the records that are visited from now on. */
function countVisits(space: Space<StoredItem>): { count: number } {
  const seen = { count: 0 }
  const range = space.range.bind(space)
  space.range = (of, visit) =>
    range(of, (value, key) => {
      seen.count++
      return visit(value, key)
    })
  return seen
}

test('the oldest readable record is found without visiting each expired record', async () => {
  const clock = { ms: START_MS }
  const engine = emptyEngine({ now: () => clock.ms, streams: { rollAfterMs: Number.POSITIVE_INFINITY } })
  const store = newEngineStore(engine)
  await store.createTable(request({ StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } }))
  const [stream] = engine.streams.values()
  const StreamArn = (await store.listStreams({})).Streams![0]!.StreamArn!
  for (let i = 0; i < 100; i++) await put(store, 'old', i)
  clock.ms += STREAM_RETENTION_MS - MINUTE_MS
  // This write removes expired records, but this one is not expired yet.
  await put(store, 'kept')
  clock.ms += 2 * MINUTE_MS
  const seen = countVisits(stream!.space)
  const [shard] = await shards(store, StreamArn)
  expect(keysOf(await read(store, StreamArn, shard!))).toEqual(['kept'])
  expect(seen.count).toBeLessThan(10)
  clock.ms += STREAM_RETENTION_MS
  const iterator = await beginning(store, StreamArn, shard!.ShardId!)
  // Even if the clock is set back far, the next record is readable.
  clock.ms -= 10 * STREAM_RETENTION_MS
  await put(store, 'next')
  const { Records } = await store.getRecords({ ShardIterator: iterator })
  expect(keysOf(Records!)).toEqual(['next'])
})

test('many expired records are removed in batches, so that no write waits for all', async () => {
  const clock = { ms: START_MS }
  const engine = emptyEngine({ now: () => clock.ms, streams: { rollAfterMs: HOUR_MS } })
  const store = newEngineStore(engine)
  await store.createTable(request({ StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } }))
  const [stream] = engine.streams.values()
  const kept = () => {
    let count = 0
    stream!.space.range({ from: '', to: undefined, reverse: false }, () => ++count > 0)
    return [count, stream!.shards.length]
  }
  for (let i = 0; i < 20_500; i++) {
    // In three shards; the last one stays open.
    if (i % 7000 === 6999) clock.ms += HOUR_MS
    await put(store, 'old', i)
  }
  expect(kept()).toEqual([20_500, 3])
  clock.ms += 2 * STREAM_RETENTION_MS
  const left: number[][] = []
  for (let i = 0; i < 4; i++) {
    await put(store, 'new', i)
    left.push(kept())
  }
  // The shard that was open until now remains, although it is empty.
  expect(left).toEqual([
    [10_501, 4],
    [502, 4],
    [3, 2],
    [4, 2],
  ])
})

test('a stream that is enabled again within a millisecond is a different stream', async () => {
  const { store, arn } = await storeWithClock()
  await put(store, 'a')
  await store.updateTable({ TableName: 'Orders', StreamSpecification: { StreamEnabled: false } })
  await store.updateTable({
    TableName: 'Orders',
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
  })
  await put(store, 'b')
  const { LatestStreamArn: next } = (await store.describeTable({ TableName: 'Orders' })).Table!
  expect(next).not.toBe(arn)
  for (const [of, keys] of [
    [arn, ['a']],
    [next!, ['b']],
  ] as const) {
    const [shard] = await shards(store, of)
    expect(keysOf(await read(store, of, shard!))).toEqual(keys)
  }
})

test('the storage of an unreadable stream is released', async () => {
  const clock = { ms: START_MS }
  const engine = emptyEngine({ now: () => clock.ms })
  const store = newEngineStore(engine)
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' as const }
  await store.createTable(request({ StreamSpecification }))
  await put(store, 'a')
  const [stream] = engine.streams.values()
  const spaceName = `${stream!.table.id}/stream/${stream!.label}`
  const isKept = () => {
    let kept = false
    engine.keyValues.space(spaceName).range({ from: '', to: undefined, reverse: false }, () => {
      kept = true
      return false
    })
    return kept
  }
  await store.updateTable({ TableName: 'Orders', StreamSpecification: { StreamEnabled: false } })
  clock.ms += STREAM_RETENTION_MS - 1
  await store.updateTable({ TableName: 'Orders', StreamSpecification })
  expect([engine.streams.size, isKept()]).toEqual([2, true])
  await store.updateTable({ TableName: 'Orders', StreamSpecification: { StreamEnabled: false } })
  clock.ms += 1
  await store.updateTable({ TableName: 'Orders', StreamSpecification })
  expect([engine.streams.size, isKept()]).toEqual([2, false])
})
