import { describe, expect, it } from 'vitest'
import { memory } from '../../../../src/engine/memory.js'
import {
  edge,
  embedded,
  graph,
  layout as layoutOf,
  list,
  map,
  node,
  open,
  string,
  wrap,
} from '../../../../src/index.js'
import { backfill, deploy, verify } from '../../../../src/jobs/index.js'
import { itemsOf } from '../../../../src/layout/items/items.js'
import type { Layout } from '../../../../src/layout/layout.js'
import { mapped } from '../../../../src/schema/transformed/mapped.js'
import { sorted } from '../comparable-items.js'

type Memory = ReturnType<typeof memory>
type Names = Readonly<Record<string, string>>
type Handle = {
  put(row: object): PromiseLike<void>
  get(id: unknown): PromiseLike<object>
  update(id: unknown, patch: object): PromiseLike<void>
}

/** The declarations change in these tests, so their types are erased. */
const declareNode = node as unknown as (name: string, attributes: object, options: object) => never
const declareEdge = edge as unknown as (name: string, ends: object, attributes: object, options: object) => never

const opened = async (layout: Layout, store: Memory) =>
  (await open(layout, store, { follow: false, drift: 'allow' })) as never as Readonly<Record<string, Handle>>

const KEYS = { user: { PK: 'U#{id}', SK: 'U#' }, wrote: { PK: 'U#{user}', SK: 'W#{post}' } }

/** A graph with members at every depth, with the given stored names. */
function made(names: Names, { keys, carry = { kept: 'user.fixed' } }: { keys?: object; carry?: object } = {}): Layout {
  const of = (name: string) => (names[name] ? string().optional().stored(names[name]) : string().optional())
  const flat = () => map({ a: of('a'), b: of('b') })
  const deep = map({ in: names.in ? flat().stored(names.in) : flat(), c: of('c') })
  const same = { write: (value: object) => value, read: (value: object) => value }
  const attributes = {
    fixed: flat().immutable(),
    deep: deep.optional(),
    several: list(flat()).optional(),
    own: mapped(flat() as never, same as never).optional(),
    wrote: embedded({ title: of('title') } as never),
  }
  const user = declareNode('user', { id: string(), ...attributes }, { id: 'id' })
  const post = declareNode('post', { slug: string() }, { id: 'slug' })
  const by = { post: { as: 'mirror' } }
  const embed = { user: { into: 'wrote', max: 9 } }
  const wrote = declareEdge('wrote', { user, post }, { title: string(), m: flat() }, { by, carry, embed })
  return layoutOf(graph('blog', [user, post, wrote]), (keys ? { keys } : {}) as never) as Layout
}

const rows = {
  user: [
    { id: 'u0', fixed: {} },
    {
      id: 'u1',
      fixed: { a: 'A', b: 'B' },
      deep: { in: { a: 'a', b: 'b' }, c: 'c' },
      several: [{ a: '1' }, { b: '2' }],
    },
    { id: 'u2', fixed: { b: 'only' }, deep: { in: {} }, own: { a: 'x', b: 'y' } },
  ],
  post: [{ slug: 'p' }],
  wrote: ['u0', 'u1', 'u2'].map(user => ({ user, post: 'p', title: `T${user}`, m: { a: `a${user}`, b: 'b' } })),
}

async function written(before: Layout, after: Layout): Promise<Memory> {
  const store = memory()
  await open(before, store, { follow: false })
  const g = await opened(before, store)
  for (const [type, each] of Object.entries(rows)) for (const row of each) await g[type]!.put(row)
  await deploy(after, store)
  return store
}

async function expectUp(store: Memory, layout: Layout) {
  const { Items = [] } = await store.scan({ TableName: 'blog' })
  expect(sorted(Items)).toEqual(sorted(itemsOf(layout, rows).map(({ item }) => item)))
  expect((await verify(await open(layout, store, { follow: false }))).faults).toEqual({})
}

/** Runs a backfill that crashes at a request, and then another one. Returns false if the request is never reached. */
async function diesAt(request: number, store: Memory, before: Layout, after: Layout): Promise<boolean> {
  let left = request
  const mortal = wrap(store, (_, each, options, send) =>
    left-- > 0 ? send(each, options) : Promise.reject(new Error('died')),
  )
  const isDone = await backfill(after, mortal, { from: before }).then(
    () => true,
    (error: Error) => {
      expect(error.message).toBe('died')
      return false
    },
  )
  if (!isDone) await backfill(after, store, { from: before })
  return !isDone
}

