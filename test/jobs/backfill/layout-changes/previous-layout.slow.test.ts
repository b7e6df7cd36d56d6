import { describe, expect, it } from 'vitest'
import type { Item } from '../../../../src/dynamodb/attribute-value.js'
import { memory } from '../../../../src/embedded.js'
import {
  counter,
  date,
  edge,
  embedded,
  graph,
  integer,
  type Layout,
  layout,
  node,
  open,
  set,
  string,
} from '../../../../src/index.js'
import { backfill } from '../../../../src/jobs/backfill/backfill.js'
import { verify } from '../../../../src/jobs/verify/verify.js'
import { itemsOf } from '../../../../src/layout/items/items.js'
import { wrap } from '../../../../src/store/wrap.js'
import { toCreateTableInput } from '../../../../src/table/table-definition.js'
import { sorted } from '../comparable-items.js'

interface Options {
  readonly user?: object
  readonly userOptions?: object
  readonly wroteOptions?: object
  readonly physical?: object
}

/** The declarations change in these tests, so their types are erased. */
const declareNode = node as unknown as (name: string, attributes: object, options: object) => never
const declareEdge = edge as unknown as (name: string, ends: object, attributes: object, options: object) => never

function made({ user: more = {}, userOptions, wroteOptions, physical = {} }: Options = {}): Layout {
  const attributes = {
    id: string(),
    mail: string().optional(),
    tags: set(string()).optional(),
    until: date().optional(),
    ...more,
  }
  const user = declareNode('user', attributes, { id: 'id', ...userOptions })
  const post = declareNode('post', { slug: string() }, { id: 'slug' })
  const wrote = declareEdge('wrote', { user, post }, { share: integer() }, { ...wroteOptions })
  return layout(graph('blog', [user, post, wrote]), physical as never) as Layout
}

const rows = {
  user: Array.from({ length: 20 }, (_, i) => ({
    id: `u${i}`,
    mail: `m${i}`,
    tags: new Set([`t${i % 3}`, 'all']),
    until: new Date(Date.UTC(2090, 0, 1 + i)),
  })),
  post: Array.from({ length: 5 }, (_, i) => ({ slug: `p${i}` })),
  wrote: Array.from({ length: 50 }, (_, i) => ({ user: `u${i % 20}`, post: `p${i % 5}`, share: i })),
}
const distinct = { ...rows, wrote: rows.wrote.slice(0, 20) }

/** Writes under a layout, into a table that also has the indexes of another one. */
async function written(before: Layout, table = before) {
  const store = memory()
  await store.createTable(toCreateTableInput(table.design))
  const g = (await open(before, store, { follow: false })) as never as Record<
    string,
    { put(row: object): PromiseLike<void> }
  >
  for (const [type, each] of Object.entries(distinct)) for (const row of each) await g[type]!.put(row)
  return store
}

async function expectUp(store: ReturnType<typeof memory>, after: Layout) {
  const { Items = [] } = await store.scan({ TableName: 'blog' })
  expect(sorted(Items)).toEqual(sorted(itemsOf(after, distinct).map(({ item }) => item)))
  expect((await verify(await open(after, store))).faults).toEqual({})
}

const OTHER_KEYS = { keys: { user: { PK: 'U#{id}', SK: 'U#{id}' } } }
const tagged = { by: { tag: { in: ['tags'], as: 'item' } } }
const CHANGES: readonly (readonly [what: string, after: Options])[] = [
  ['a facet', { userOptions: tagged }],
  ['a unique attribute', { userOptions: { unique: ['mail'] } }],
  ['a counter', { user: { posts: counter() }, wroteOptions: { count: { user: 'posts' } } }],
  ['a sum', { user: { shares: counter() }, wroteOptions: { sum: { user: { into: 'shares', of: 'share' } } } }],
  [
    'an embed',
    { user: { posts: embedded({ share: integer() }) }, wroteOptions: { embed: { user: { into: 'posts', max: 9 } } } },
  ],
  ['a copy', { wroteOptions: { carry: { slug: 'post.slug' } } }],
  ['a time to live', { userOptions: { expires: 'until' } }],
]

