import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { ledgerItems, names, noting, scene, TABLE } from './follower-fixture.js'

const DAY_MS = 24 * 3600 * 1000

describe('a follower', () => {
  it('handles every record of the stream in order, and settled() resolves when all are handled', async () => {
    const { write, follow, time } = await scene()
    await write('a', 'b')
    const consumer = noting()
    const follower = await follow(consumer)
    await time.until(follower.settled())
    expect(consumer.seen).toEqual(['a', 'b'])
    await write('c', 'd')
    await time.until(follower.settled())
    expect(consumer.seen).toEqual(['a', 'b', 'c', 'd'])
    expect(follower.stats()).toMatchObject({ applied: 4, failed: 0, deadLettered: 0, shards: 1, lagMs: 0, gaps: [] })
    await follower.stop()
    expect(follower.stats().shards).toBe(0)
  })

  it('handles new writes without a wake', async () => {
    const { write, follow, time } = await scene()
    const consumer = noting()
    const follower = await follow(consumer, { pollMs: 1000 })
    await time.pass(5000)
    await write('a')
    await time.pass(1000)
    expect(consumer.seen).toEqual(['a'])
    await follower.stop()
  })

  it('resumes at its checkpoint after a restart', async () => {
    const { write, follow, time } = await scene()
    await write('a')
    const first = await follow(noting())
    await time.until(first.settled())
    await first.stop()
    await write('b')
    const consumer = noting()
    const second = await follow(consumer)
    await time.until(second.settled())
    expect(consumer.seen).toEqual(['b'])
    await second.stop()
  })

  it('releases its shards when it is stopped, so that another follower need not wait', async () => {
    const { write, follow, time } = await scene()
    await write('a')
    const first = await follow(noting(), { name: 'first' })
    await time.until(first.settled())
    await first.stop()
    await write('b')
    const stoppedMs = time.clock()
    const consumer = noting()
    const second = await follow(consumer, { name: 'second', pollMs: 1000 })
    await time.until(second.settled())
    expect(consumer.seen).toEqual(['b'])
    expect(time.clock() - stoppedMs).toBeLessThan(10_000)
    await second.stop()
  })

  it('finds all shards and leases if they are returned in pages', async () => {
    const { write, follow, time, store } = await scene({ splitAfterRecords: 3 })
    const { describeStream, query } = store
    Object.assign(store, {
      describeStream: (request: Parameters<typeof describeStream>[0]) => describeStream({ ...request, Limit: 1 }),
      query: (request: Parameters<typeof query>[0]) => query({ ...request, Limit: 1 }),
    })
    await write(...names(20))
    for (const [expected, more] of [
      [names(20), names(10, 'b')],
      [names(10, 'b'), []],
    ] as const) {
      const consumer = noting()
      const follower = await follow(consumer)
      await time.until(follower.settled())
      expect(consumer.seen.toSorted()).toEqual(expected.toSorted())
      await follower.stop()
      await write(...more)
    }
  })

  it('reads a shard only after its parent, so that changes of an item stay in order', async () => {
    const { write, follow, time, store } = await scene({ splitAfterRecords: 3 })
    const all = names(40, 'x')
    for (let round = 0; round < 3; round++) await write(...all)
    const consumer = noting()
    const follower = await follow(consumer, { batchSize: 2 })
    await time.until(follower.settled())
    expect(consumer.seen).toHaveLength(120)
    const { LatestStreamArn } = (await store.describeTable({ TableName: TABLE })).Table!
    const { StreamDescription } = await store.describeStream({ StreamArn: LatestStreamArn! })
    expect(StreamDescription!.Shards!.length).toBeGreaterThan(20)
    const order = new Map(StreamDescription!.Shards!.map(({ ShardId, ParentShardId }) => [ShardId, ParentShardId]))
    const ends = follower.events.flatMap(event => (event.kind === 'shard' ? [`${event.state} ${event.shard}`] : []))
    for (const [shard, parent] of order)
      if (parent) expect(ends.indexOf(`done ${parent}`)).toBeLessThan(ends.indexOf(`taken ${shard}`))
    await follower.stop()
  })

  it('removes the leases of trimmed shards that were read', async () => {
    const { write, follow, time, store } = await scene({ splitAfterRecords: 2 })
    await write(...names(20))
    const follower = await follow(noting(), { pollMs: DAY_MS / 8, leaseMs: DAY_MS / 4 })
    await time.until(follower.settled())
    const before = (await ledgerItems(store)).length
    await time.pass(DAY_MS)
    await write('z')
    await time.pass(DAY_MS / 8)
    await time.until(follower.settled())
    const { LatestStreamArn } = (await store.describeTable({ TableName: TABLE })).Table!
    const { StreamDescription } = await store.describeStream({ StreamArn: LatestStreamArn! })
    const there = StreamDescription!.Shards!.map(({ ShardId }) => ShardId)
    const leases = (await ledgerItems(store)).flatMap(({ shard }) => shard?.S ?? [])
    expect(leases.length).toBeLessThan(before - 1)
    expect(leases.filter(shard => !there.includes(shard))).toEqual([])
    expect(follower.stats().gaps).toEqual([])
    await follower.stop()
  })

  it('waits in settled() for derived writes of the records too', async () => {
    const { write, follow, time } = await scene({ shards: 8 })
    const consumer = noting()
    const { handle } = consumer
    consumer.handle = async records => {
      const handled = await handle(records)
      for (const { dynamodb } of records) {
        const name = dynamodb?.Keys?.PK?.S ?? ''
        if (name.length < 4) await write(`${name}+`)
      }
      return handled
    }
    const follower = await follow(consumer)
    await time.until(follower.settled())
    await write(...names(8))
    await time.until(follower.settled())
    for (const name of names(8)) expect(consumer.seen).toContain(`${name}++`)
    await follower.stop()
  })

  it('reports its lag as the age of the current record', async () => {
    const { write, follow, time } = await scene()
    await write('a')
    await time.pass(60_000)
    const consumer = noting()
    let release = () => {}
    consumer.before = () =>
      new Promise<void>(resolve => {
        release = resolve
      })
    const follower = await follow(consumer)
    await time.pass(10_000)
    expect(follower.stats().lagMs).toBe(70_000)
    release()
    await time.idle()
    expect(follower.stats().lagMs).toBe(0)
    await follower.stop()
  })

  it('stops when its signal is aborted, and then settled() rejects', async () => {
    const { follow, time, write } = await scene()
    const controller = new AbortController()
    const consumer = noting()
    consumer.fails = () => new Error('never')
    await write('a')
    const follower = await follow(consumer, { signal: controller.signal, attempts: 1000 })
    await time.pass(1000)
    const settled = follower.settled()
    settled.catch(() => undefined)
    controller.abort()
    await time.idle()
    await expect(settled).rejects.toThrow('stopped before all records were handled')
    expect(follower.stats().shards).toBe(0)
  })

  it('removes its abort listener when it is stopped', async () => {
    const { follow } = await scene()
    const { signal } = new AbortController()
    const follower = await follow(noting(), { signal })
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    await follower.stop()
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('does not start if its signal is aborted during the start', async () => {
    const { follow, time, write } = await scene()
    const controller = new AbortController()
    const consumer = noting()
    await write('a')
    const starting = follow(consumer, { signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(starting).rejects.toThrow('enough')
    await time.pass(10_000)
    expect(consumer.seen).toEqual([])
  })

  it('rejects a table without a stream of both images, and a store without streams', async () => {
    const { follow, store } = await scene()
    await store.updateTable({ TableName: TABLE, StreamSpecification: { StreamEnabled: false } })
    await expect(follow(noting())).rejects.toMatchObject({ code: 'follow.stream' })
    await store.updateTable({
      TableName: TABLE,
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
    })
    await expect(follow(noting())).rejects.toMatchObject({ code: 'follow.stream' })
  })

  it("creates the checkpoint table only with 'create', except on an embedded store", async () => {
    const { follow } = await scene()
    await expect(follow(noting(), { create: false })).rejects.toMatchObject({ code: 'table.absent' })
    const follower = await follow(noting(), { consumers: 'other' })
    await follower.stop()
  })
})
