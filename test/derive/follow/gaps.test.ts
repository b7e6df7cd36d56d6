import { describe, expect, it } from 'vitest'
import type { Gap } from '../../../src/derive/follow/gap.js'
import { ledgerItems, noting, type Scene, scene, TABLE } from './follower-fixture.js'

const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * HOUR_MS
/** Long rounds and polls, so that a test in which days pass remains fast. */
const SLOW = { pollMs: HOUR_MS, leaseMs: 3 * HOUR_MS }

async function followed({ follow, time }: Scene) {
  const follower = await follow(noting(), SLOW)
  await time.until(follower.settled())
  await follower.stop()
}

describe('a gap', () => {
  it('a gap is found after the follower was off for over a day, and is reported, healed and closed', async () => {
    const made = await scene()
    const { write, follow, time, store } = made
    await write('a')
    await followed(made)
    const stoppedMs = time.clock()
    await write('b')
    await time.pass(DAY_MS + 2 * HOUR_MS)
    await write('c')
    const told: Gap[] = []
    const healed: Gap[] = []
    const consumer = noting()
    const follower = await follow(consumer, {
      ...SLOW,
      onGap: gap => told.push(gap),
      heal: async gap => void healed.push(gap),
    })
    await time.until(follower.settled())
    expect(consumer.seen).toEqual(['c'])
    expect(told).toHaveLength(1)
    expect(told[0]).toMatchObject({ reason: 'trimmed', sinceMs: stoppedMs })
    expect(healed).toEqual(told)
    await time.pass(2 * HOUR_MS)
    expect(follower.stats().gaps).toEqual([])
    expect((await ledgerItems(store)).filter(({ SK }) => SK?.S?.startsWith('gap'))).toEqual([])
    await follower.stop()
  })

  it('a gap is found for every shard, also if all have the same checkpoint time', async () => {
    const made = await scene({ shards: 3 })
    const { write, follow, time } = made
    await write('a')
    await followed(made)
    await write('b')
    await time.pass(DAY_MS + 2 * HOUR_MS)
    const told: Gap[] = []
    const follower = await follow(noting(), { ...SLOW, onGap: gap => told.push(gap) })
    await time.until(follower.settled())
    expect(new Set(told.map(({ sinceMs }) => sinceMs)).size).toBe(1)
    expect(new Set(told.flatMap(({ shards }) => shards)).size).toBe(3)
    await follower.stop()
  })

  it.each(['trimmed', 'late'])('a gap is reported if the response to its write was lost: %s', async reason => {
    const made = await scene()
    const { write, follow, time, store } = made
    if (reason === 'trimmed') await followed(made)
    await write('a')
    await time.pass(DAY_MS + HOUR_MS)
    const { updateItem } = store
    let lost = 0
    store.updateItem = async (request, options) => {
      const answer = await updateItem.call(store, request, options)
      if (!request.Key?.SK?.S?.startsWith('gap#') || lost++ > 0) return answer
      throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
    }
    const told: Gap[] = []
    const follower = await follow(noting(), { ...SLOW, onGap: gap => told.push(gap) })
    await time.until(follower.settled())
    expect(lost).toBeGreaterThan(0)
    expect(told.map(gap => gap.reason)).toEqual([reason])
    expect(follower.events.filter(({ kind }) => kind === 'gap')).toHaveLength(1)
    expect(follower.stats().gaps).toMatchObject([{ reason }])
    await follower.stop()
  })

  it.each([
    () => {
      throw new Error('nobody is there')
    },
    () => Promise.reject(new Error('nobody is there')),
  ])('does not stop the reader if onGap throws or rejects, and the listener gets the error', async onGap => {
    const made = await scene()
    const { write, follow, time } = made
    await followed(made)
    await write('a')
    await time.pass(DAY_MS + HOUR_MS)
    await write('b')
    const consumer = noting()
    const follower = await follow(consumer, { ...SLOW, onGap })
    await time.until(follower.settled())
    expect(consumer.seen).toEqual(['b'])
    const errors = follower.events.flatMap(event => (event.kind === 'error' ? [`${event.error}`] : []))
    expect(errors).toEqual(['Error: nobody is there'])
    await follower.stop()
  })

  it('stays open until a follower heals it, also after a crash', async () => {
    const made = await scene()
    const { write, follow, time } = made
    await followed(made)
    await write('a')
    await time.pass(DAY_MS + HOUR_MS)
    const first = await follow(noting(), SLOW)
    await time.until(first.settled())
    expect(first.stats().gaps).toMatchObject([{ reason: 'trimmed' }])
    expect(first.events.some(({ kind }) => kind === 'gap')).toBe(true)
    await first.stop()
    let attempts = 0
    const heal = async () => {
      if (attempts++ === 0) throw new Error('not now')
    }
    const second = await follow(noting(), { ...SLOW, heal })
    await time.pass(10 * HOUR_MS)
    expect(attempts).toBe(2)
    expect(second.stats().gaps).toEqual([])
    await second.stop()
  })

  it.each(['trimmed', 'replaced'])(
    'a gap is healed before settled() resolves, also if it is found meanwhile: %s',
    async reason => {
      const { write, follow, time, store } = await scene()
      const healed: string[] = []
      const heal = async (gap: Gap) => {
        await time.sleep(1000)
        healed.push(gap.reason)
      }
      const follower = await follow(noting(), { ...SLOW, heal })
      await time.until(follower.settled())
      if (reason === 'replaced') {
        const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const
        await store.updateTable({ TableName: TABLE, StreamSpecification: { StreamEnabled: false } })
        await write('missed')
        await store.updateTable({ TableName: TABLE, StreamSpecification })
      } else {
        await write('missed')
        time.jump(DAY_MS + HOUR_MS)
      }
      await time.until(follower.settled())
      expect(healed).toEqual([reason])
      expect(follower.stats().gaps).toEqual([])
      await follower.stop()
    },
  )

  it('a gap is healed again soon after a failure, before its claim expires', async () => {
    const made = await scene()
    const { write, follow, time } = made
    await followed(made)
    await write('a')
    await time.pass(DAY_MS + HOUR_MS)
    let attempts = 0
    const heal = async () => {
      if (attempts++ < 3) throw new Error('not now')
    }
    const follower = await follow(noting(), { ...SLOW, heal })
    const beganMs = time.clock()
    await time.until(follower.settled())
    expect(attempts).toBe(4)
    expect(time.clock() - beganMs).toBeLessThan(60_000)
    expect(follower.stats().gaps).toEqual([])
    await follower.stop()
  })

  it('a follower that stops after a failed repair releases the gap at once', async () => {
    const made = await scene()
    const { write, follow, time } = made
    await followed(made)
    await write('a')
    await time.pass(DAY_MS + HOUR_MS)
    const first = await follow(noting(), { ...SLOW, heal: () => Promise.reject(new Error('never')) })
    await time.pass(1000)
    await first.stop()
    const beganMs = time.clock()
    const second = await follow(noting(), { ...SLOW, heal: async () => undefined })
    await time.until(second.settled())
    expect(time.clock() - beganMs).toBeLessThan(60_000)
    await second.stop()
  })

  it('a gap is healed at once by a follower with the name of the one that crashed during the repair', async () => {
    const made = await scene()
    const { write, follow, time, store } = made
    await followed(made)
    await write('a')
    await time.pass(DAY_MS + HOUR_MS)
    const named = { ...SLOW, name: 'embedded' }
    const first = await follow(noting(), { ...named, heal: () => new Promise(() => undefined) })
    await time.pass(1000)
    expect(first.stats().gaps).toHaveLength(1)
    const [gap] = first.stats().gaps
    const healed: Gap[] = []
    const heal = async (each: Gap) => void healed.push(each)
    const other = await follow(noting(), { ...SLOW, name: 'other', heal })
    await time.pass(1000)
    expect(healed).toEqual([])
    const second = await follow(noting(), { ...named, heal })
    await time.pass(1000)
    expect(healed[0]).toMatchObject({ reason: 'trimmed', sinceMs: gap!.sinceMs, shards: gap!.shards })
    expect((await ledgerItems(store)).filter(({ SK }) => SK?.S?.startsWith('gap'))).toEqual([])
    for (const each of [other, second]) await each.stop()
  })

  it('no gap is reported after days without writes, if a follower was alive', async () => {
    const made = await scene()
    const { write, follow, time } = made
    await write('a')
    const consumer = noting()
    const follower = await follow(consumer, SLOW)
    await time.pass(3 * DAY_MS)
    await write('b')
    await time.until(follower.settled())
    await follower.stop()
    const again = await follow(consumer, SLOW)
    await time.until(again.settled())
    expect(consumer.seen).toEqual(['a', 'b'])
    expect([...follower.events, ...again.events].filter(({ kind }) => kind === 'gap' || kind === 'error')).toEqual([])
    await again.stop()
  })

  it('a gap is opened when a stream is replaced, and the last records of the old stream are read', async () => {
    const made = await scene()
    const { write, follow, time, store } = made
    await write('a')
    await followed(made)
    await write('b')
    const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const
    await store.updateTable({ TableName: TABLE, StreamSpecification: { StreamEnabled: false } })
    await write('missed')
    await time.pass(1000)
    await store.updateTable({ TableName: TABLE, StreamSpecification })
    await write('c')
    const consumer = noting()
    const follower = await follow(consumer, SLOW)
    await time.until(follower.settled())
    expect(consumer.seen.sort()).toEqual(['b', 'c'])
    expect(follower.stats().gaps).toMatchObject([{ reason: 'replaced', shards: [] }])
    await follower.stop()
  })

  it('a gap is opened by a stream that was not followed for its first day', async () => {
    const made = await scene()
    const { write, follow, time } = made
    const createdMs = time.clock()
    await write('a')
    await time.pass(DAY_MS + HOUR_MS)
    const follower = await follow(noting(), SLOW)
    await time.until(follower.settled())
    expect(follower.stats().gaps).toMatchObject([{ reason: 'late', sinceMs: createdMs }])
    await follower.stop()
  })

  it('a gap is reported while the stream is disabled', async () => {
    const { follow, time, store } = await scene()
    const follower = await follow(noting(), SLOW)
    await time.until(follower.settled())
    await store.updateTable({ TableName: TABLE, StreamSpecification: { StreamEnabled: false } })
    await time.pass(4 * HOUR_MS)
    expect(follower.events.filter(({ kind }) => kind === 'disabled')).toHaveLength(1)
    await follower.stop()
  })
})
