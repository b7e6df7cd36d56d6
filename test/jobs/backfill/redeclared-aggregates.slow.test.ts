import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { counter, edge, embedded, graph, integer, layout as layoutOf, node, open, string } from '../../../src/index.js'
import { backfill, deploy, verify } from '../../../src/jobs/index.js'
import type { Layout } from '../../../src/layout/layout.js'
import { type Settle, settling, survived } from './crashing-backfill.js'

interface Handles {
  readonly user: { put(row: object): PromiseLike<void> }
  readonly room: { put(row: object): PromiseLike<void>; get(id: string): PromiseLike<Record<string, unknown>> }
  readonly inside: { put(row: object): PromiseLike<void>; delete(row: object): PromiseLike<void> }
  readonly near: Handles['inside']
}

const user = node('user', { id: string(), name: string().optional() }, { id: 'id' })
const room = node(
  'room',
  { id: string(), n: counter(), m: counter(), map: embedded({ size: integer() }) },
  { id: 'id', by: { best: { order: ['n'] } } },
)

const mirror = { by: { room: { as: 'mirror' } } }
/** An edge type with stream-derived data in every layout. */
const copied = edge('copied', { user, room }, {}, {
  carry: { name: { from: 'user.name', sync: 'eventual' } },
  ...mirror,
} as never)

/** Two types of edges between the same nodes, each with a counter. */
function made(inside: object, near: object | 'no such type' = {}): Layout {
  const edges = Object.entries({ inside, ...(near !== 'no such type' && { near }) }).map(([name, options]) =>
    edge(name, { user, room }, { size: integer() }, { ...options, ...mirror } as never),
  )
  return layoutOf(graph('users', [user, room, ...edges, copied])) as Layout
}

const opened = async (layout: Layout, store: ReturnType<typeof memory>) =>
  (await open(layout, store, { follow: false })) as never as Handles & object

const by = 'stream'
const none = made({})
const counted = made({ count: { room: 'n' } })
const streamed = made({ count: { room: { into: 'n', by } } })
const summed = made({ sum: { room: { into: 'n', of: 'size' } } })
const streamSummed = made({ sum: { room: { into: 'n', of: 'size', by } } })
const both = made({ count: { room: { into: 'n', by } }, sum: { room: { into: 'm', of: 'size', by } } })
const mapped = made({ embed: { room: { into: 'map', max: 9 } } })
const some = (size: number, more: object = { by }) => ({ count: { room: { into: 'n', where: { size }, ...more } } })

/** Edges in the partition of their rooms, which find them there or by mirrors. */
function found(as: 'adjacent' | 'mirror'): Layout {
  const inside = edge('inside', { user, room }, { size: integer() }, {
    count: { room: { into: 'n', by } },
    by: { user: { as: 'none' }, room: { as } },
  } as never)
  const keys = { room: { PK: 'R#{id}', SK: '#' }, inside: { PK: 'R#{room}', SK: 'I#{user}' } }
  return layoutOf(graph('users', [user, room, inside, copied]), { keys } as never) as Layout
}

const CHANGES: [string, ...Layout[]][] = [
  ['by writers, then dropped, then by the stream', counted, none, streamed],
  ['by the stream, then dropped, then by the stream', streamed, none, streamed],
  ['by the stream, then dropped, then by writers', streamed, none, counted],
  ['by writers, then dropped, then by writers', counted, none, counted],
  ['in a sum by writers, then dropped, then by the stream', summed, none, streamSummed],
  ['in a sum by the stream, then dropped, then by the stream', streamSummed, none, streamSummed],
  ['with another one that is dropped and declared again', both, streamed, both],
  ['in a map, then dropped, then in a map', mapped, none, mapped],
  ['by writers, then dropped and declared again twice', counted, none, streamed, none, streamed, none, counted],
  ['of other edges of the same type', made(some(1)), made(some(2))],
  ['of edges of another type than before, by writers', made(some(1, {})), made({}, some(1))],
  ['of edges of another type than before, by the stream', made(some(1)), made({}, some(1))],
  ['of edges that its node now finds by mirrors', found('adjacent'), found('mirror')],
  ['of edges that its node no longer finds by mirrors', found('mirror'), found('adjacent')],
  ['of edges of a new type', made(some(1), 'no such type'), made({}, some(1))],
]

