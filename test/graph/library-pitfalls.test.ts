import { describe, expect, it } from 'vitest'
import { memory } from '../../src/engine/memory.js'
import { date, edge, graph, integer, map, node, type OpenOptions, open, set, string, wrap } from '../../src/index.js'
import { add, remove, within } from '../../src/schema/patch-operations.js'
import type { Store } from '../../src/store/port.js'
import { faulty } from '../../src/testing.js'
import { serviceError, VirtualClock } from '../store/scripted-store.js'

const user = node('user', { id: string(), name: string().optional() }, { id: 'id' })
const shop = node(
  'shop',
  {
    id: string(),
    country: string(),
    state: string().optional(),
    city: string().optional(),
    zip: integer().optional(),
    rating: integer().optional(),
  },
  {
    id: 'id',
    by: {
      place: { in: ['country'], order: ['state', 'city', 'zip'] },
      rating: { in: ['country'], order: ['rating'] },
    },
  },
)
const visit = edge(
  'visit',
  { user, shop },
  { kind: string(), day: integer(), note: string().optional() },
  { key: ['kind', 'day'], by: { shop: { order: ['day'] } } },
)
const owner = node('owner', { id: string() }, { id: 'id' })
const owns = edge('owns', { owner, shop }, { deed: string() }, { onDelete: { owner: 'cascade' } })
const shops = graph('shops', [user, shop, visit, owner, owns])

/** The graph on a store that records every request. */
async function opened(store: Store = memory(), options: OpenOptions = {}) {
  const sent: { operation: string; request: object }[] = []
  const noted = wrap(store, (operation, request, call, send) => {
    sent.push({ operation, request })
    return send(request, call)
  })
  const g = await open(shops, noted, { create: true, ...options })
  sent.length = 0
  return { g, sent, count: (operation: string) => sent.filter(each => each.operation === operation).length }
}

const scan = async (store: Store) => (await store.scan({ TableName: 'shops' })).Items!

