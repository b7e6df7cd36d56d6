import { describe, expect, it } from 'vitest'
import { type Lease, leaseSortKeyOf } from '../../../src/derive/follow/lease.js'
import { selectLeasesToTake } from '../../../src/derive/follow/shard-assignment.js'
import { createTable, ledgerItems, names, noting, scene, TABLE } from './follower-fixture.js'

/** Longer than any lease, and short enough for a fast test. */
const WHILE_MS = 120_000

describe('followers of one group', () => {
  it('share the shards evenly and handle every record once', async () => {
    const { write, follow, time } = await scene({ shards: 8 })
    const one = noting()
    const other = noting()
    const first = await follow(one)
    await time.pass(1000)
    expect(first.stats().shards).toBe(8)
    const second = await follow(other)
    await time.pass(WHILE_MS)
    expect([first.stats().shards, second.stats().shards]).toEqual([4, 4])
    await write(...names(50))
    await time.until(Promise.all([first.settled(), second.settled()]))
    expect([...one.seen, ...other.seen].sort()).toEqual(names(50).sort())
    expect(one.seen.length).toBeGreaterThan(0)
    expect(other.seen.length).toBeGreaterThan(0)
    await first.stop()
    await time.pass(WHILE_MS)
    expect(second.stats().shards).toBe(8)
    await second.stop()
  })

  it('take over the shards of a crashed follower at its checkpoint when its leases expire', async () => {
    const { write, follow, time } = await scene({ shards: 4 })
    await write(...names(20))
    const crashed = noting()
    let isGone = false
    const never = () => new Promise<void>(() => undefined)
    const first = await follow(crashed, { sleep: (ms, signal) => (isGone ? never() : time.sleep(ms, signal)) })
    await time.until(first.settled())
    // The process has crashed without releasing its leases.
    isGone = true
    crashed.before = never
    await write(...names(20, 'b'))
    await time.pass(25_000)
    const consumer = noting()
    const second = await follow(consumer)
    await time.pass(1000)
    expect(second.stats().shards).toBe(1)
    await time.pass(WHILE_MS)
    expect(second.stats().shards).toBe(4)
    expect(crashed.seen.sort()).toEqual(names(20).sort())
    expect(consumer.seen.sort()).toEqual(names(20, 'b').sort())
    await second.stop()
  })

  it('in different groups each handle every record', async () => {
    const { write, follow, time } = await scene({ shards: 2 })
    const one = noting()
    const other = noting()
    const first = await follow(one)
    const second = await follow(other, { group: 'feed' })
    await write(...names(10))
    await time.until(Promise.all([first.settled(), second.settled()]))
    expect(one.seen).toHaveLength(10)
    expect(other.seen).toHaveLength(10)
    await Promise.all([first.stop(), second.stop()])
  })

  it('wait for each other in settled()', async () => {
    const { write, follow, time } = await scene({ shards: 4 })
    const one = noting()
    const other = noting()
    const first = await follow(one)
    const second = await follow(other)
    await time.pass(WHILE_MS)
    await write(...names(40))
    await time.until(first.settled())
    expect(one.seen.length + other.seen.length).toBe(40)
    await Promise.all([first.stop(), second.stop()])
  })
})