describe('members with other stored names', () => {
  const CHANGES: [string, Layout, Layout][] = [
    ['one at every depth', made({}), made({ a: 'x' })],
    ['a map and its members', made({ c: 'z' }), made({ in: 'i', a: 'x', c: 'y', title: 't' })],
    ['two swapped names', made({}), made({ a: 'b', b: 'a' })],
    ['the names of the next members', made({}), made({ a: 'b', b: 'e', in: 'c', c: 'in' })],
    ['other names, with items that move', made({ b: 'y' }), made({ a: 'x', in: 'i', title: 't' }, { keys: KEYS })],
    ['swapped names, with items that move', made({}), made({ a: 'b', b: 'a' }, { keys: KEYS })],
  ]

  it.each(CHANGES)(
    '%s: each attribute keeps its value through repeated migrations with crashes',
    async (_, one, other) => {
      for (let request = 1, isMortal = true; isMortal; request += 3) {
        const store = await written(one, other)
        for (const [before, after] of [
          [one, other],
          [other, one],
          [one, other],
        ] as const) {
          isMortal = await diesAt(request, store, before, after)
          await expectUp(store, after)
        }
      }
    },
  )

  it.each(CHANGES)('%s: migrated items remain unchanged', async (_, before, after) => {
    const store = await written(before, after)
    await backfill(after, store, { from: before })
    const { Items: was } = await store.scan({ TableName: 'blog' })
    await backfill(after, store)
    await backfill(after, store, { from: before })
    expect((await store.scan({ TableName: 'blog' })).Items).toEqual(was)
  })

  it.each([
    ['another', made({ a: 'x', in: 'i' })],
    ['exchanged', made({ a: 'b', b: 'a' })],
  ])('renamed members are copied to edges in any scan order: %s', async (_, names) => {
    const before = made({}, { carry: {} })
    const store = await written(before, names)
    await backfill(names, store, { from: before })
    await expectUp(store, names)
  })

  it('members with other stored names are rejected without the old layout, with advice', async () => {
    const store = await written(made({}), made({ a: 'x' }))
    await expect(backfill(made({ a: 'x' }), store)).rejects.toMatchObject({
      code: 'layout.drift',
      message: expect.stringMatching(
        /attributes are renamed \(.*attribute 'several' was "list", is "list a:x".*\); pass the old layout as 'from'/,
      ),
    })
  })

  it('keep earlier writes with the new layout and undeclared members', async () => {
    const [before, after] = [made({}), made({ a: 'x', in: 'i' })]
    const store = await written(before, after)
    const Key = { PK: { S: 'user#u2' }, SK: { S: '#' } }
    await store.updateItem({
      TableName: 'blog',
      Key,
      UpdateExpression: 'SET #own.#more = :more',
      ExpressionAttributeNames: { '#own': 'own', '#more': 'more' },
      ExpressionAttributeValues: { ':more': { S: 'theirs' } },
    })
    const g = await opened(after, store)
    await g.user!.update('u1', { deep: { in: { a: 'new' } } })
    await backfill(after, store, { from: before })
    expect(await g.user!.get('u1')).toMatchObject({ deep: { in: { a: 'new' } }, several: [{ a: '1' }, { b: '2' }] })
    const { Item } = await store.getItem({ TableName: 'blog', Key })
    expect(Item!.own).toEqual({ M: { x: { S: 'x' }, b: { S: 'y' }, more: { S: 'theirs' } } })
  })

  it('keep an entry that is added during the migration, also if its node does not find the edge', async () => {
    const blog = (title: object) => {
      const user = declareNode('user', { id: string(), wrote: embedded({ title } as never) }, { id: 'id' })
      const post = declareNode('post', { slug: string() }, { id: 'slug' })
      const options = { by: { user: { as: 'none' } }, embed: { user: { into: 'wrote', max: 9 } } }
      return layoutOf(graph('blog', [user, post, declareEdge('wrote', { user, post }, { title: string() }, options)]))
    }
    const [before, after] = [blog(string()), blog(string().stored('t'))] as [Layout, Layout]
    const store = memory()
    const old = await opened(before, store)
    await old.user!.put({ id: 'u' })
    for (const slug of ['p', 'q']) await old.post!.put({ slug })
    await old.wrote!.put({ user: 'u', post: 'p', title: 'P' })
    const g = await opened(after, store)
    let times = 0
    const racing = wrap(store, async (operation, request, options, send) => {
      if (operation === 'transactWriteItems' && times++ === 0) await g.wrote!.put({ user: 'u', post: 'q', title: 'Q' })
      return send(request, options)
    })
    await backfill(after, racing, { from: before })
    expect(times).toBeGreaterThan(1)
    expect(await g.user!.get('u')).toEqual({ id: 'u', wrote: { p: { title: 'P' }, q: { title: 'Q' } } })
  })
})