describe('pitfalls of other libraries', () => {
  it('1: values that contain the separator do not collide', async () => {
    const { g } = await opened()
    const keys = ['a', 'a#', '#a', 'a#b', 'a$', 'a$#b', '#', 'b']
    for (const user of keys)
      for (const kind of keys) await g.visit.create({ user, shop: 's', kind, day: 1, note: `${user} ${kind}` })
    for (const user of keys) {
      const rows = await g.visit.by.user(user).all()
      expect(rows.map(({ kind }) => kind).sort()).toEqual([...keys].sort())
      for (const { kind, note } of rows) expect(note).toBe(`${user} ${kind}`)
    }
    // The ends and the key have the separator in different positions, so all three edges are distinct.
    await g.visit.create({ user: 'x', shop: 'y#z', kind: 'k', day: 1 })
    await g.visit.create({ user: 'x', shop: 'y', kind: 'z#k', day: 1 })
    await g.visit.create({ user: 'x#y', shop: 'z', kind: 'k', day: 1 })
    expect(await g.visit.by.user('x').count()).toBe(2)
    expect(await g.visit.by.user('x#y').count()).toBe(1)
  })

  it('2: a range after a missing part is rejected and not dropped', async () => {
    const { g, sent } = await opened()
    const query = g.shop.by.place({ country: 'US' }) as unknown as { where(where: object): { all(): Promise<unknown> } }
    const holed = [{ zip: { from: 1 } }, { city: 'Atlanta' }, { state: 'GA', zip: { from: 1, to: 2 } }]
    for (const where of holed)
      await expect(async () => query.where(where).all()).rejects.toMatchObject({ code: 'read.part' })
    const twice = { state: { startsWith: 'G' }, city: 'Atlanta' }
    await expect(async () => query.where(twice).all()).rejects.toMatchObject({ code: 'read.part' })
    expect(sent).toEqual([])
  })

  it('3: numbers sort as numbers, in an index and in the partition of a node', async () => {
    const { g } = await opened()
    const ratings = [10, 9, -1, -10, 0, 100, -100, 2]
    for (const rating of ratings) await g.shop.put({ id: `${rating}`, country: 'US', rating })
    for (const day of ratings) await g.visit.put({ user: 'u', shop: 's', kind: 'k', day })
    const sorted = [...ratings].sort((a, b) => a - b)
    const rated = await g.shop.by.rating({ country: 'US' }).all()
    expect(rated.map(({ rating }) => rating)).toEqual(sorted)
    const days = async (rows: Promise<{ day: number }[]>) => (await rows).map(({ day }) => day)
    expect(await days(g.visit.by.user('u').all())).toEqual(sorted)
    expect(await days(g.visit.by.shop('s').all())).toEqual(sorted)
    const some = g.visit.by.shop('s').where({ day: { from: -10, to: 9 } })
    expect(await days(some.all())).toEqual([-10, -1, 0, 2, 9])
  })

  it('4: the case of values is preserved and significant', async () => {
    const { g } = await opened()
    for (const id of ['Ann', 'ann', 'ANN']) await g.user.create({ id, name: id })
    expect(await g.user.many(['Ann', 'ann', 'ANN', 'aNN'])).toEqual([
      { id: 'Ann', name: 'Ann' },
      { id: 'ann', name: 'ann' },
      { id: 'ANN', name: 'ANN' },
      undefined,
    ])
    await g.visit.put({ user: 'Ann', shop: 'S', kind: 'K', day: 1 })
    expect(await g.visit.by.shop('S').all()).toEqual([{ user: 'Ann', shop: 'S', kind: 'K', day: 1 }])
    expect(await g.visit.by.shop('s').all()).toEqual([])
  })

  it('5: after a partial update no index key is stale, incomplete or `undefined`', async () => {
    const store = memory()
    const { g } = await opened(store)
    await g.shop.put({ id: '1', country: 'US', state: 'GA', city: 'Atlanta', zip: 30_301, rating: 3 })
    const places = async (country: string) =>
      (await g.shop.by.place({ country }).all()).map(({ state, city, zip }) => [state, city, zip])
    await g.shop.update('1', { city: 'Macon' })
    expect(await places('US')).toEqual([['GA', 'Macon', 30_301]])
    await g.shop.update('1', { zip: add(1) })
    expect(await places('US')).toEqual([['GA', 'Macon', 30_302]])
    await g.shop.update('1', { country: 'CA' })
    expect(await places('US')).toEqual([])
    expect(await places('CA')).toEqual([['GA', 'Macon', 30_302]])
    await g.shop.update('1', { state: remove() })
    expect(await places('CA')).toEqual([])
    expect((await g.shop.by.rating({ country: 'CA' }).all()).map(({ rating }) => rating)).toEqual([3])
    await g.shop.update('1', { state: 'ON' })
    expect(await places('CA')).toEqual([['ON', 'Macon', 30_302]])
    await g.shop.put({ id: '1', country: 'CA' })
    expect(await places('CA')).toEqual([])
    expect(JSON.stringify(await scan(store))).not.toMatch(/undefined|null|NaN|Macon/)
  })

  it('6: unprocessed keys are requested again', async () => {
    const { g, count } = await opened(faulty(memory(), { seed: 4, rates: { unprocessed: 0.8 } }), {
      retry: { clock: new VirtualClock() },
    })
    const ids = Array.from({ length: 120 }, (_, i) => `user${i}`)
    await g.$batch(ids.map(id => g.user.put({ id, name: id })))
    const rows = await g.user.many(ids)
    expect(rows.map(row => row?.name)).toEqual(ids)
    expect(count('batchGetItem')).toBeGreaterThanOrEqual(2)
    expect(count('batchWriteItem')).toBeGreaterThanOrEqual(5)
  })

  it('7: a missing item is reported as missing and not requested again, and a remaining unprocessed key is an error', async () => {
    const { g, count } = await opened()
    await g.user.put({ id: 'a' })
    expect(await g.user.many(['a', 'b', 'a', 'c'])).toEqual([{ id: 'a' }, undefined, { id: 'a' }, undefined])
    expect(count('batchGetItem')).toBe(1)
    await g.visit.put({ user: 'b', shop: 's', kind: 'k', day: 1 })
    const [joined] = await g.visit.by.shop('s').withNodes().all()
    expect(joined).toEqual({ edge: { user: 'b', shop: 's', kind: 'k', day: 1 }, node: undefined })
    const never = wrap(memory(), async (operation, request, call, send) => {
      if (operation !== 'batchGetItem') return send(request, call)
      return { Responses: {}, UnprocessedKeys: (request as { RequestItems: object }).RequestItems } as never
    })
    const { g: stuck } = await opened(never, { retry: { clock: new VirtualClock() } })
    await expect(stuck.user.many(['a', 'b'])).rejects.toMatchObject({ code: 'store.throttled' })
  })

  it('8: a throttled request is retried a limited number of times with growing random delays', async () => {
    const clock = new VirtualClock()
    let refusals = 6
    const store = wrap(memory(), async (operation, request, call, send) => {
      if (operation === 'query' && refusals-- > 0) throw serviceError('ProvisionedThroughputExceededException')
      return send(request, call)
    })
    const { g } = await opened(store, { retry: { clock, random: () => 0.5 } })
    expect(await g.visit.by.user('u').all()).toEqual([])
    expect(clock.delays).toEqual([12.5, 25, 50, 100, 200, 400])
    refusals = 1000
    await expect(g.visit.by.user('u').all()).rejects.toMatchObject({ code: 'store.throttled' })
    expect(1000 - refusals).toBeLessThan(20)
  })

  it('9: whole nodes are read in one batch without duplicates', async () => {
    const { g, sent, count } = await opened()
    for (let day = 0; day < 150; day++) await g.visit.put({ user: `u${day % 120}`, shop: 's', kind: 'k', day })
    await g.$batch(Array.from({ length: 120 }, (_, i) => g.user.put({ id: `u${i}` })))
    sent.length = 0
    const rows = await g.visit.by.shop('s').withNodes().all()
    expect(rows).toHaveLength(150)
    expect(rows.every(({ edge, node }) => edge.user === node?.id)).toBe(true)
    expect(count('getItem')).toBe(0)
    expect(count('batchGetItem')).toBe(2)
    const keys = sent
      .filter(({ operation }) => operation === 'batchGetItem')
      .flatMap(
        ({ request }) => (request as { RequestItems: Record<string, { Keys: object[] }> }).RequestItems.shops!.Keys,
      )
    expect(keys).toHaveLength(120)
  })

  it('10: hydration follows every page of edges', async () => {
    const store = memory()
    const { g, count } = await opened(store)
    await g.owner.create({ id: 'o' })
    // Thirty edges of 100 KB are three pages of a Query.
    const deed = 'x'.repeat(100_000)
    for (let i = 0; i < 30; i++) await g.owns.put({ owner: 'o', shop: `s${i}`, deed })
    expect(await g.owns.by.owner('o').count()).toBe(30)
    expect(await g.owns.by.owner('o').all()).toHaveLength(30)
    const { owned } = await g.owner.collect('o', { owned: g.owns.by.owner })
    expect(owned).toHaveLength(30)
    expect(count('query')).toBeGreaterThanOrEqual(9)
    await g.owner.delete('o')
    const left = (await scan(store)).filter(({ PK }) => !PK!.S!.startsWith('$'))
    expect(left).toEqual([])
  })

  it('11: a cursor depends neither on the selected members nor on the rows that pass the filter', async () => {
    const { g } = await opened()
    for (let day = 0; day < 25; day++)
      await g.visit.put({ user: `u${day}`, shop: 's', kind: 'k', day, ...(day % 2 === 0 && { note: `${day}` }) })
    const notes = () =>
      g.visit.by
        .shop('s')
        .filter(visit => visit.note.exists())
        .reverse()
        .only('note')
    const found: unknown[] = []
    let cursor: string | undefined
    do {
      const page = await notes().page({ limit: 3, cursor })
      found.push(...page.items)
      cursor = page.cursor
    } while (cursor)
    expect(found).toEqual(Array.from({ length: 13 }, (_, i) => ({ note: `${24 - 2 * i}` })))
    expect(await notes().all()).toEqual(found)
    expect(await notes().count()).toBe(13)
  })

  it('12: a patch changes a missing map from within, and an update writes no defaults', async () => {
    const address = map({ city: string().optional(), geo: map({ lat: integer().optional() }).optional() })
    const place = node(
      'place',
      {
        id: string(),
        address: address.optional(),
        note: string().default(''),
        tags: set(string()).default(new Set(['new'])),
      },
      { id: 'id' },
    )
    const g = await open(graph('places', [place]), memory())
    await g.place.create({ id: '1', note: 'mine', tags: new Set(['old']) })
    await g.place.update('1', { address: within({ geo: within({ lat: 3 }) }) })
    await g.place.update('1', { address: within({ city: '' }) })
    expect(await g.place.get('1')).toEqual({
      id: '1',
      address: { city: '', geo: { lat: 3 } },
      note: 'mine',
      tags: new Set(['old']),
    })
  })
})

describe('dates', () => {
  it('dates sort by time in a key, in every text form', async () => {
    const seen = edge('seen', { user, shop }, { at: date() }, { by: { user: { order: ['at'] } } })
    const g = await open(graph('sightings', [user, shop, seen]), memory(), { create: true })
    const times = [new Date(0), new Date('0099-01-01T00:00:00Z'), new Date('9999-12-31T23:59:59.999Z'), new Date(1)]
    for (const [i, at] of times.entries()) await g.seen.put({ user: 'u', shop: `${i}`, at })
    const rows = await g.seen.by.user('u').all()
    expect(rows.map(({ at }) => at)).toEqual([...times].sort((a, b) => Number(a) - Number(b)))
  })
})
