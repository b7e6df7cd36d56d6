import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { counter, date, edge, graph, layout, node, open, set, string } from '../../../src/index.js'
import { backfill, repair, verify } from '../../../src/jobs/index.js'

/** Expiring edges, one per user, or several permanent ones per thing. */
function made(isBefore: boolean) {
  const user = node('user', { id: string() }, { id: 'id' })
  const thing = node('thing', { id: string(), likes: counter() }, { id: 'id' })
  const likes = edge(
    'likes',
    { user, thing },
    { until: date() },
    {
      ...(isBefore && ({ one: 'user', expires: 'until' } as const)),
      count: { thing: { into: 'likes', by: 'stream' } },
    },
  )
  return graph('likes', [user, thing, likes])
}

const [BEFORE, AFTER] = [made(true), made(false)]
const ROW = { user: 'x', thing: 'y', until: new Date('2026-01-01') }

/** An engine without the deletion of expired items. */
async function begun() {
  const store = memory({ expiryDelayMs: Number.MAX_SAFE_INTEGER })
  const before = await open(BEFORE, store, { follow: false })
  await before.user.put({ id: 'x' })
  await before.thing.put({ id: 'y' })
  await before.likes.put(ROW)
  return store
}

it.each(['is left', 'was taken away'])(
  'an edge that no longer expires is found from both ends if it was put before the scan met the older one, which %s',
  async how => {
    const store = await begun()
    const live = await open(AFTER, store, { drift: 'allow', follow: false })
    const { Items = [] } = await store.scan({ TableName: 'likes' })
    await live.likes.put(ROW)
    const older = Items.find(item => item._type?.S === 'likes')!
    if (how === 'was taken away') await store.deleteItem({ TableName: 'likes', Key: { PK: older.PK!, SK: older.SK! } })
    await backfill(AFTER, store, { from: BEFORE })
    const after = await open(AFTER, store, { follow: false })
    expect(await after.likes.by.user('x').all()).toEqual([ROW])
    expect(await after.likes.by.thing('y').all()).toEqual([ROW])
    expect((await verify(after)).faults).toEqual({})
  },
)

it('an expiring mirror of a permanent edge is reported and repaired', async () => {
  const store = memory()
  const opened = await open(AFTER, store, { follow: false })
  await opened.user.put({ id: 'x' })
  await opened.thing.put({ id: 'y' })
  await opened.likes.put(ROW)
  await repair(opened)
  const { Items = [] } = await store.scan({ TableName: 'likes' })
  const mirror = Items.find(item => item._type?.S === 'likes.thing')!
  await store.putItem({ TableName: 'likes', Item: { ...mirror, _expires: { N: '1' } } })
  expect(await opened.likes.by.thing('y').all()).toEqual([])
  expect((await repair(opened)).faults).toEqual({ 'mirror.missing': 1 })
  expect(await opened.likes.by.thing('y').all()).toEqual([ROW])
  expect((await verify(opened)).faults).toEqual({})
})

it("a mirror remains with its edge after a writer with the new layout removed the edge's time to live", async () => {
  const made = (expires?: 'until') => {
    const user = node('user', { id: string() }, { id: 'id' })
    const thing = node('thing', { id: string(), name: string().optional() }, { id: 'id' })
    const likes = edge(
      'likes',
      { user, thing },
      { until: date().optional() },
      {
        by: { thing: { as: 'mirror' } },
        carry: { name: { from: 'thing.name', sync: 'eventual' } },
        ...(expires && { expires }),
      },
    )
    return graph('likes', [user, thing, likes])
  }
  let nowMs = Date.now()
  const store = memory({ now: () => nowMs })
  const before = await open(made('until'), store, { follow: false })
  await before.user.put({ id: 'x' })
  await before.thing.put({ id: 'y' })
  await before.likes.put({ user: 'x', thing: 'y', until: new Date(nowMs + 3_600_000) })
  const live = await open(made(), store, { drift: 'allow', follow: false })
  await live.likes.put({ user: 'x', thing: 'y' })
  await backfill(made(), store, { from: made('until') })
  expect(await backfill(made(), store, { from: made('until') })).toMatchObject({ changed: 0 })
  nowMs += 10 * 3_600_000
  await store.listTables({})
  const after = await open(made(), store, { follow: false })
  expect(await after.likes.by.thing('y').all()).toEqual([{ user: 'x', thing: 'y' }])
  expect((await verify(after)).faults).toEqual({})
})

describe('an expiring facet and sentinel', () => {
  const timed = (expires?: 'until') => {
    const when = { until: date() }
    const options = { ...(expires && { expires }) }
    const by = { tag: { in: ['tags'], as: 'item' } } as const
    const user = node('user', { id: string(), tags: set(string()), ...when }, { id: 'id', ...options, by })
    const likes = edge('likes', { one: user, other: user }, when, {
      ...options,
      one: 'other',
      by: { other: { as: 'none' } },
    })
    const keys = { user: { PK: 'U#{id}', SK: '#' }, likes: { PK: 'U#{one}', SK: 'L#{other}' } }
    return layout(graph('likes', [user, likes]), { keys })
  }
  const rows = { user: { id: 'x', tags: new Set(['t']) }, likes: { one: 'x', other: 'x' } }

  it('remain with their owner when it no longer expires', async () => {
    let nowMs = Date.now()
    const store = memory({ now: () => nowMs })
    const until = new Date(nowMs + 3_600_000)
    const before = await open(timed('until'), store)
    await before.user.put({ ...rows.user, until })
    await before.likes.put({ ...rows.likes, until })
    await backfill(timed(), store)
    nowMs += 10 * 3_600_000
    await store.listTables({})
    const after = await open(timed(), store)
    expect(await after.user.by.tag({ tags: 't' }).all()).toEqual([{ ...rows.user, until }])
    await expect(after.likes.create({ one: 'y', other: 'x', until })).rejects.toMatchObject({ code: 'edge.one' })
    expect((await verify(after)).faults).toEqual({})
  })

  it('an expiring facet and sentinel are reported and repaired if their owner does not expire', async () => {
    const store = memory()
    const opened = await open(timed(), store)
    await opened.user.put({ ...rows.user, until: ROW.until })
    await opened.likes.put({ ...rows.likes, until: ROW.until })
    const { Items = [] } = await store.scan({ TableName: 'likes' })
    for (const item of Items.filter(({ _type }) => _type?.S?.includes('.')))
      await store.putItem({ TableName: 'likes', Item: { ...item, _expires: { N: '4102444800' } } })
    expect((await repair(opened)).faults).toEqual({ 'facet.missing': 1, 'sentinel.missing': 1 })
    expect((await store.scan({ TableName: 'likes' })).Items).toEqual(Items)
  })
})
