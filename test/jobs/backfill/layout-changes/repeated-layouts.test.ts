import { expect, it } from 'vitest'
import { memory } from '../../../../src/engine/memory.js'
import { edge, graph, integer, layout as layoutOf, node, open, remove, string } from '../../../../src/index.js'
import { backfill, deploy, verify } from '../../../../src/jobs/index.js'
import type { Layout } from '../../../../src/layout/layout.js'

interface Handles {
  readonly follows: { put(row: object): PromiseLike<void>; get(row: object): PromiseLike<object> }
}

const user = node('user', { id: string() }, { id: 'id' })
const made = (by: object) =>
  layoutOf(graph('users', [user, edge('follows', { a: user, b: user }, { no: integer() }, { by } as never)])) as Layout

/** Edges whose ends swap: edges of the new layout look like others of the old one, which has fewer keys. */
const before = made({ b: { as: 'none' } })
const after = made({ a: { order: ['no'] }, b: { as: 'adjacent' } })
const ROWS = [
  { a: 'x', b: 'y', no: 1 },
  { a: 'y', b: 'x', no: 2 },
  { a: 'x', b: 'z', no: 3 },
  { a: 'x', b: 'x', no: 4 },
]

it('a table that alternates between two layouts has every item at its correct key each time', async () => {
  const store = memory()
  const opened = async (layout: Layout) => (await open(layout, store)) as never as Handles & object
  const g = await opened(before)
  for (const row of ROWS) await g.follows.put(row)
  await deploy(after, store)
  for (const [from, to] of [
    [before, after],
    [after, before],
    [before, after],
    [after, before],
  ] as const) {
    await backfill(to, store, { from })
    const h = await opened(to)
    for (const row of ROWS) expect(await h.follows.get(row)).toEqual(row)
    expect((await verify(h)).faults).toEqual({ 'edge.dangling': 8 })
  }
})

it('writes with the new layout after a backfill remain when the backfill is repeated', async () => {
  const store = memory()
  const opened = async (layout: Layout) => (await open(layout, store)) as never as Handles & object
  const g = await opened(before)
  for (const row of ROWS.slice(0, 2)) await g.follows.put(row)
  await deploy(after, store)
  await backfill(after, store, { from: before })
  const h = await opened(after)
  for (const row of ROWS.slice(2)) await h.follows.put(row)
  await backfill(after, store, { from: before })
  for (const row of ROWS) expect(await h.follows.get(row)).toEqual(row)
  expect((await verify(h)).faults).toEqual({ 'edge.dangling': 8 })
})

it('an index that is restored has no old entries, in either direction', async () => {
  const ranked = (by: object) =>
    graph('users', [node('user', { id: string(), rank: integer().optional() }, { id: 'id', ...by })])
  const [without, within] = [ranked({}), ranked({ by: { rank: { order: ['rank'] } } })]
  for (const from of [undefined, without]) {
    const store = memory()
    await (await open(within, store)).user.put({ id: 'x', rank: 1 })
    await backfill(without, store)
    await (await open(without, store)).user.update('x', { rank: remove() })
    await backfill(within, store, { from })
    const g = await open(within, store)
    expect((await verify(g)).faults).toEqual({})
  }
})

it('a new type that changes the escaping of keys is reported, and old items are found after a backfill', async () => {
  const named = (end: object) => edge('follows', { a: user, b: user }, {}, end)
  const sharded = { by: { b: { as: 'mirror', shards: 3 } } } as const
  const [alone, more] = [graph('users', [user]), graph('users', [user, named(sharded)])]
  const store = memory()
  // Some of these are the keys of others under the other layout.
  const ids = ['plain', 'LOS ANGELES#', 'a b', 'a$ b', 'a$$ b', 'a$$$ b', 'a$$$$ b', '$', '$$', '#', '!', 'x#y']
  const g = await open(alone, store)
  for (const id of ids) await g.user.put({ id })
  const drift = { code: 'layout.drift', message: expect.stringContaining('is "user#{id} encoded #  escaped"') }
  await expect(open(more, store)).rejects.toMatchObject(drift)
  for (const [from, to] of [
    [alone, more],
    [more, alone],
  ] as const) {
    await backfill(to, store, { from })
    const h = await open(to, store)
    expect(await h.user.many(ids)).toEqual(ids.map(id => ({ id })))
    expect((await verify(h)).faults).toEqual({})
  }
})

it('a new type that does not change other keys is not reported', async () => {
  const numbered = node('user', { id: integer() }, { id: 'id' })
  const store = memory()
  await open(graph('users', [numbered]), store)
  const by = { b: { as: 'mirror', shards: 3 } } as const
  const g = await open(graph('users', [numbered, edge('follows', { a: numbered, b: numbered }, {}, { by })]), store)
  expect(await g.user.get(1)).toBeUndefined()
})
