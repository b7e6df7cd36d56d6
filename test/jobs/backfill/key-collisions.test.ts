import { describe, expect, it } from 'vitest'
import { createDerivationContext } from '../../../src/derive/settle/context.js'
import { memory } from '../../../src/engine/memory.js'
import { environmentOf } from '../../../src/graph/open.js'
import { edge, graph, integer, layout, node, open, string, wrap } from '../../../src/index.js'
import { assertMovesPossible } from '../../../src/jobs/backfill/key-collisions.js'
import { backfill, verify } from '../../../src/jobs/index.js'
import { itemsOf } from '../../../src/layout/index.js'
import type { Layout } from '../../../src/layout/layout.js'
import type { Store } from '../../../src/store/port.js'

const user = node('user', { id: string() }, { id: 'id' })
const course = node('course', { id: string() }, { id: 'id' })
const attributes = { n: integer() }
const takes = (options: { key?: ['n']; one?: 'user' | 'course' }) =>
  layout(graph('school', [user, course, edge('takes', { user, course }, attributes, options)])) as Layout
const order = (options: { within?: typeof user }) =>
  layout(graph('school', [user, node('order', { no: string(), ...attributes }, { id: 'no', ...options })])) as Layout
const room = (id: 'no' | ['floor', 'no']) =>
  layout(graph('school', [node('room', { floor: string(), no: string() }, { id })])) as Layout
const folded = (fold?: 'lower') =>
  layout(graph('school', [user]), {
    raw: { ...(fold && { fold }) },
    keys: { user: { PK: 'U#{id}', SK: 'U' } },
  }) as Layout

const named = (id: 'id' | 'name') => graph('school', [node('pupil', { id: string(), name: string() }, { id })])

type Rows = Readonly<Record<string, { put(row: object): PromiseLike<void>; delete(row: unknown): PromiseLike<void> }>>
const opened = async (made: Layout, store: ReturnType<typeof memory>, drift?: 'allow') =>
  (await open(made, store, { ...(drift && { drift }) })) as never as Rows

const both = { user: 'a', course: 'x' }
const CHANGES = [
  ['a part of an edge key is dropped', takes({ key: ['n'] }), takes({}), 'takes', { ...both, n: 1 }, { ...both, n: 2 }],
  [
    'a node may have only one edge',
    takes({}),
    takes({ one: 'user' }),
    'takes',
    { ...both, n: 1 },
    { ...both, course: 'y', n: 1 },
  ],
  [
    'the other end may have only one edge',
    takes({}),
    takes({ one: 'course' }),
    'takes',
    { ...both, n: 1 },
    { ...both, user: 'b', n: 1 },
  ],
  [
    'an owner is dropped',
    order({ within: user }),
    order({}),
    'order',
    { user: 'a', no: '1', n: 1 },
    { user: 'b', no: '1', n: 2 },
  ],
  [
    'a part of an id is dropped',
    room(['floor', 'no']),
    room('no'),
    'room',
    { floor: '1', no: '7' },
    { floor: '2', no: '7' },
  ],
  ['keys are case-folded', folded(), folded('lower'), 'user', { id: 'A' }, { id: 'a' }],
] as const

describe.each(CHANGES)('two items that would collide because %s', (_, before, after, type, one, other) => {
  const itemsIn = async (store: ReturnType<typeof memory>) =>
    (await store.scan({ TableName: 'school' })).Items!.filter(({ PK }) => PK!.S !== '$edgewise')

  it('both remain when the backfill is rejected, and one is migrated after the other is deleted', async () => {
    const store = memory()
    const g = await opened(before, store)
    await g[type]!.put(one)
    await g[type]!.put(other)
    const there = await itemsIn(store)
    const refused = { code: 'layout.drift', message: expect.stringContaining('and one of them would be lost') }
    await expect(backfill(after, store, { from: before })).rejects.toMatchObject(refused)
    expect(await itemsIn(store)).toEqual(there)
    await g[type]!.delete(type === 'user' ? 'a' : other)
    await backfill(after, store, { from: before })
    expect(await itemsIn(store)).toHaveLength(1)
    const { faults } = await verify(await opened(after, store))
    expect(Object.keys(faults).filter(code => code !== 'edge.dangling')).toEqual([])
  })

  it('both remain if the second is written with the new layout before the first is moved', async () => {
    const store = memory()
    const g = await opened(before, store)
    await g[type]!.put(one)
    const newer = await opened(after, store, 'allow')
    const { user: _, ...unowned } = other as { user?: string }
    await newer[type]!.put(type === 'order' ? unowned : other)
    const there = await itemsIn(store)
    expect(there).toHaveLength(2)
    await expect(backfill(after, store, { from: before })).rejects.toThrow('and one of them would be lost')
    expect(await itemsIn(store)).toEqual(there)
  })
})

it.each([
  ['lacks a value of its key', string().optional(), string(), { id: 'a', org: 'o' }, { id: 'b' }],
  [
    'does not fit into its key',
    integer({ min: 0, max: 999 }),
    integer({ min: 0, max: 9 }),
    { id: 'a', org: 1 },
    { id: 'b', org: 10 },
  ],
])('no item is moved if one item %s, so that the old layout remains complete', async (_, was, is, one, other) => {
  const before = layout(graph('school', [node('user', { id: string(), org: was as never }, { id: 'id' })])) as Layout
  const after = layout(
    graph('school', [node('user', { id: string(), org: is as never }, { id: ['org', 'id'] })]),
  ) as Layout
  const store = memory()
  const g = await opened(before, store)
  for (const row of [one, other]) await g.user!.put(row)
  const there = (await store.scan({ TableName: 'school' })).Items
  await expect(backfill(after, store, { from: before })).rejects.toThrow(
    "item 'user#b #': this item cannot be migrated",
  )
  expect((await store.scan({ TableName: 'school' })).Items).toEqual(there)
  await backfill(before, store, { from: after })
  await opened(before, store)
})

