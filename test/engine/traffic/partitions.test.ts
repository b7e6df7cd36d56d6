import { describe, expect, it } from 'vitest'
import { PARTITION_READ_UNITS, PARTITION_WRITE_UNITS } from '../../../src/dynamodb/limits.js'
import { PartitionBuckets } from '../../../src/engine/traffic/partition-buckets.js'
import { get, INDEX_ARN, put, storeWithClock, TABLE_ARN, table, untilThrottled } from './store-with-clock.js'

describe('limits of one partition', () => {
  it('a partition accepts 1,000 write units per second independently of others', async () => {
    const { clock, store } = await storeWithClock(table())
    clock.ms += 60_000
    expect(await untilThrottled(() => put(store, 'hot'))).toBe(PARTITION_WRITE_UNITS)
    await expect(put(store, 'hot')).rejects.toMatchObject({
      name: 'ThrottlingException',
      throttlingReasons: [{ reason: 'TableWriteKeyRangeThroughputExceeded', resource: TABLE_ARN }],
    })
    await put(store, 'cold')
    clock.ms += 500
    expect(await untilThrottled(() => put(store, 'hot'))).toBe(PARTITION_WRITE_UNITS / 2)
  })

  it('a partition accepts 3,000 read units per second', async () => {
    const { store } = await storeWithClock(table())
    expect(await untilThrottled(() => get(store, 'hot'))).toBe(PARTITION_READ_UNITS)
    await expect(get(store, 'hot')).rejects.toMatchObject({
      throttlingReasons: [{ reason: 'TableReadKeyRangeThroughputExceeded', resource: TABLE_ARN }],
    })
  })

  it('all items with the same index key share the limit of the index partition', async () => {
    const { store } = await storeWithClock(table(), { throttle: { partitionWriteUnits: 3 } })
    expect(await untilThrottled(i => put(store, `p${i}`, { color: 'red' }))).toBe(3)
    await expect(put(store, 'x', { color: 'red' })).rejects.toMatchObject({
      throttlingReasons: [{ reason: 'IndexWriteKeyRangeThroughputExceeded', resource: INDEX_ARN }],
    })
    await put(store, 'x', { color: 'blue' })
  })

  it('idle partitions are forgotten', () => {
    const partitions = new PartitionBuckets({ unitsPerSecond: 10, burstSeconds: 1 })
    const bucketCount = () => (partitions as unknown as { buckets: Map<string, unknown> }).buckets.size
    for (let i = 0; i < 100_000; i++) partitions.take(`p${i}`, 1, i)
    expect(bucketCount()).toBeLessThan(11_000)
    expect(partitions.hasAny('p99999', 100_000)).toBe(true)
  })
})
