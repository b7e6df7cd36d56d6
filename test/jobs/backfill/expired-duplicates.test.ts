import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/embedded.js'
import { counter, date, edge, graph, layout, node, open, string } from '../../../src/index.js'
import { backfill, verify } from '../../../src/jobs/index.js'
import { itemsOf } from '../../../src/layout/index.js'
import type { Layout } from '../../../src/layout/layout.js'

const user = node('user', { id: string(), likes: counter() }, { id: 'id' })
const thing = node('thing', { id: string(), liked: counter() }, { id: 'id' })
const attributes = { note: string(), until: date().optional() }
const kept = { by: 'stream' } as const

/** One edge per thing, ensured by a sentinel or by the key of the edge. */
function made(options: { isGiven?: boolean; expires?: 'until'; sort?: string; name?: string }): Layout {
  const { isGiven, expires, sort = 'L#{user}', name } = options
  const likes = edge('likes', { user, thing }, attributes, {
    one: 'thing',
    ...(expires && { expires }),
    by: { user: { as: 'mirror' } },
    count: { user: { into: 'likes', ...kept }, thing: { into: 'liked', ...kept } },
  })
  const liked = graph('liked', [user, thing, likes])
  const keys = {
    user: { PK: 'U#{id}', SK: '#' },
    thing: { PK: 'T#{id}', SK: '#' },
    likes: { PK: 'T#{thing}', SK: sort, mirror: { PK: 'U#{user}', SK: 'M#{thing}' } },
  }
  return (
    isGiven
      ? layout(liked, { raw: true, keys, ...(name && { names: { likes: { user: name } } }) } as never)
      : layout(liked)
  ) as Layout
}

type Rows = { put(row: object): Promise<void>; scan(): { all(): Promise<object[]> } }
type Opened = Record<'user' | 'thing' | 'likes', Rows> & Record<'$settled' | '$close', () => Promise<void>>
const opened = async (of: Layout, store: ReturnType<typeof memory>) => (await open(of, store)) as never as Opened
const past = new Date('2026-01-01')
const live = (user: string) => ({ user, thing: 't', note: 'live' })

describe.each([
  ['comes before', 'a', 'b'],
  ['comes after', 'b', 'a'],
])('an edge whose key is the target of an expired one that %s it', (_, over, there) => {
  async function begun() {
    const store = memory({ expiryDelayMs: Number.MAX_SAFE_INTEGER })
    const g = await opened(made({ isGiven: true, expires: 'until' }), store)
    for (const id of ['a', 'b']) await g.user.put({ id })
    await g.thing.put({ id: 't' })
    await g.likes.put({ user: over, thing: 't', note: 'over', until: past })
    await g.likes.put(live(there))
    await g.$settled()
    await g.$close()
    return store
  }

  it('remains', async () => {
    const store = await begun()
    const after = made({ expires: 'until' })
    await backfill(after, store, { from: made({ isGiven: true, expires: 'until' }) })
    const h = await opened(after, store)
    await h.$settled()
    expect(await h.likes.scan().all()).toEqual([live(there)])
    expect(await h.user.scan().all()).toHaveLength(2)
    expect(await h.user.scan().all()).toContainEqual({ id: there, likes: 1 })
    expect(await h.user.scan().all()).toContainEqual({ id: over, likes: 0 })
    expect(await h.thing.scan().all()).toEqual([{ id: 't', liked: 1 }])
    expect((await verify(h as never)).faults).toEqual({})
    await h.$close()
  })

  it.each([
    ['under another key', { sort: 'K#{user}' }, true],
    ['under another name', { name: 'who' }, true],
    ['as before', {}, true],
    ['as before, which is not stated,', {}, false],
  ])('remains as the only edge of its node, with both ends %s', async (_where, options, isTold) => {
    const store = await begun()
    const after = made({ isGiven: true, expires: 'until', ...options })
    await backfill(after, store, { ...(isTold && { from: made({ isGiven: true, expires: 'until' }) }) })
    const h = await opened(after, store)
    await h.$settled()
    expect(await h.likes.scan().all()).toEqual([live(there)])
    expect((await verify(h as never)).faults).toEqual({})
    const another = { user: over, thing: 't', note: 'another' }
    await expect(h.likes.put(another)).rejects.toMatchObject({ code: 'edge.one' })
    await h.$close()
  })

  it('an edge is not moved onto an expired one if edges no longer expire, because the expired one would reappear', async () => {
    const store = await begun()
    const there = (await store.scan({ TableName: 'liked' })).Items
    const refused = { code: 'layout.drift', message: expect.stringContaining('and one of them would be lost') }
    const from = made({ isGiven: true, expires: 'until' })
    await expect(backfill(made({}), store, { from })).rejects.toMatchObject(refused)
    expect((await store.scan({ TableName: 'liked' })).Items).toEqual(there)
  })
})

it('the sentinel of an expired edge is deleted if the new layout has no sentinels', async () => {
  const [before, after] = [made({ isGiven: true, expires: 'until' }), made({ expires: 'until' })]
  const store = memory({ expiryDelayMs: Number.MAX_SAFE_INTEGER })
  const g = await opened(before, store)
  await g.likes.put({ ...live('a'), until: past })
  await g.$settled()
  await g.$close()
  await backfill(after, store, { from: before })
  const { Items = [] } = await store.scan({ TableName: 'liked' })
  expect(Items.filter(({ _type }) => _type?.S === 'likes.$one')).toEqual([])
})

it('an expired edge that would reappear next to another one is rejected', async () => {
  const [before, after] = [made({ isGiven: true, expires: 'until' }), made({ isGiven: true })]
  const store = memory({ expiryDelayMs: Number.MAX_SAFE_INTEGER })
  const g = await opened(before, store)
  await g.likes.put({ ...live('a'), until: past })
  await g.likes.put(live('b'))
  await g.$settled()
  await g.$close()
  await expect(backfill(after, store, { from: before })).rejects.toMatchObject({ code: 'unique.taken' })
})

it('two foreign edges of a node that may have one are rejected, and neither is moved', async () => {
  const before = made({ isGiven: true })
  const store = memory()
  await opened(before, store)
  const items = ['a', 'b'].flatMap(each => itemsOf(before, { likes: [live(each)] } as never))
  for (const { item } of items) await store.putItem({ TableName: 'liked', Item: item })
  const there = (await store.scan({ TableName: 'liked' })).Items
  await expect(backfill(made({}), store, { from: before })).rejects.toThrow('and one of them would be lost')
  expect((await store.scan({ TableName: 'liked' })).Items).toEqual(there)
})