it('an item whose id loses a part remains the same item when it is written again with the new layout', async () => {
  const [before, after] = [room(['floor', 'no']), room('no')]
  const store = memory()
  const g = await opened(before, store)
  const newer = await opened(after, store, 'allow')
  for (const handle of [newer, g]) await handle.room!.put({ floor: '1', no: '7' })
  await backfill(after, store, { from: before })
  expect((await verify(await opened(after, store))).faults).toEqual({})
})

it.each([
  [
    'items of two tenants, in a graph without tenants now',
    graph('school', [user], { tenant: true }),
    graph('school', [user]),
    ['t', 'u'].map(tenant =>
      itemsOf(layout(graph('school', [user], { tenant: true })), { user: [{ id: 'a' }] }, tenant),
    ),
  ],
  [
    'nodes with another attribute as the new id',
    named('id'),
    named('name'),
    ['a', 'b'].map(id => itemsOf(layout(named('id')), { pupil: [{ id, name: 'Ann' }] })),
  ],
])('two items that would collide both remain when the backfill is rejected: %s', async (_, before, after, items) => {
  const store = memory()
  await open(before as never, store)
  for (const { item } of items.flat()) await store.putItem({ TableName: 'school', Item: item })
  const { Items: there } = await store.scan({ TableName: 'school' })
  await expect(backfill(after, store, { from: before as never })).rejects.toThrow('and one of them would be lost')
  expect((await store.scan({ TableName: 'school' })).Items).toEqual(there)
})

it('keys that exceed the memory limit are checked in several ranges', async () => {
  const [before, after] = [room(['floor', 'no']), room('no')]
  const store = memory()
  const g = await opened(before, store)
  for (let no = 0; no < 40; no++) await g.room!.put({ floor: '1', no: `${no}` })
  let scans = 0
  const counted = wrap(store, async (operation, request, options, send) => {
    if (operation === 'scan') scans++
    return send(request, options)
  })
  const check = (each: Store) =>
    assertMovesPossible(createDerivationContext(after, each, environmentOf({})), before, false, undefined, 4)
  await check(counted)
  expect(scans).toBeGreaterThanOrEqual(10)
  for (let no = 0; no < 40; no++) {
    await g.room!.put({ floor: '2', no: `${no}` })
    await expect(check(store)).rejects.toThrow('one of them would be lost')
    await g.room!.delete({ floor: '2', no: `${no}` })
  }
})

it('two opposite edges of former tenants are rejected before either is moved', async () => {
  const likes = (isDivided: boolean) => {
    const edges = edge(
      'likes',
      { from: user, to: user },
      {},
      (isDivided ? {} : { undirected: true }) as { undirected: true },
    )
    return layout(graph('school', [user, edges], isDivided ? { tenant: true } : {})) as Layout
  }
  const [before, after] = [likes(true), likes(false)]
  const store = memory()
  await open(before, store)
  const rows = ['ab', 'ba'].map(([from, to]) => ({ from, to }))
  for (const { item } of itemsOf(before, { likes: rows } as never, 't'))
    await store.putItem({ TableName: 'school', Item: item })
  const { Items: there } = await store.scan({ TableName: 'school' })
  await expect(backfill(after, store, { from: before })).rejects.toThrow('and one of them would be lost')
  expect((await store.scan({ TableName: 'school' })).Items).toEqual(there)
})

/** Edges with both ends in their keys, stored in the partition of one end. */
const likes = (home: 'from' | 'to', far: 'from' | 'to', options = {}) =>
  layout(
    graph('school', [user, edge('likes', { from: user, to: user }, {}, { by: { [far]: { as: 'none' } }, ...options })]),
    { raw: true, keys: { user: { PK: 'U#{id}', SK: '#' }, likes: { PK: `U#{${home}}`, SK: `L#{${far}}` } } },
  ) as Layout

it('two edges of a node that may have one are rejected during a swap of edges, and migrated after one is deleted', async () => {
  const [before, after] = [likes('from', 'to'), likes('to', 'from', { one: 'to' })]
  const store = memory()
  const g = await opened(before, store)
  for (const id of ['a', 'b', 'c']) await g.user!.put({ id })
  for (const [from, to] of ['ab', 'ba', 'ca']) await g.likes!.put({ from, to })
  await expect(backfill(after, store, { from: before })).rejects.toMatchObject({ code: 'unique.taken' })
  for (const made of [before, after]) await (await opened(made, store, 'allow')).likes!.delete({ from: 'c', to: 'a' })
  await backfill(after, store, { from: before })
  expect((await verify(await opened(after, store))).faults).toEqual({})
})

it('a sentinel without an owner does not block a swap of edges', async () => {
  const [before, after] = [likes('from', 'to'), likes('to', 'from', { one: 'to' })]
  const store = memory()
  const g = await opened(before, store)
  for (const id of ['a', 'b']) await g.user!.put({ id })
  for (const [from, to] of ['ab', 'ba']) await g.likes!.put({ from, to })
  const left = itemsOf(after, { likes: [{ from: 'z', to: 'a' }] } as never).find(
    ({ item }) => item._type?.S === 'likes.$one',
  )!
  await store.putItem({ TableName: 'school', Item: left.item })
  await backfill(after, store, { from: before })
  expect((await verify(await opened(after, store))).faults).toEqual({})
})
