import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { upsert } from '../../../src/graph/calls/upsert.js'
import {
  add,
  counter,
  created,
  date,
  edge,
  type GraphError,
  graph,
  include,
  integer,
  node,
  open,
  type Store,
  set,
  string,
  wrap,
} from '../../../src/index.js'
import { verify } from '../../../src/jobs/index.js'
import { Random } from '../../derive/simulator/random.js'
import { Schedule, until } from '../../derive/simulator/schedule.js'
import { inTurns } from '../model/concurrency/request-turns.js'

const user = node(
  'user',
  { id: string(), email: string(), seen: integer(), at: created(), books: counter() },
  { id: 'id', unique: ['email'] },
)
const book = node('book', { shelf: string(), no: integer(), title: string() }, { id: ['shelf', 'no'] })
const bought = edge(
  'bought',
  { user, book },
  { times: integer(), tags: set(string()).optional() },
  { count: { user: 'books' }, by: { book: { order: ['times'], as: 'mirror' } } },
)
const owner = edge('owner', { book, user }, { times: integer() }, { one: 'book' })
const page = node('page', { id: string(), views: integer(), last: integer().optional() }, { id: 'id' })
const shop = graph('shop', [user, book, bought, owner, page])
const pages = graph('pages', [page])

const opened = (store: Store = memory()) => open(shop, store, { create: true })
const dune = { shelf: 'sf', no: 1 }

async function filled(store?: Store) {
  const g = await opened(store)
  await g.user.put({ id: 'ann', email: 'ann@x.org', seen: 1 })
  await g.book.put({ ...dune, title: 'Dune' })
  return g
}

describe('upsert changes an existing row and creates a missing one', () => {
  it('upsert applies to nodes, with defaults', async () => {
    let time = 1000
    const g = await open(shop, memory(), { clock: () => time })
    const seen = () => upsert(g.user, { id: 'bob', email: 'bob@x.org', seen: 1 }, { seen: add(1) })
    await seen()
    time = 2000
    expect(await seen().returning('old')).toMatchObject({ seen: 1, at: new Date(1000) })
    expect(await seen().returning('new')).toMatchObject({ seen: 3, at: new Date(1000) })
    expect(await g.user.by.email('bob@x.org')).toMatchObject({ id: 'bob', seen: 3 })
    await upsert(g.book, { ...dune, title: 'Dune' }, { title: 'Dune Messiah' })
    await upsert(g.book, { ...dune, title: 'Dune' }, { title: 'Dune Messiah' })
    expect(await g.book.get(dune)).toEqual({ ...dune, title: 'Dune Messiah' })
  })

  it('upsert applies to edges, with aggregates', async () => {
    const g = await filled()
    const buy = () =>
      upsert(
        g.bought,
        { user: 'ann', book: dune, times: 1, tags: new Set(['new']) },
        { times: add(1), tags: include('again') },
      )
    expect(await buy().returning('old')).toBeUndefined()
    expect(await buy().returning('new')).toMatchObject({ times: 2, tags: new Set(['new', 'again']) })
    await buy()
    expect(await g.bought.by.book(dune).where({ times: 3 }).all()).toHaveLength(1)
    expect(await g.user.get('ann')).toMatchObject({ books: 1 })
    expect((await verify(g)).faults).toEqual({})
  })

  it('upsert takes one request for an existing row and two for a missing row', async () => {
    const g = await opened()
    const view = () => upsert(g.page, { id: 'home', views: 1 }, { views: add(1) })
    expect(await view().run()).toMatchObject({ requests: 2 })
    expect(await view().run()).toMatchObject({ requests: 1, consumed: { write: { table: 1 } } })
    const told = view().explain()
    expect(told.total).toMatchObject({ requests: 1, write: { table: 1 } })
    expect(String(told)).toContain('if the row does not exist, this request is refused and a second request creates it')
  })

  it('upsert creates a row over an expired one that the store has not removed', async () => {
    let time = 0
    const visit = node('visit', { id: string(), n: integer(), until: date() }, { id: 'id', expires: 'until' })
    const g = await open(graph('visits', [visit]), memory(), { clock: () => time })
    const come = () =>
      upsert(g.visit, { id: 'a', n: 1, until: new Date(time + 60_000) }, { n: add(1) }).returning('new')
    expect([(await come()).n, (await come()).n]).toEqual([1, 2])
    time = 120_000
    expect((await come()).n).toBe(1)
  })
})