describe('followers of two tables', () => {
  const OTHER = 'other-things'
  const shared = { consumers: 'shared', create: true }

  it("cannot share a group, because each would skip the other's records", async () => {
    const { follow, time, store } = await scene()
    await createTable(store, OTHER)
    const first = await follow(noting(), shared)
    await time.until(first.settled())
    await expect(follow(noting(), { ...shared, table: OTHER })).rejects.toMatchObject({
      code: 'call.argument',
      message: `group 'derived' in 'shared': it belongs to followers of '${TABLE}'; follow '${OTHER}' with another 'group' or another 'consumers' table.`,
    })
    const second = await follow(noting(), { ...shared, table: OTHER, group: 'others' })
    await time.until(second.settled())
    await Promise.all([first.stop(), second.stop()])
  })

  it('the later of two followers that start at the same moment on two tables fails with the reason', async () => {
    const { write, follow, time, store } = await scene()
    await createTable(store, OTHER)
    await write(...names(3))
    await store.putItem({ TableName: OTHER, Item: { PK: { S: 'b' }, SK: { S: '-' } } })
    const [one, other] = [noting(), noting()]
    const [first, second] = await Promise.all([follow(one, shared), follow(other, { ...shared, table: OTHER })])
    await time.pass(WHILE_MS)
    const told = [first, second].map(({ events }) =>
      events.flatMap(event => (event.kind === 'error' ? [(event.error as { code?: string }).code] : [])),
    )
    expect(told.map(errors => new Set(errors)).filter(({ size }) => size > 0)).toEqual([new Set(['call.argument'])])
    expect([one.seen, other.seen].filter(({ length }) => length > 0)).toHaveLength(1)
    await Promise.all([first.stop(), second.stop()])
  })
})

describe('a follower that was suspended for a while', () => {
  it('cannot move the checkpoint of a shard that another follower has taken, and releases the shard', async () => {
    const { write, follow, time, store } = await scene()
    const paused = noting()
    let resume = () => {}
    paused.before = () =>
      new Promise(resolve => {
        resume = resolve
      })
    await write('a')
    const first = await follow(paused, { name: 'first' })
    await time.idle()
    const [lease] = await ledgerItems(store)
    // The follower sends no heartbeat while the time of the other one passes.
    time.jump(31_000)
    const consumer = noting()
    const second = await follow(consumer, { name: 'second' })
    await time.until(second.settled())
    await write('b')
    await time.until(second.settled())
    const taken = (await ledgerItems(store)).find(({ SK }) => SK?.S === lease?.SK?.S)
    expect(Number(taken?.counter?.N)).toBe(Number(lease?.counter?.N) + 1)
    expect(taken?.owner?.S).toBe('second')
    resume()
    await time.idle()
    expect(first.events).toContainEqual({ kind: 'shard', shard: lease?.shard?.S, state: 'lost' })
    const after = (await ledgerItems(store)).find(({ SK }) => SK?.S === lease?.SK?.S)
    expect(after?.after).toEqual(taken?.after)
    expect(after?.owner?.S).toBe('second')
    await Promise.all([first.stop(), second.stop()])
  })
})

describe('the share of a follower', () => {
  const lease = (shard: string, owner: string | undefined, untilMs = 100): Lease => ({
    stream: 'arn/one',
    shard,
    owner,
    counter: 1,
    untilMs,
    after: undefined,
    throughMs: 0,
    done: false,
  })
  const me = { name: 'me', held: new Set<string>(), nowMs: 50, random: () => 0 }
  const taken = (leases: readonly Lease[], standing = me) =>
    selectLeasesToTake(leases, standing).map(({ shard }) => shard)

  it('a follower without others takes all shards', () => {
    expect(taken([lease('a', undefined), lease('b', ''), lease('c', 'gone', 10)])).toEqual(['a', 'b', 'c'])
  })

  it('leaves the shards of other followers that do not exceed their share', () => {
    expect(taken([lease('a', 'other'), lease('b', undefined), lease('c', undefined)])).toEqual(['b', 'c'])
    expect(taken([lease('a', 'other')])).toEqual([])
  })

  it('grows by one shard at a time from a follower that exceeds its share', () => {
    expect(taken([lease('a', 'other'), lease('b', 'other'), lease('c', 'third')])).toEqual(['a'])
    expect(taken([lease('a', 'other'), lease('b', 'other')])).toEqual(['a'])
  })

  it('contains at once the shards of a crashed follower with the same name', () => {
    expect(taken([lease('a', 'me')])).toEqual(['a'])
  })

  it('distinguishes shards of the same name in different streams', () => {
    expect(leaseSortKeyOf({ stream: 'arn:aws:x/stream/2026', shard: 's1' })).toBe('lease#2026#s1')
  })
})