describe('a table with an older layout', () => {
  it.each(CHANGES)('a table is rejected without %s, and migrated without the old layout', async (_, options) => {
    const store = await written(made())
    const after = made(options)
    await expect(open(after, store)).rejects.toMatchObject({ code: 'layout.drift' })
    await backfill(after, store)
    await expectUp(store, after)
    expect((await backfill(after, store)).changed).toBe(0)
  })

  it.each(CHANGES)('a table is rejected with %s that the new layout does not have', async (_, options) => {
    const store = await written(made(options))
    await expect(open(made(), store)).rejects.toMatchObject({ code: 'layout.drift' })
  })

  it('needs no backfill for aggregates of a new type in an old one', async () => {
    const user = node('user', { id: string() }, { id: 'id' })
    const store = memory()
    await open(graph('blog', [user]), store)
    const counted = node('user', { id: string(), posts: counter() }, { id: 'id' })
    const post = node('post', { slug: string(), title: string() }, { id: 'slug', unique: ['title'] })
    const wrote = edge('wrote', { post, user: counted }, {}, { by: { user: { as: 'none' } }, count: { user: 'posts' } })
    await expect(open(graph('blog', [counted, post, wrote]), store)).resolves.toBeDefined()
  })

  it('with other keys is read with the old layout', async () => {
    const [before, after] = [
      made({ wroteOptions: { by: { post: { as: 'mirror' } } } }),
      made({ wroteOptions: { by: { post: { as: 'mirror', order: ['share'] } } } }),
    ]
    const store = await written(before)
    await expect(backfill(after, store)).rejects.toMatchObject({ code: 'layout.drift' })
    await backfill(after, store, { from: before })
    await expectUp(store, after)
  })

  describe('with an item that moves to the key of another one', () => {
    const user = node('user', { id: string(), name: string() }, { id: 'id' })
    const follows = (as: 'a' | 'b') =>
      edge('follows', { a: user, b: user }, { no: integer() }, { by: { [as]: { as: 'inverted' } } } as never)

    it('keeps both edges if they swap keys', async () => {
      const [before, after] = [graph('users', [user, follows('a')]), graph('users', [user, follows('b')])]
      const store = memory()
      const g = await open(before, store)
      const rows = [
        { a: 'x', b: 'y', no: 1 },
        { a: 'y', b: 'x', no: 2 },
        { a: 'x', b: 'x', no: 3 },
      ]
      for (const row of rows) await g.follows.put(row)
      await backfill(after, store, { from: before })
      const moved = await open(after, store)
      for (const row of rows) expect(await moved.follows.get(row)).toEqual(row)
      expect((await moved.follows.by.b('y').all()).map(({ no }) => no)).toEqual([1])
      expect((await backfill(after, store, { from: before })).changed).toBe(0)
      for (const row of rows) expect(await moved.follows.get(row)).toEqual(row)
    })

    it('keeps the newer item if it was written with the new layout', async () => {
      const made = graph('users', [user])
      const [before, after] = [layout(made), layout(made, { keys: { user: { PK: 'U#{id}', SK: 'U#' } } })]
      const store = memory()
      const g = await open(before, store)
      await g.user.put({ id: 'x', name: 'old' })
      await g.user.put({ id: 'y', name: 'old' })
      const newer = await open(after, store, { drift: 'allow' })
      await newer.user.put({ id: 'x', name: 'new' })
      await backfill(after, store, { from: before })
      const moved = await open(after, store)
      expect(await moved.user.many(['x', 'y'])).toEqual([
        { id: 'x', name: 'new' },
        { id: 'y', name: 'old' },
      ])
      const { Items = [] } = await store.scan({ TableName: 'users' })
      expect(Items.map(({ PK }) => PK?.S).sort()).toEqual(['$edgewise', 'U#x', 'U#y'])
    })
  })

  it('a backfill is rejected if a new counter has no path to its edges', async () => {
    const user = node('user', { id: string(), posts: counter() }, { id: 'id' })
    const post = node('post', { id: string() }, { id: 'id' })
    const wrote = (options: object) => graph('blog', [user, post, edge('wrote', { post, user }, {}, options as never)])
    const store = memory()
    await open(wrote({}), store)
    const counted = wrote({ by: { user: { as: 'none' } }, count: { user: 'posts' } })
    await expect(backfill(counted, store)).rejects.toMatchObject({
      code: 'layout.drift',
      message: expect.stringContaining("but no path reads them from their end 'user'"),
    })
    await backfill(wrote({ count: { user: 'posts' } }), store)
    await backfill(counted, store)
  })

  it('a table whose keys have another number width is rejected, and moved with the old layout', async () => {
    const seats = (max: number) => graph('seats', [node('seat', { no: integer({ min: 0, max }) }, { id: 'no' })])
    const store = memory()
    const g = await open(seats(99), store)
    await g.seat.put({ no: 5 })
    await expect(open(seats(999), store)).rejects.toMatchObject({ code: 'layout.drift' })
    await expect(backfill(seats(999), store)).rejects.toMatchObject({ code: 'layout.drift' })
    await backfill(seats(999), store, { from: seats(99) })
    expect(await (await open(seats(999), store)).seat.get(5)).toEqual({ no: 5 })
  })

  it('records newer types, and applications without them still open it', async () => {
    const [user, post] = [node('user', { id: string() }, { id: 'id' }), node('post', { id: string() }, { id: 'id' })]
    const tagged = node('post', { id: string(), tag: string().optional() }, { id: 'id', unique: ['tag'] })
    const store = memory()
    await open(graph('blog', [user]), store)
    const g = await open(graph('blog', [user, post]), store)
    await g.post.put({ id: 'a' })
    await expect(open(graph('blog', [user, tagged]), store)).rejects.toMatchObject({ code: 'layout.drift' })
    await expect(open(graph('blog', [user]), store)).resolves.toBeDefined()
  })

  it.each([
    ['a new path ordered by them', { by: { best: { order: ['posts'] } } }],
    ['no path', {}],
  ])('has exact counters after these move from writers to the stream, with %s', async (_, userOptions) => {
    const counted = (by: string) => ({
      user: { posts: counter() },
      wroteOptions: { count: { user: { into: 'posts', by } } },
      ...(by === 'stream' && { userOptions }),
    })
    const [before, after] = [made(counted('transaction')), made(counted('stream'))]
    const store = await written(before, after)
    await backfill(after, store, { from: before })
    const g = (await open(after, store)) as never as {
      user: { get(id: string): PromiseLike<{ posts: number }> }
      wrote: { put(row: object): PromiseLike<void> }
      $settled(): Promise<void>
      $close(): Promise<void>
    }
    expect(await g.user.get('u3')).toMatchObject({ posts: 1 })
    await g.wrote.put({ user: 'u3', post: 'p9', share: 1 })
    await g.$settled()
    expect(await g.user.get('u3')).toMatchObject({ posts: 2 })
    expect(await g.user.get('u4')).toMatchObject({ posts: 1 })
    expect((await verify(g)).faults['counter.drift']).toBeUndefined()
    await g.$close()
  })

  it('has its times to live renamed', async () => {
    const userOptions = { expires: 'until' }
    const before = made({ userOptions })
    const after = made({ userOptions, physical: { table: { expires: 'ttl' } } })
    const store = memory()
    const g = (await open(before, store)) as unknown as { user: { put(row: object): Promise<void> } }
    await g.user.put({ id: 'a', until: new Date('2126-01-01') })
    const { name: TableName } = before.design
    const times = async () => {
      const { Items = [] } = await store.scan({ TableName })
      return Items.flatMap(({ _expires, ttl }) => (_expires || ttl ? [[_expires?.N, ttl?.N]] : []))
    }
    expect(await times()).toEqual([['4922899200', undefined]])
    await expect(open(after, store)).rejects.toThrow(`type 'user': timed was nothing, is "ttl"`)
    await backfill(after, store, { from: before })
    expect(await times()).toEqual([[undefined, '4922899200']])
    await open(after, store)
  })

  it('loses times to live that are no longer declared', async () => {
    const before = made({ userOptions: { expires: 'until' } })
    const store = await written(before)
    await backfill(made(), store)
    await expectUp(store, made())
  })

  it.each([
    ['with an index', {}],
    ['without', { by: { post: { as: 'none' } } }],
  ])('has each edge moved once if its node becomes sharded, %s', async (_, { by = {} }: { by?: object }) => {
    const [one, many] = [made({ wroteOptions: { by } }), made({ wroteOptions: { by: { ...by, user: { shards: 3 } } } })]
    const store = await written(one)
    await backfill(many, store, { from: one })
    await expectUp(store, many)
    await backfill(one, store, { from: many })
    await expectUp(store, one)
  })

  it('requires the old layout if mirrors have other shards', async () => {
    const spread = (shards: number) => made({ wroteOptions: { by: { post: { as: 'mirror', shards } } } })
    const store = await written(spread(2))
    await expect(backfill(spread(3), store)).rejects.toMatchObject({ code: 'layout.drift' })
    await backfill(spread(3), store, { from: spread(2) })
    await expectUp(store, spread(3))
  })

  it('keeps values under a new stored name in repeated backfills', async () => {
    const [before, after] = [made(), made({ physical: { names: { wrote: { share: 's' } } } })]
    const store = await written(before)
    await expect(open(after, store)).rejects.toMatchObject({ code: 'layout.drift' })
    const g = (await open(after, store, { drift: 'allow' })) as never as {
      wrote: { update(id: object, patch: object): PromiseLike<void>; get(id: object): PromiseLike<object> }
    }
    await backfill(after, store, { from: before })
    await expectUp(store, after)
    await g.wrote.update({ user: 'u1', post: 'p1' }, { share: 77 })
    await store.deleteItem({ TableName: 'blog', Key: { PK: { S: '$edgewise' }, SK: { S: '#' } } })
    await backfill(after, store, { from: before })
    expect(await g.wrote.get({ user: 'u1', post: 'p1' })).toMatchObject({ share: 77 })
  })

  it.each([
    ['other keys', { keys: { user: { PK: 'U#{id}', SK: 'U#{id}' } } }],
    ['another stored name', { names: { user: { born: 'b' } } }],
  ])('copies from nodes that get %s in the same run, in any scan order', async (_, physical) => {
    const user = { born: integer().immutable().default(1956) }
    const before = made({ user })
    const after = made({ user, wroteOptions: { carry: { born: 'user.born' } }, physical })
    const store = await written(before, after)
    await backfill(after, store, { from: before })
    const g = await open(after, store)
    expect((await verify(g)).faults).toEqual({})
    const wrote = (g as never as { wrote: { get(id: object): PromiseLike<object> } }).wrote
    for (const { user, post } of distinct.wrote) expect(await wrote.get({ user, post })).toMatchObject({ born: 1956 })
  })

  it('an item is moved in several transactions if its side items exceed one', async () => {
    const [before, after] = [made({ userOptions: tagged }), made({ userOptions: tagged, physical: OTHER_KEYS })]
    const store = await written(before, after)
    const g = (await open(before, store, { follow: false })) as never as {
      user: { put(row: object): PromiseLike<void> }
    }
    const many = { id: 'many', tags: new Set(Array.from({ length: 99 }, (_, i) => `t${i}`)) }
    await g.user.put(many)
    await backfill(after, store, { from: before })
    const h = await open(after, store)
    expect((await verify(h)).faults).toEqual({})
    expect(await (h as never as { user: { get(id: string): PromiseLike<object> } }).user.get('many')).toEqual(many)
    const { Items = [] } = await store.scan({ TableName: 'blog' })
    const tags = Items.filter(({ PK, _type }) => PK?.S?.endsWith('#many') && _type?.S === 'user.tag')
    expect([...new Set(tags.map(({ PK }) => PK?.S))]).toEqual(['U#many'])
    expect(tags).toHaveLength(99)
  })

  it('a backfill is rejected if an item needs more side items than a transaction can contain', async () => {
    const store = await written(made())
    const g = (await open(made(), store, { follow: false })) as never as {
      user: { put(row: object): PromiseLike<void> }
    }
    await g.user.put({ id: 'many', tags: new Set(Array.from({ length: 100 }, (_, i) => `t${i}`)) })
    await expect(backfill(made({ userOptions: tagged }), store)).rejects.toMatchObject({
      code: 'write.transaction',
      message: expect.stringContaining("item 'user#many #': this item and its 100 side items"),
    })
  })

  it('a backfill is rejected with the key of an item that does not match its declaration', async () => {
    const store = await written(made())
    const Key = { PK: { S: 'user#u7' }, SK: { S: '#' } }
    const { Item: user } = await store.getItem({ TableName: 'blog', Key })
    await store.putItem({ TableName: 'blog', Item: { ...user!, until: { S: 'never' } } })
    const after = made({ user: { posts: counter() }, wroteOptions: { count: { user: 'posts' } } })
    await expect(backfill(after, store)).rejects.toMatchObject({
      code: 'stored.type',
      message: expect.stringMatching(/^item 'user#u7 #': this item cannot be migrated \(user\.until: /),
    })
  })

  it('a backfill is rejected with the key of an item whose new unique value exists twice', async () => {
    const store = await written(made())
    const g = (await open(made(), store)) as never as { user: { put(row: object): PromiseLike<void> } }
    await g.user.put({ id: 'again', mail: 'm0' })
    const inNoOrder = wrap(store, async (_operation, request, options, send) => {
      const { Item: item, ...answer } = (await send(request, options)) as { Item?: Item }
      const reversed = (item: Item) => Object.fromEntries(Object.entries(item).reverse())
      return { ...answer, ...(item && { Item: reversed(item) }) } as never
    })
    await expect(backfill(made({ userOptions: { unique: ['mail'] } }), inNoOrder)).rejects.toMatchObject({
      code: 'unique.taken',
      message: expect.stringMatching(/^item 'user#(u0|again) #': this item cannot be migrated/),
    })
  })
})