describe('upsert is rejected', () => {
  it('with a condition that the existing row does not meet, which does not apply to a new row', async () => {
    const g = await opened()
    const look = (last: number) =>
      upsert(g.page, { id: 'home', views: 1, last }, { views: add(1), last }).if(row => row.last.below(last))
    await look(5)
    await look(7)
    await expect(look(6)).rejects.toMatchObject({ code: 'write.condition' })
    expect(await g.page.get('home')).toEqual({ id: 'home', views: 2, last: 7 })
  })

  it('with a unique value of another row, or another edge in the place of the only one', async () => {
    const g = await filled()
    await expect(upsert(g.user, { id: 'bob', email: 'ann@x.org', seen: 1 }, { seen: 2 })).rejects.toMatchObject({
      code: 'unique.taken',
    })
    await g.owner.put({ book: dune, user: 'ann', times: 1 })
    const other = upsert(g.owner, { book: dune, user: 'bob', times: 1 }, { times: add(1) })
    const refused = (await other.run().catch(error => error)) as GraphError
    expect(refused).toMatchObject({ code: 'write.exists', details: { value: { user: 'ann' } } })
    expect(await g.owner.get({ book: dune, user: 'ann' })).toMatchObject({ times: 1 })
  })

  it('in a transaction, in a batch, or under a token', async () => {
    const g = await opened()
    const view = () => upsert(g.page, { id: 'home', views: 1 }, { views: add(1) })
    // @ts-expect-error: it may take two requests
    await expect(async () => g.$transact([view()])).rejects.toMatchObject({ code: 'call.part' })
    // @ts-expect-error: the same
    await expect(async () => g.$batch([view()])).rejects.toMatchObject({ code: 'call.part' })
    await expect(view().run({ token: 'once' })).rejects.toMatchObject({ code: 'call.argument' })
    expect(await g.page.exists('home')).toBe(false)
  })

  it('with an invalid row, patch or handle', async () => {
    const g = await opened()
    await g.page.put({ id: 'there', views: 1 })
    // @ts-expect-error: `views` is missing
    await expect(upsert(g.page, { id: 'there' }, { views: 2 })).rejects.toMatchObject({ code: 'write.missing' })
    expect(await g.page.get('there')).toEqual({ id: 'there', views: 1 })
    // @ts-expect-error: `views` is missing
    await expect(upsert(g.page, { id: 'home' }, { views: add(1) })).rejects.toMatchObject({ code: 'write.missing' })
    // @ts-expect-error: there is no `vews`
    await expect(upsert(g.page, { id: 'home', views: 1 }, { vews: 1 })).rejects.toMatchObject({ code: 'write.unknown' })
    await expect(upsert(g.page, { id: 'home', views: 1 }, {})).rejects.toMatchObject({ code: 'write.empty' })
    // @ts-expect-error: no row
    expect(() => upsert(g.page, undefined, {})).toThrow('give attributes by name')
    // @ts-expect-error: no handle
    expect(() => upsert(page, { id: 'home', views: 1 }, {})).toThrow('for example g.movie')
    expect(await g.page.exists('home')).toBe(false)
  })
})

const hangUp = () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })

/** A store that loses writes or their responses. */
const losing = (store: Store, random: Random, what: 'nothing' | 'writes' | 'answers') =>
  wrap(store, async (operation, input, options, send) => {
    const isLost = what !== 'nothing' && /^(put|update)Item/.test(operation) && random.chance(0.3)
    if (isLost && what === 'writes') throw hangUp()
    const answer = await send(input, options)
    if (isLost) throw hangUp()
    return answer
  })

/**
 * Concurrent views by two callers and deletions by a third. Returns the number of views and the results of the calls.
 */
