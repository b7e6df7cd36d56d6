import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { counter, date, edge, graph, integer, layout, node, open, string } from '../../../src/index.js'
import { repair, verify } from '../../../src/jobs/index.js'

const customer = node('customer', { id: string(), name: string() }, { id: 'id' })
const attributes = { no: string(), status: string(), at: date() }
const day = (number: number) => new Date(Date.UTC(2026, 0, number))

const ROWS = [
  { customer: 'x', no: '1', status: 'open', at: day(3) },
  { customer: 'x', no: '2', status: 'open', at: day(1) },
  { customer: 'x', no: '3', status: 'paid', at: day(2) },
  { customer: 'y', no: '1', status: 'open', at: day(2) },
]

type Path = { readonly as?: 'index' | 'item' | 'native'; readonly shards?: number }
const shopOf = (path: Path) =>
  graph('shop', [
    customer,
    node('order', attributes, {
      id: 'no',
      within: customer,
      by: { status: { in: ['customer', 'status'], order: ['at'], ...path }, owners: { order: ['customer', 'at'] } },
    }),
  ])

async function shop(path: Path) {
  const g = await open(shopOf(path), memory())
  for (const id of ['x', 'y']) await g.customer.put({ id, name: id })
  for (const row of ROWS) await g.order.put(row)
  return g
}

const WAYS: readonly Path[] = [{}, { shards: 3 }, { as: 'item' }, { as: 'item', shards: 2 }, { as: 'native' }]
const numbers = (rows: readonly { readonly no: string }[]) => rows.map(({ no }) => no)

describe.each(WAYS)('owned nodes on an index: %j', path => {
  it('owned nodes are read in order, by range, backwards and by pages', async () => {
    const g = await shop(path)
    const mine = g.order.by.status({ customer: 'x', status: 'open' })
    expect(await mine.all()).toEqual([ROWS[1], ROWS[0]])
    expect(numbers(await mine.where({ at: { from: day(2) } }).all())).toEqual(['1'])
    expect(numbers(await mine.where({ at: day(1) }).all())).toEqual(['2'])
    expect(numbers(await mine.reverse().limit(1).all())).toEqual(['1'])
    expect(await mine.count()).toBe(2)
    const first = await mine.page({ limit: 1 })
    const second = await mine.page({ limit: 1, cursor: first.cursor })
    expect([...numbers(first.items), ...numbers(second.items)]).toEqual(['2', '1'])
    const others = g.order.by.status({ customer: 'y', status: 'open' })
    await expect(others.page({ cursor: first.cursor })).rejects.toMatchObject({ code: 'cursor.mismatch' })
    expect(numbers(await others.all())).toEqual(['1'])
  })

  it('owned nodes follow changes and pass verify and repair', async () => {
    const g = await shop(path)
    await g.order.update({ customer: 'x', no: '1' }, { status: 'paid' })
    await g.order.update({ customer: 'x', no: '3' }, { at: day(9) })
    const paid = g.order.by.status({ customer: 'x', status: 'paid' })
    expect(numbers(await paid.all())).toEqual(['1', '3'])
    await g.order.delete({ customer: 'x', no: '1' })
    expect(numbers(await paid.all())).toEqual(['3'])
    expect((await verify(g)).faults).toEqual({})
    expect((await repair(g)).repaired).toBe(0)
  })

  it('owned nodes are part of a collection of the owner', async () => {
    const g = await shop(path)
    await g.customer.put({ id: 'x', name: 'X' })
    const collected = await g.customer.collect('x', {
      open: id => g.order.by.status({ customer: id, status: 'open' }),
      all: g.order.by.customer,
    })
    expect(collected.node).toEqual({ id: 'x', name: 'X' })
    expect(numbers(collected.open)).toEqual(['2', '1'])
    expect(numbers(collected.all)).toEqual(['1', '2', '3'])
    const others = g.customer.collect('x', { open: () => g.order.by.status({ customer: 'y', status: 'open' }) })
    await expect(others).rejects.toMatchObject({ code: 'call.argument' })
  })
})

it('the owner can be the sort key of the path', async () => {
  const g = await shop({})
  expect(numbers(await g.order.by.owners().all())).toEqual(['2', '3', '1', '1'])
  expect(
    numbers(
      await g.order.by
        .owners()
        .where({ customer: 'x', at: { to: day(2) } })
        .all(),
    ),
  ).toEqual(['2', '3'])
  expect(
    await g.order.by
      .owners()
      .where({ customer: { from: 'y' } })
      .count(),
  ).toBe(1)
})

