import { expect, test, vi } from 'vitest'
import { STREAM_RETENTION_MS } from '../../../src/dynamodb/limits.js'
import { disk } from '../../../src/engine/disk.js'
import type { Space } from '../../../src/engine/keyvalues/port.js'
import { memory } from '../../../src/engine/memory.js'
import { newEngineStore } from '../../../src/engine/store.js'
import { trimExpiredRecords } from '../../../src/engine/streams/trim-while-idle.js'
import type { StoredItem } from '../../../src/engine/values/stored-item.js'
import { emptyEngine, request } from '../tables.js'
import { beginning, keysOf, put, read, START_MS, shards, storeWithClock } from './read-stream.js'

const BOUND = 64 * 1024

function countOf(space: Space<StoredItem>): number {
  let count = 0
  space.range({ from: '', to: undefined, reverse: false }, () => ++count > 0)
  return count
}

test('the retained records of a stream in memory are limited, and the newest remain', async () => {
  const { store, arn } = await storeWithClock({ streams: { retainedBytes: BOUND } })
  for (let i = 0; i < 1000; i++) await put(store, `key ${i}`)
  const [shard] = await shards(store, arn)
  const left = keysOf(await read(store, arn, shard!))
  expect(left.length).toBeGreaterThan(50)
  expect(left.length).toBeLessThan(130)
  expect(left).toEqual(Array.from({ length: left.length }, (_, i) => `key ${1000 - left.length + i}`))
})

test('the oldest records of all shards are removed first', async () => {
  const { store, arn } = await storeWithClock({ streams: { retainedBytes: BOUND, shards: 4 } })
  for (let i = 0; i < 1000; i++) await put(store, `key ${i}`)
  const found = await Promise.all((await shards(store, arn)).map(shard => read(store, arn, shard)))
  const left = found.flatMap(keysOf).map(key => Number(key!.slice('key '.length)))
  expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: left.length }, (_, i) => 1000 - left.length + i))
})

test('a reader of removed records is refused', async () => {
  const { store, arn } = await storeWithClock({ streams: { retainedBytes: BOUND } })
  await put(store, 'first')
  const [shard] = await shards(store, arn)
  const iterator = await beginning(store, arn, shard!.ShardId!)
  for (let i = 0; i < 200; i++) await put(store, `key ${i}`)
  await expect(store.getRecords({ ShardIterator: iterator })).rejects.toMatchObject({
    name: 'TrimmedDataAccessException',
  })
})

test('without a limit every record stays for 24 hours', async () => {
  const { store, arn } = await storeWithClock({ streams: { retainedBytes: Number.POSITIVE_INFINITY } })
  for (let i = 0; i < 500; i++) await put(store, `key ${i}`)
  const [shard] = await shards(store, arn)
  expect(await read(store, arn, shard!)).toHaveLength(500)
})

test('expired records of a table that is no longer written are removed by the timer, and so are ended streams', async () => {
  const clock = { ms: START_MS }
  const engine = emptyEngine({ now: () => clock.ms })
  const store = newEngineStore(engine)
  await store.createTable(request({ StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } }))
  for (let i = 0; i < 100; i++) await put(store, `key ${i}`)
  const [stream] = engine.streams.values()
  trimExpiredRecords(engine)
  expect(countOf(stream!.space)).toBe(100)
  clock.ms += STREAM_RETENTION_MS
  trimExpiredRecords(engine)
  expect(countOf(stream!.space)).toBe(0)
  await store.deleteTable({ TableName: 'Orders' })
  clock.ms += STREAM_RETENTION_MS
  trimExpiredRecords(engine)
  expect([...engine.streams.values()]).toEqual([])
})

test('a folder on disk retains records for 24 hours and rejects a limit', () => {
  expect(() => disk('/nowhere', { streams: { retainedBytes: BOUND } })).toThrow(
    'disk(): streams.retainedBytes is an option of memory() only; remove it, because a folder retains records for 24 hours.',
  )
})

test.each([0, -1, 1.5, Number.NaN])('a limit of %d bytes is rejected', async retainedBytes => {
  await expect(storeWithClock({ streams: { retainedBytes } })).rejects.toThrow(RangeError)
})

test('a store in memory adds no timer to a fake clock', () => {
  vi.useFakeTimers()
  try {
    memory()
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('a store in memory does not keep the process alive', () => {
  const timersBefore = process.getActiveResourcesInfo().filter(kind => kind === 'Timeout')
  memory()
  expect(process.getActiveResourcesInfo().filter(kind => kind === 'Timeout')).toEqual(timersBefore)
})
