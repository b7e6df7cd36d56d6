import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChangeRecord } from '../../../src/dynamodb/operation-types.js'
import { type MemoryOptions, memory } from '../../../src/engine/index.js'
import { beginning, put, read, type StoreWithClock, shards, storeWithClock } from './read-stream.js'

const numbersOf = (records: readonly ChangeRecord[]) => records.map(({ dynamodb }) => Number(dynamodb!.NewImage!.n!.N))

async function everything(store: StoreWithClock, arn: string, Limit?: number): Promise<number[]> {
  const records: number[] = []
  for (const shard of await shards(store, arn)) records.push(...numbersOf(await read(store, arn, shard, Limit)))
  return records
}

async function page(store: StoreWithClock, ShardIterator: string, Limit = 1000) {
  const { Records, NextShardIterator } = await store.getRecords({ ShardIterator, Limit })
  return { numbers: numbersOf(Records!), next: NextShardIterator }
}

describe('streams with lag', () => {
  it('a record becomes visible after its delay', async () => {
    const { store, clock, arn } = await storeWithClock({ streams: { lag: 1000 } })
    await put(store, 'a', 1)
    clock.ms += 600
    await put(store, 'a', 2)
    expect(await everything(store, arn)).toEqual([])
    clock.ms += 400
    expect(await everything(store, arn)).toEqual([1])
    clock.ms += 600
    expect(await everything(store, arn)).toEqual([1, 2])
  })

  it('the records of a shard stay in order with any delays', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.array(fc.nat(500), { maxLength: 20 }), async (seed, gapsMs) => {
        const { store, clock, arn } = await storeWithClock({ seed, streams: { lag: { ms: 100, jitterMs: 900 } } })
        const [shard] = await shards(store, arn)
        let iterator = await beginning(store, arn, shard!.ShardId!)
        const numbers: number[] = []
        const readOn = async () => {
          const { numbers: more, next } = await page(store, iterator)
          numbers.push(...more)
          iterator = next!
        }
        for (const [i, gapMs] of gapsMs.entries()) {
          await put(store, `p${i % 3}`, i)
          clock.ms += gapMs
          await readOn()
        }
        clock.ms += 1000
        await readOn()
        expect(numbers).toEqual(gapsMs.map((_, i) => i))
      }),
      { numRuns: 50 },
    )
  })

  it('a closed shard ends only after its last record is visible', async () => {
    const { store, clock, arn } = await storeWithClock({ streams: { lag: 1000 } })
    await put(store, 'a', 1)
    const [shard] = await shards(store, arn)
    const iterator = await beginning(store, arn, shard!.ShardId!)
    await store.updateTable({ TableName: 'Orders', StreamSpecification: { StreamEnabled: false } })
    const early = await page(store, iterator)
    expect(early).toEqual({ numbers: [], next: expect.any(String) })
    clock.ms += 1000
    expect(await page(store, early.next!)).toEqual({ numbers: [1], next: undefined })
  })

  it('an iterator of type LATEST begins with records that are not visible yet', async () => {
    const { store, clock, arn } = await storeWithClock({ streams: { lag: { ms: 1000, jitterMs: 10 } } })
    const [shard] = await shards(store, arn)
    const latest = async () =>
      (await store.getShardIterator({ StreamArn: arn, ShardId: shard!.ShardId!, ShardIteratorType: 'LATEST' }))
        .ShardIterator!
    await put(store, 'a', 1)
    clock.ms += 600
    await put(store, 'a', 2)
    clock.ms += 410
    const iterators = [await latest()]
    clock.ms += 600
    iterators.push(await latest())
    await put(store, 'a', 3)
    clock.ms += 1010
    const numbers = await Promise.all(iterators.map(async iterator => (await page(store, iterator)).numbers))
    expect(numbers).toEqual([[2, 3], [3]])
  })
})

describe('streams with repetitions', () => {
  const repeating = async (options: MemoryOptions, records = 20) => {
    const { store, arn } = await storeWithClock(options)
    for (let i = 0; i < records; i++) await put(store, `p${i % 3}`, i)
    return { store, arn }
  }

  it('an iterator leads back into its page, and no record is read a third time', async () => {
    for (let seed = 0; seed < 50; seed++) {
      const { store, arn } = await repeating({ seed, streams: { repeats: 0.7 } })
      const numbers = await everything(store, arn, 4)
      expect([...new Set(numbers)]).toEqual(Array.from({ length: 20 }, (_, i) => i))
      const times = new Map<number, number>()
      for (const number of numbers) times.set(number, (times.get(number) ?? 0) + 1)
      expect(Math.max(...times.values())).toBe(2)
    }
  })

  it('reading continues in order after each repetition', async () => {
    const { store, arn } = await repeating({ seed: 3, streams: { repeats: 1 } })
    const numbers = await everything(store, arn, 5)
    const steps = numbers.slice(1).map((number, i) => number - numbers[i]!)
    expect(steps.filter(step => step !== 1).length).toBeGreaterThan(1)
    expect(steps.every(step => step === 1 || step <= 0)).toBe(true)
  })

  it('the last record of a closed shard is repeated too', async () => {
    const { store, arn } = await repeating({ streams: { repeats: 1 } }, 1)
    await store.updateTable({ TableName: 'Orders', StreamSpecification: { StreamEnabled: false } })
    expect(await everything(store, arn)).toEqual([0, 0])
  })

  it('repetitions depend on the seed only and are off by default', async () => {
    const trace = async (options: MemoryOptions) => {
      const { store, arn } = await repeating(options)
      return everything(store, arn, 4)
    }
    const repeats = 0.5
    expect(await trace({ seed: 1, streams: { repeats } })).toEqual(await trace({ seed: 1, streams: { repeats } }))
    expect(await trace({ seed: 1, streams: { repeats } })).not.toEqual(await trace({ seed: 2, streams: { repeats } }))
    expect(await trace({ seed: 1 })).toHaveLength(20)
  })

  it('delays and repetitions are independent for each shard', async () => {
    const streams = { shards: 4, splitAfterRecords: 5, lag: { ms: 50, jitterMs: 500 }, repeats: 0.5 }
    const { store, clock, arn } = await storeWithClock({ seed: 9, streams })
    for (let i = 0; i < 60; i++) {
      await put(store, `p${i % 10}`, i)
      clock.ms += 7
    }
    clock.ms += 550
    const numbers = await everything(store, arn, 3)
    expect(new Set(numbers).size).toBe(60)
    expect(numbers.length).toBeGreaterThan(60)
  })

  it('an invalid probability of repetitions is rejected', () => {
    expect(() => memory({ streams: { repeats: 1.1 } })).toThrow(
      new RangeError('streams.repeats: 1.1 is out of range; use a number from 0 to 1.'),
    )
  })
})