describe('a read by owner', () => {
  it('a read by owner is explained as one Query', async () => {
    const g = await shop({})
    const told = g.order.by
      .status({ customer: 'x', status: 'open' })
      .where({ at: { from: day(2) } })
      .all()
      .explain()
    expect(told.toString()).toContain(
      'Query on the index GSI1: GSI1PK = "order.status#x#open" AND GSI1SK >= "2026-01-02',
    )
    expect(told.total).toMatchObject({ requests: 1 })
  })

  it.each(WAYS)('a read by owner is rejected without its owner, or with other members: %j', async path => {
    const g = await shop(path)
    const by = g.order.by.status as unknown as (given?: object) => { all(): Promise<unknown> }
    const codeOf = (given?: object) =>
      by(given)
        .all()
        .catch(error => error.code)
    const missing = path.as === 'native' ? 'read.part' : 'key.missing'
    expect(await codeOf({ status: 'open' })).toBe(missing)
    expect(await codeOf()).toBe(missing)
    expect(await codeOf({ customer: 'x', status: 'open', no: '1' })).toBe('read.part')
    expect(await codeOf({ customer: { id: 'x' }, status: 'open' })).toBe('value.type')
  })
})

it('an owner with an id of several parts is given as elsewhere, also when it is itself owned', async () => {
  const store = node('store', { zip: string(), no: integer() }, { id: ['zip', 'no'] })
  const shelf = node('shelf', { at: string() }, { id: 'at', within: store })
  const by = { kind: { in: ['kind', 'shelf'], order: ['size'] }, each: { in: ['shelf'], as: 'item' } } as const
  const box = node('box', { id: string(), kind: string(), size: integer() }, { id: 'id', within: shelf, by })
  const tenants = await open(graph('stores', [store, shelf, box], { tenant: true }), memory())
  const [g, others] = [tenants.$tenant('a#'), tenants.$tenant('a')]
  const left = { store: { zip: '1#', no: 2 }, at: 'left' }
  const right = { ...left, at: 'right' }
  await g.box.put({ shelf: left, id: 'b', kind: 'k', size: 7 })
  await g.box.put({ shelf: left, id: 'c', kind: 'k', size: 3 })
  await g.box.put({ shelf: right, id: 'b', kind: 'k', size: 5 })
  await others.box.put({ shelf: left, id: 'o', kind: 'k', size: 1 })
  const ids = async (query: { all(): PromiseLike<readonly { readonly id: string }[]> }) =>
    (await query.all()).map(({ id }) => id)
  expect(await ids(g.box.by.kind({ kind: 'k', shelf: left }))).toEqual(['c', 'b'])
  expect(await ids(g.box.by.kind({ kind: 'k', shelf: right }))).toEqual(['b'])
  expect(await ids(g.box.by.each({ shelf: left }))).toEqual(['b', 'c'])
  expect(await ids(others.box.by.kind({ kind: 'k', shelf: left }))).toEqual(['o'])
  const half = { kind: 'k', shelf: { at: 'left' } } as never
  await expect(g.box.by.kind(half).all()).rejects.toMatchObject({ code: 'key.missing' })
})

it('owned nodes are ranked by a counter', async () => {
  const league = node('league', { id: string() }, { id: 'id' })
  const by = { best: { in: ['league'], order: ['points'] } } as const
  const team = node('team', { name: string(), points: counter() }, { id: 'name', within: league, by })
  const wins = edge('wins', { team, over: team }, {}, { count: { team: 'points' } })
  const g = await open(graph('leagues', [league, team, wins]), memory())
  for (const name of ['a', 'b', 'c']) await g.team.put({ league: '1', name })
  await g.team.put({ league: '2', name: 'd' })
  await g.wins.put({ team: { league: '1', name: 'b' }, over: { league: '1', name: 'a' } })
  const ranked = await g.team.by.best({ league: '1' }).reverse().all()
  expect(ranked.map(({ name, points }) => [name, points])).toEqual([
    ['b', 1],
    ['c', 0],
    ['a', 0],
  ])
})

it('an adopted table serves owned nodes by its own keys', async () => {
  const made = layout(shopOf({}), {
    raw: true,
    table: { keys: ['pk', 'sk'] },
    indexes: { orders: { keys: ['gpk', 'gsk'] }, dates: { keys: ['dpk', 'dsk'] } },
    keys: {
      customer: { pk: 'C#{id}', sk: 'C' },
      order: {
        pk: 'C#{customer}',
        sk: 'O#{no}',
        gpk: 'C#{customer}',
        gsk: '{status}#{at}',
        dpk: 'O',
        dsk: '{customer}#{at}',
      },
    },
  })
  const g = await open(made, memory())
  for (const row of ROWS) await g.order.put(row)
  expect(numbers(await g.order.by.status({ customer: 'x', status: 'open' }).all())).toEqual(['2', '1'])
  const from = g.order.by.status({ customer: 'x', status: 'open' }).where({ at: { from: day(2) } })
  expect(numbers(await from.all())).toEqual(['1'])
})
