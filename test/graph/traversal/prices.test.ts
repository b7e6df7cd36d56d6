import { expect, test } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { counter, edge, graph, integer, node, open, string } from '../../../src/index.js'

const user = node('user', { id: string(), following: counter() }, { id: 'id' })
const follow = edge(
  'follow',
  { follower: user, followee: user },
  { note: string().optional() },
  { count: { follower: 'following' } },
)
const social = graph('social', [user, follow])

async function openedSocial() {
  const g = await open(social, memory())
  for (const id of ['a', 'b', 'c']) await g.user.put({ id })
  for (const [follower, followee] of ['ab', 'ac', 'bc'].map(text => text.split('')))
    await g.follow.put({ follower: follower!, followee: followee! })
  return g
}

test('declared maximum degrees and item sizes bound the requests and units of each wave', async () => {
  const g = await openedSocial()
  const two = g.user.from('a').hop(g.follow.by.follower).hop(g.follow.by.follower).nodes()
  const { waves, requests, units } = two.explain({
    degrees: { 'follow.by.follower': { mean: 2, max: 3 } },
    itemBytes: 400,
  })
  expect(waves.map(each => [each.reads, each.count.maximum, each.requests.maximum, each.units.maximum])).toEqual([
    ['lists', 1, 1, 1],
    ['lists', 3, 3, 3],
    ['nodes', 9, 1, 4.5],
  ])
  expect([requests.maximum, units.maximum]).toEqual([5, 8.5])
  const report = await two.run()
  expect(report.requests).toBeLessThanOrEqual(requests.maximum)
  expect(report.consumed.total).toBeLessThanOrEqual(units.maximum)
})

test('without declared degrees, the budget bounds each wave', async () => {
  const g = await openedSocial()
  const { waves } = g.user
    .from('a')
    .hop(g.follow.by.follower)
    .hop(g.follow.by.follower)
    .budget({ requests: 10, units: 40 })
    .nodes()
    .explain()
  expect(JSON.parse(JSON.stringify(waves))).toEqual(waves)
  expect(waves.map(each => [each.requests.maximum, each.units.maximum])).toEqual([
    [10, 1_750],
    [10, 1_750],
    [10, 2_088],
  ])
})

test('the nodes that a repeated hop ends at, and the roots of subtrees, are part of the price', async () => {
  const g = await openedSocial()
  const below = g.user.from('a').repeat(g.follow.by.follower, { depth: 2, until: each => each.id.is('c') })
  const degrees = { 'follow.by.follower': { mean: 2, max: 2 } }
  const ended = below.ids()
  expect(ended.explain({ degrees }).waves.map(({ reads }) => reads)).toEqual([
    'nodes',
    'lists',
    'nodes',
    'lists',
    'nodes',
  ])
  expect((await ended.run()).requests).toBeLessThanOrEqual(ended.explain({ degrees }).requests.maximum)
  const sums = g.user.from('a').repeat(g.follow.by.follower, { depth: 2 }).subtree({ sum: 'following' })
  expect(sums.explain({ degrees }).waves.at(-1)).toMatchObject({ reads: 'nodes', count: { maximum: 7 } })
})

test('a sample takes the number of edges from a counter, without a request', async () => {
  const g = await openedSocial()
  const { value, requests } = await g.$sample().run()
  expect(value['follow.by.follower']).toEqual({ mean: 1, sampled: 3, largest: 2 })
  expect(value['follow.by.followee']).toEqual({ mean: 1, sampled: 3, largest: 2 })
  expect(requests).toBe(1 + 3)
})