async function viewed(seed: number, what: 'nothing' | 'writes' | 'answers') {
  const store = memory()
  const random = new Random(seed)
  const schedule = new Schedule(random)
  const views = { done: 0, told: 0, unknown: 0 }
  const as = (name: string) => {
    const turned = inTurns(store, name, { schedule, random, lossRate: 0, wrote: async () => {} })
    return open(pages, name === 'deleter' ? turned : losing(turned, random, what), { drift: 'allow' })
  }
  const { page: watched } = await open(pages, store)
  const viewer = async (name: string) => {
    const g = await as(name)
    for (let i = 0; i < 8; i++)
      await upsert(g.page, { id: 'home', views: 1 }, { views: add(1) }).then(
        () => views.told++,
        error => {
          expect(error).toMatchObject({ code: 'store.unknown' })
          views.unknown++
        },
      )
  }
  const deleter = async () => {
    const g = await as('deleter')
    for (let i = 0; i < 8; i++) views.done += (await g.page.delete('home').returning('old'))?.views ?? 0
  }
  await until(schedule, Promise.all([viewer('one'), viewer('two'), deleter()]))
  views.done += (await watched.get('home'))?.views ?? 0
  return views
}

describe('upsert with concurrent creates and deletes', () => {
  it('upsert gives up after a few attempts with a message when each attempt collides', async () => {
    const store = memory()
    const { page: others } = await open(pages, store)
    let requests = 0
    const contended = wrap(store, async (operation, input, options, send) => {
      requests++
      if (operation === 'updateItem') await others.delete('home')
      if (operation === 'putItem') await others.put({ id: 'home', views: 9 })
      return send(input, options)
    })
    const g = await open(pages, contended)
    requests = 0
    const view = upsert(g.page, { id: 'home', views: 1 }, { views: add(1) })
    await expect(view).rejects.toMatchObject({ code: 'write.contended', message: expect.stringMatching('retry later') })
    expect(requests).toBe(12)
    expect(await others.get('home')).toEqual({ id: 'home', views: 9 })
  })

  it('concurrent upserts are each applied only the first time', async () => {
    for (let seed = 0; seed < 40; seed++)
      expect(await viewed(seed, 'nothing'), `seed ${seed}`).toEqual({ done: 16, told: 16, unknown: 0 })
  })

  it('an upsert that resolves was applied, and one with an unknown outcome never ran twice', async () => {
    let unknown = 0
    for (let seed = 0; seed < 80; seed++) {
      const unsent = await viewed(seed, 'writes')
      expect(unsent.done, `seed ${seed}`).toBe(unsent.told)
      const sent = await viewed(seed, 'answers')
      expect(sent.done, `seed ${seed}`).toBe(sent.told + sent.unknown)
      unknown += sent.unknown
    }
    expect(unknown).toBeGreaterThan(0)
  })
})

describe('an explained upsert with existing items', () => {
  const itemsIn = async (store: Store) => (await store.scan({ TableName: 'shop' })).Items!

  it('an explained upsert of a missing row has two writes, and the first is refused', async () => {
    const store = memory()
    const g = await filled(store)
    const viewed = () => upsert(g.page, { id: 'p', views: 1 }, { views: add(1) })
    const owned = () => upsert(g.owner, { book: dune, user: 'ann', times: 1 }, { times: add(1) })
    for (const call of [viewed, owned, viewed, owned]) {
      const { total } = call().explain({ existing: await itemsIn(store) })
      const { consumed, requests } = await call().run()
      expect({ read: consumed.read, write: consumed.write, requests }).toEqual(total)
    }
    expect(viewed().explain({ existing: [] }).toString()).toContain('a refused write is billed')
  })
})

it('upsert() is a method of node and edge handles, and is rejected in a transaction or a batch', async () => {
  const g = await filled()
  const row = { id: 'bob', email: 'bob@x.org', seen: 1 }
  await g.user.upsert(row, { seen: add(1) })
  expect(await g.user.upsert(row, { seen: add(1) }).returning('new')).toMatchObject({ seen: 2 })
  await g.bought.upsert({ user: 'bob', book: dune, times: 1 }, { times: add(1) })
  expect(await g.bought.get({ user: 'bob', book: dune })).toMatchObject({ times: 1 })
  // @ts-expect-error it can take two requests
  await expect(async () => g.$transact([g.user.upsert(row, { seen: add(1) })])).rejects.toMatchObject({
    code: 'call.part',
  })
  // @ts-expect-error the attribute does not exist
  await expect(async () => g.user.upsert(row, { nothing: 1 })).rejects.toMatchObject({ code: 'write.unknown' })
})
