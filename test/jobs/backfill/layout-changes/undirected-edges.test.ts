import { expect, it } from 'vitest'
import { memory } from '../../../../src/engine/memory.js'
import { counter, edge, graph, integer, layout as layoutOf, node, open, string } from '../../../../src/index.js'
import { backfill, deploy, verify } from '../../../../src/jobs/index.js'
import type { Layout } from '../../../../src/layout/layout.js'
import { settling } from '../crashing-backfill.js'

const user = node('user', { id: string(), friends: counter() }, { id: 'id' })
const attributes = { since: integer() }
const before = graph('users', [user, edge('knows', { a: user, b: user }, attributes)])
const count = { a: { into: 'friends', by: 'stream' } } as const
const after = graph('users', [user, edge('knows', { a: user, b: user }, attributes, { undirected: true, count })])

/** Two users with two edges between them, and a consumer that has not handled their records. */
async function setUp() {
  const store = memory()
  const g = await open(before, store)
  for (const id of ['x', 'y']) await g.user.put({ id })
  await deploy(after, store)
  const settle = await settling(store)
  await g.knows.put({ a: 'x', b: 'y', since: 1 })
  await g.knows.put({ a: 'y', b: 'x', since: 2 })
  return { store, g, settle: () => settle(layoutOf(after) as Layout) }
}

it.each([
  ['before', 'x', 'y'],
  ['before', 'y', 'x'],
  ['after', 'x', 'y'],
  ['after', 'y', 'x'],
])(
  'a consumer that handles, %s a backfill, the deletion of one of two opposite edges, from %s to %s, keeps the other',
  async (when, a, b) => {
    const { store, g, settle } = await setUp()
    await g.knows.delete({ a, b })
    if (when === 'before') await settle()
    await backfill(after, store)
    await settle()
    const h = await open(after, store, { follow: false })
    const since = a === 'x' ? 2 : 1
    expect(await h.knows.by.a('x').all()).toEqual([{ a: 'x', b: 'y', since }])
    expect(await h.knows.by.a('y').all()).toEqual([{ a: 'y', b: 'x', since }])
    expect((await h.user.many(['x', 'y'])).map(each => each?.friends)).toEqual([1, 1])
    expect((await verify(h)).faults).toEqual({})
  },
)

it.each(['before', 'after'])('a consumer that handles opposite edges %s a backfill has no failures', async when => {
  const { store, settle } = await setUp()
  if (when === 'before') await settle()
  await backfill(after, store, { from: before })
  await settle()
  const h = await open(after, store, { follow: false })
  expect(await h.knows.by.a('x').all()).toHaveLength(1)
  expect((await h.user.many(['x', 'y'])).map(each => each?.friends)).toEqual([1, 1])
  expect((await verify(h)).faults).toEqual({})
})