test('a budget of units counts with the counters of the nodes that were read', async () => {
  const g = await open(social, memory())
  for (const id of ['a', 'b']) await g.user.put({ id })
  await g.follow.put({ follower: 'a', followee: 'b', note: 'x'.repeat(9_000) })
  const one = g.user.from('a').existing().hop(g.follow.by.follower)
  // The node and a list of one edge are expected to take 1 unit, although a list of 20 would take 2.
  expect(await one.budget({ units: 1 }).ids()).toEqual(['b'])
  const unread = g.user.from('a').hop(g.follow.by.follower)
  await expect(unread.budget({ units: 1 }).ids()).rejects.toMatchObject({ code: 'traverse.budget' })
  expect(
    await unread
      .budget({ units: 0.5 })
      .hop(g.follow.by.follower)
      .ids()
      .catch(({ code }) => code),
  ).toBe('traverse.budget')
  expect(
    await g.user
      .from('b')
      .hop(g.follow.by.follower, some => some.limit(1))
      .budget({ units: 0.5 })
      .ids(),
  ).toEqual([])
})

test('sizes, degrees and budgets that mean nothing are refused', async () => {
  const g = await openedSocial()
  const from = g.user.from('a').hop(g.follow.by.follower)
  const explained = (sizes: unknown) => () => from.ids().explain(sizes as never)
  expect(explained({ degrees: { 'nope.by.x': 3 } })).toThrow(/'nope.by.x' is not a path/)
  for (const degree of [-1, Number.NaN, 'x', { mean: 3, max: 2 }, { max: 2 }, null])
    expect(explained({ degrees: { 'follow.by.follower': degree } })).toThrow(
      /the degree of 'follow.by.follower' is invalid/,
    )
  for (const items of [-1, Number.NaN, 'x']) expect(explained({ items })).toThrow(/items: .* is out of range/)
  for (const itemBytes of [-1, Number.NaN, 'x'])
    expect(explained({ itemBytes })).toThrow(/itemBytes: .* is out of range/)
  for (const requests of [0, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '1'])
    expect(() => from.budget({ requests: requests as number })).toThrow(/requests: .* is out of range/)
  for (const units of [0, 0.25, Number.NaN, '1'])
    expect(() => from.budget({ units: units as number })).toThrow(/units: .* is out of range/)
  for (const max of [0, 1.5, Number.NaN]) expect(() => from.paths({ max })).toThrow(/max: .* is out of range/)
  expect(() => g.user.common(['a', 'a'], g.follow.by.follower)).toThrow(/two ids are those of one node/)
  for (const degrees of [[-1, 2], [1], [Number.NaN, 1], ['x', 1]])
    expect(() => g.user.common(['a', 'b'], g.follow.by.follower, { degrees: degrees as number[] })).toThrow(/degrees/)
})

test('a path of an owned node that takes its owner is a hop, in the order of the path', async () => {
  const customer = node('customer', { id: string(), region: string() }, { id: ['region', 'id'] })
  const order = node(
    'order',
    { no: string(), status: string(), placed: integer() },
    {
      id: 'no',
      within: customer,
      by: { recent: { in: ['customer'], order: ['placed'] }, open: { in: ['customer', 'status'] } },
    },
  )
  const knows = edge('knows', { one: customer, other: customer }, {}, { undirected: true })
  const g = await open(graph('shop', [customer, order, knows]), memory())
  const [ann, bob, eve] = ['ann', 'bob', 'eve'].map(id => ({ region: 'eu', id }))
  for (const each of [ann, bob, eve]) await g.customer.put(each!)
  await g.knows.put({ one: ann!, other: bob! })
  await g.knows.put({ one: ann!, other: eve! })
  for (const [owner, no, placed] of [
    [bob, '1', 10],
    [bob, '2', 30],
    [eve, '1', 20],
    [eve, '2', 5],
  ] as const)
    await g.order.put({ customer: owner!, no, status: 'open', placed })
  const latest = g.customer
    .from(ann!)
    .hop(g.knows.by.one)
    .hop(g.order.by.recent, orders => orders.reverse().limit(2))
    .limit(2)
  const { value, requests } = await latest.nodes().run()
  expect([value.map(({ placed }) => placed), requests]).toEqual([[30, 20], 3])
  expect(Object.keys(await g.$sample())).toContain('order.by.recent')
  expect(latest.ids().explain({ degrees: { 'order.by.recent': 2 } }).waves).toHaveLength(2)
  expect(() => g.customer.from(ann!).hop(g.order.by.open as never)).toThrow(/does not start at a node/)
})
