import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { counter, edge, graph, layout as layoutOf, node, open, string } from '../../../src/index.js'
import { backfill, deploy, verify } from '../../../src/jobs/index.js'
import type { Layout } from '../../../src/layout/layout.js'
import { type Settle, settling, survived } from './crashing-backfill.js'

interface Handles {
  readonly user: {
    put(row: object): PromiseLike<void>
    get(id: string): PromiseLike<{ n?: number; m?: number }>
    update(id: string, patch: object): PromiseLike<void>
  }
  readonly likes: { put(row: object): PromiseLike<void>; delete(row: object): PromiseLike<void> }
}

const opened = async (layout: Layout, store: ReturnType<typeof memory>) =>
  (await open(layout, store, { follow: false })) as never as Handles & object

const user = node('user', { id: string(), name: string(), n: counter(), m: counter() }, { id: 'id' })
const [ab, ba] = [
  { a: user, b: user },
  { b: user, a: user },
]
const [n, m] = [
  { into: 'n', by: 'stream' },
  { into: 'm', by: 'stream' },
]

const made = (ends: object, options: object, physical: object = {}): Layout =>
  layoutOf(graph('users', [user, edge('likes', ends as typeof ab, {}, options as never)]), physical as never) as Layout

const EDGES = ['uv', 'vu', 'uw', 'uu', 'vw', 'wu'].map(([a, b]) => ({ a, b }))

const keys = (own: object, mirror: object) => ({
  keys: { user: { PK: 'U#{id}', SK: '#' }, likes: { ...own, mirror } },
})
const [atA, atB] = [
  { PK: 'U#{a}', SK: 'A#{b}' },
  { PK: 'U#{b}', SK: 'B#{a}' },
]
const carry = { name: { from: 'a.name', sync: 'eventual' } }

const CHANGES: [string, Layout, Layout][] = [
  ['the ends of edges swap', made(ab, { count: { b: n } }), made(ba, { count: { b: n } })],
  ['both ends of counted edges swap', made(ab, { count: { a: n, b: m } }), made(ba, { count: { a: n, b: m } })],
  ['a counter is of the other end', made(ab, { count: { a: n } }), made(ab, { count: { b: n } })],
  ['a counter goes', made(ab, { count: { a: n, b: m } }), made(ab, { count: { b: n } })],
  ['another counter comes', made(ab, { count: { a: [n] } }), made(ab, { count: { a: [m, n] } })],
  ['one of several goes', made(ab, { count: { a: ['m', n] } }), made(ab, { count: { a: [n] } })],
  ['two of one end change keepers', made(ab, { count: { a: [n, 'm'] } }), made(ab, { count: { a: ['n', m] } })],
  ['their writers keep a counter', made(ab, { count: { a: n, b: m } }), made(ab, { count: { a: 'n', b: m } })],
  ['their writers kept a counter', made(ab, { count: { a: 'n', b: m } }), made(ab, { count: { a: n, b: m } })],
  [
    'a counter is renamed',
    made(ab, { count: { a: n } }),
    made(ab, { count: { a: n } }, { names: { user: { n: 'x' } } }),
  ],
  [
    'edges become sharded',
    made(ab, { count: { b: n }, by: { b: { as: 'mirror', shards: 2 } } }),
    made(ab, { count: { b: n }, by: { b: { as: 'mirror', shards: 3 } } }),
  ],
  [
    'an edge and its mirror swap keys',
    made(ab, { count: { b: n }, by: { b: { as: 'mirror' } }, carry }, keys(atA, atB)),
    made(ba, { count: { b: n }, by: { a: { as: 'mirror' } }, carry }, keys(atB, atA)),
  ],
]

describe('stream-derived data is exact after a backfill if', () => {
  /** Some counted edges, a deleted one and a new one. */
  async function written(before: Layout, after: Layout) {
    const store = memory()
    const g = await opened(before, store)
    const settle = await settling(store)
    for (const id of ['u', 'v', 'w']) await g.user.put({ id, name: id })
    for (const row of EDGES.slice(0, -1)) await g.likes.put(row)
    await settle(before)
    await g.likes.delete(EDGES[1]!)
    await g.likes.put(EDGES.at(-1)!)
    await g.user.update('u', { name: 'U' })
    await deploy(after, store)
    return { store, settle }
  }

  async function expectExact(store: ReturnType<typeof memory>, after: Layout, settle: Settle) {
    const h = await opened(after, store)
    await settle(after)
    expect((await verify(h)).faults).toEqual({})
    for (const row of EDGES) await h.likes.put(row)
    await settle(after)
    expect((await verify(h)).faults).toEqual({})
    for (const row of EDGES) await h.likes.delete(row)
    await settle(after)
    expect((await verify(h)).faults).toEqual({})
    expect(await h.user.get('u')).toMatchObject({ n: 0 })
  }

  it.each(CHANGES)('%s', async (_, before, after) => {
    const { store, settle } = await written(before, after)
    await backfill(after, store, { from: before })
    await expectExact(store, after, settle)
  })

  it.each(CHANGES)('%s, with a concurrent consumer and crashing processes', async (_, before, after) => {
    const { store, settle } = await written(before, after)
    await survived(before, after, store, settle)
    await expectExact(store, after, settle)
  })

  it.each(CHANGES)('%s, in a table without a fingerprint', async (_, before, after) => {
    const { store, settle } = await written(before, after)
    await store.deleteItem({ TableName: 'users', Key: { PK: { S: '$edgewise' }, SK: { S: '#' } } })
    await survived(before, after, store, settle)
    await expectExact(store, after, settle)
  })
})