describe('aggregates of nodes are exact after backfills that change how they are maintained', () => {
  /** Edges of the first layout. Their counter is correct and must remain so. */
  async function write(layout: Layout, store: ReturnType<typeof memory>, settle: Settle, round: number) {
    const g = await opened(layout, store)
    if (round === 0) for (const id of ['u', 'v', 'w']) await g.user.put({ id })
    if (round === 0) for (const id of ['r', 's']) await g.room.put({ id })
    for (const type of [g.inside, g.near].filter(each => each !== undefined)) {
      if (round === 0) for (const size of [1, 2]) await type.put({ user: 'uv'[size - 1], room: 'r', size })
      await type.put({ user: 'w', room: 'r', size: 1 + (round % 2) })
      await type.delete({ user: 'w', room: 'r' })
    }
    await settle(layout)
  }

  async function expectExact(layout: Layout, store: ReturnType<typeof memory>, settle: Settle) {
    const g = await opened(layout, store)
    await settle(layout)
    expect((await verify(g)).faults).toEqual({})
    for (const type of [g.inside, g.near].filter(each => each !== undefined))
      for (const id of ['u', 'v', 'w']) {
        await type.put({ user: id, room: 'r', size: 2 })
        await type.put({ user: id, room: 'r', size: 1 })
        await settle(layout)
        expect((await verify(g)).faults).toEqual({})
        await type.delete({ user: id, room: 'r' })
        await settle(layout)
        expect((await verify(g)).faults).toEqual({})
      }
    expect(await g.room.get('r')).toMatchObject({ n: 0, m: 0 })
    expect(Object.keys((await g.room.get('r')).map ?? {})).toEqual([])
  }

  type BringUp = (before: Layout, after: Layout, store: ReturnType<typeof memory>, settle: Settle) => Promise<unknown>

  async function expectExactAfterEach([first, ...rest]: readonly Layout[], bringUp: BringUp) {
    const store = memory()
    await open(first!, store, { follow: false })
    const settle = await settling(store)
    await write(first!, store, settle, 0)
    let before = first!
    for (const [at, after] of rest.entries()) {
      await deploy(after, store)
      await bringUp(before, after, store, settle)
      await write(after, store, settle, at + 1)
      expect((await verify(await opened(after, store))).faults).toEqual({})
      before = after
    }
    await expectExact(before, store, settle)
  }

  it.each(CHANGES)('%s', (_, ...layouts) =>
    expectExactAfterEach(layouts, (from, after, store) => backfill(after, store, { from })),
  )

  it.each(CHANGES)('%s, with a concurrent consumer and crashing processes', (_, ...layouts) =>
    expectExactAfterEach(layouts, survived),
  )

  it.each(CHANGES)('%s, in a table without a fingerprint', (_, ...layouts) =>
    expectExactAfterEach(layouts, async (before, after, store, settle) => {
      await store.deleteItem({ TableName: 'users', Key: { PK: { S: '$edgewise' }, SK: { S: '#' } } })
      await survived(before, after, store, settle)
    }),
  )
})

it('foreign counts in a table without a fingerprint are not counted again', async () => {
  const store = memory()
  const g = await opened(counted, store)
  await g.user.put({ id: 'u' })
  await g.room.put({ id: 'r' })
  await g.inside.put({ user: 'u', room: 'r', size: 1 })
  await store.deleteItem({ TableName: 'users', Key: { PK: { S: '$edgewise' }, SK: { S: '#' } } })
  await backfill(streamed, store)
  const settle = await settling(store)
  await settle(streamed)
  const h = await opened(streamed, store)
  expect(await h.room.get('r')).toMatchObject({ n: 1 })
  expect((await verify(h)).faults).toEqual({})
})

it.each([
  ['writers', counted],
  ['the stream', streamed],
  ['a map', mapped],
])('aggregates that %s maintained and no edge declares are removed by a backfill', async (_, before) => {
  const store = memory()
  const g = await opened(before, store)
  const settle = await settling(store)
  await g.user.put({ id: 'u' })
  await g.room.put({ id: 'r' })
  await g.inside.put({ user: 'u', room: 'r', size: 1 })
  await settle(before)
  await backfill(none, store, { from: before })
  const h = await opened(none, store)
  const { n, map } = await h.room.get('r')
  expect({ n, map }).toEqual({ n: 0, map: {} })
  expect((await verify(h)).faults).toEqual({})
})
