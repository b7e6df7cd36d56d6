import { describe, expect, it } from 'vitest'
import { memory } from '../../../../src/engine/memory.js'
import { date, edge, graph, integer, layout as layoutOf, node, open, string, wrap } from '../../../../src/index.js'
import { backfill, deploy, verify } from '../../../../src/jobs/index.js'
import { itemsOf } from '../../../../src/layout/items/items.js'
import type { Layout } from '../../../../src/layout/layout.js'
import { sorted } from '../comparable-items.js'

type Memory = ReturnType<typeof memory>
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

const text = () => string().optional()

describe('a value that only the new layout knows remains after a backfill', () => {
  const made = (attributes: object, options: object = {}) =>
    layoutOf(graph('users', [declareNode('user', { id: string(), ...attributes }, { id: 'id', ...options })])) as Layout
  const byMail = { by: { mail: { order: ['mail'] } } }
  const unordered = made({ mail: text() })
  const ordered = made({ mail: text() }, byMail)
  const given = made({ mail: text().stored('x') }, byMail)

  const CHANGES: [string, Layout, Layout, object, unknown][] = [
    [
      'in an index',
      ordered,
      made({ mail: text(), rank: integer().optional() }, { by: { rank: { order: ['rank'] } } }),
      { mail: 'n', rank: 5 },
      { id: 'a', mail: 'm' },
    ],
    [
      'as a facet',
      ordered,
      made({ mail: text(), rank: integer().optional() }, { by: { rank: { in: ['rank'], as: 'item' } } }),
      { mail: 'n', rank: 5 },
      { id: 'a', mail: 'm' },
    ],
    [
      'as a unique value',
      unordered,
      made({ mail: text(), nick: text() }, { unique: ['nick'] }),
      { nick: 'n' },
      { id: 'a', mail: 'm' },
    ],
    [
      'as the time to live',
      unordered,
      made({ mail: text(), until: date().optional() }, { expires: 'until' }),
      { until: new Date(Date.UTC(2100, 0)) },
      { id: 'a', mail: 'm' },
    ],
    [
      'under the name of a removed attribute',
      ordered,
      made({ post: text().stored('mail') }, { by: { mail: { order: ['post'] } } }),
      { post: 'n' },
      { id: 'a', post: 'm' },
    ],
    [
      'under the declared name of another attribute with a different stored name',
      given,
      made({ y: text().stored('mail') }, { by: { mail: { order: ['y'] } } }),
      { y: 'n' },
      { id: 'a' },
    ],
  ]

  it.each(CHANGES)('%s', async (_, before, after, fresh, old) => {
    const store = memory()
    await (await opened(before, store)).user!.put({ id: 'a', mail: 'm' })
    await deploy(after, store)
    const g = await opened(after, store)
    await g.user!.put({ id: 'b', ...fresh })
    const Key = { PK: { S: 'user#b' }, SK: { S: '#' } }
    const { Item: was } = await store.getItem({ TableName: 'users', Key })
    await backfill(after, store, { from: before })
    expect((await store.getItem({ TableName: 'users', Key })).Item).toEqual(was)
    expect(await g.user!.get('a')).toEqual(old)
    expect((await verify(g)).faults).toEqual({})
  })
})

describe('stored names that belonged to other attributes', () => {
  const KEYS = { user: { PK: 'U#{id}', SK: 'U#' }, wrote: { PK: 'U#{user}', SK: 'W#{post}' } }
  const options = { unique: ['a'], by: { b: { in: ['b'], as: 'item' }, c: { order: ['c'] } } }

  function made(names: Readonly<Record<string, string>>, keys?: object, carry: object = { c: 'user.c' }): Layout {
    const of = <T extends { stored(name: string): unknown }>(slot: string, type: T) =>
      names[slot] ? type.stored(names[slot]) : type
    const attributes = { a: of('a', text()), b: of('b', text()), c: of('c', text().immutable()), d: of('d', text()) }
    const user = declareNode('user', { id: string(), ...attributes }, { id: 'id', ...options })
    const post = declareNode('post', { slug: string() }, { id: 'slug' })
    const by = { post: { as: 'mirror', order: ['x'] } }
    const wrote = declareEdge('wrote', { user, post }, { x: of('x', string()), y: of('y', string()) }, { by, carry })
    return layoutOf(graph('blog', [user, post, wrote]), (keys ? { keys } : {}) as never) as Layout
  }

  const rows = {
    user: [
      { id: 'u0', b: 'B', c: 'C0' },
      { id: 'u1', a: 'A1', c: 'C1', d: 'A2' },
      { id: 'u2', a: 'A2', b: 'B', c: 'C2' },
      { id: 'u3', a: 'A3', b: 'A3', c: 'C3', d: 'D3' },
    ],
    post: [{ slug: 'p' }],
    wrote: ['u0', 'u1', 'u2'].map(user => ({ user, post: 'p', x: `X${user}`, y: `Y${user}` })),
  }

  async function written(before: Layout, after: Layout): Promise<Memory> {
    const store = memory()
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

  const CHANGES: [string, Layout, Layout][] = [
    ['two names of a node are swapped', made({}), made({ a: 'b', b: 'a' })],
    ['two names of an edge are swapped', made({}), made({ x: 'y', y: 'x' })],
    ['two names are swapped, one of a copied attribute', made({}), made({ c: 'd', d: 'c' })],
    ['each attribute takes the name of the next', made({}), made({ a: 'b', b: 'c', c: 'd', d: 'e' })],
    ['names rotate, and items move', made({}), made({ a: 'b', b: 'c', c: 'd', d: 'a', x: 'y', y: 'x' }, KEYS)],
  ]

  it.each(CHANGES)(
    '%s: each attribute keeps its value through repeated migrations with crashes',
    async (_, one, other) => {
      for (let request = 1, isMortal = true; isMortal; request += 2) {
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

  it('stored names that belonged to other attributes are not confused in copies from a node, in any scan order', async () => {
    const [before, after] = [made({}, undefined, {}), made({ c: 'd', d: 'c' })]
    const store = await written(before, after)
    await backfill(after, store, { from: before })
    await expectUp(store, after)
  })

  it.each([
    ['exchanged', made({ a: 'b', b: 'a' })],
    ['the names of the next attributes', made({ a: 'b', b: 'e' })],
  ])('keep later writes with the new layout when the backfill is repeated: %s', async (_, after) => {
    const before = made({})
    const store = await written(before, after)
    await backfill(after, store, { from: before })
    const g = await opened(after, store)
    const fresh = { id: 'u4', a: 'A4', b: 'B4', c: 'C4' }
    await g.user!.put(fresh)
    await g.user!.update('u1', { a: 'new', b: 'B1' })
    await backfill(after, store, { from: before })
    expect(await g.user!.get('u4')).toEqual(fresh)
    expect(await g.user!.get('u1')).toEqual({ id: 'u1', a: 'new', b: 'B1', c: 'C1', d: 'A2' })
    expect((await verify(g)).faults).toEqual({})
  })
})
