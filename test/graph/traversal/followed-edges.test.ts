import { expect, test } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { bigint, boolean, date, edge, graph, integer, layout, node, open, set, string } from '../../../src/index.js'

const HOUR_MS = 3_600_000
const START_MS = Date.UTC(2026, 0, 1)

test('nodes and edges that have expired are not followed, not even at the start', async () => {
  const session = node('session', { id: string(), until: date() }, { id: 'id', expires: 'until' })
  const link = edge('link', { from: session, to: session }, { until: date().optional() }, { expires: 'until' })
  let nowMs = START_MS
  const g = await open(graph('sessions', [session, link]), memory(), { clock: () => nowMs })
  const hours = (count: number) => new Date(START_MS + count * HOUR_MS)
  for (const [id, count] of [
    ['a', 9],
    ['b', 1],
    ['c', 9],
    ['d', 9],
    ['e', 9],
  ] as const)
    await g.session.put({ id, until: hours(count) })
  for (const [from, to] of ['ab', 'bc', 'ad'].map(each => each.split(''))) await g.link.put({ from: from!, to: to! })
  await g.link.put({ from: 'd', to: 'e', until: hours(2) })
  const all = g.session.from('a').repeat(g.link.by.from, { depth: 3 })
  expect([...(await all.ids())].sort()).toEqual(['b', 'c', 'd', 'e'])
  nowMs += 1.5 * HOUR_MS
  expect([...(await all.ids())].sort()).toEqual(['d', 'e'])
  expect(await g.session.shortestPath('a', 'c', g.link.by.from)).toBeUndefined()
  nowMs += HOUR_MS
  expect(await all.ids()).toEqual(['d'])
  nowMs += 9 * HOUR_MS
  expect(await g.session.from('a').repeat(g.link.by.from, { depth: 3, minDepth: 0 }).ids()).toEqual([])
})

test('nodes that are being deleted are not followed where an edge declares what becomes of it', async () => {
  const page = node('page', { id: string() }, { id: 'id' })
  const link = edge('link', { from: page, to: page }, {}, { onDelete: { from: 'cascade' } })
  const store = memory()
  const g = await open(graph('site', [page, link]), store)
  for (const id of 'abc') await g.page.put({ id })
  for (const [from, to] of ['ab', 'bc'].map(each => each.split(''))) await g.link.put({ from: from!, to: to! })
  const all = g.page.from('a').repeat(g.link.by.from, { depth: 3 })
  expect(await all.ids()).toEqual(['b', 'c'])
  const { deletionMark } = g.$layout.names
  await store.updateItem({
    TableName: 'site',
    Key: g.page.keyOf('b'),
    UpdateExpression: 'SET #going = :mark',
    ExpressionAttributeNames: { '#going': deletionMark },
    ExpressionAttributeValues: { ':mark': { S: 'mark' } },
  })
  expect(await all.ids()).toEqual([])
  await g.page.delete('b')
  expect(await all.ids()).toEqual([])
})

test('a node that does not exist is followed unless existing() is asked for', async () => {
  const page = node('page', { id: string() }, { id: 'id' })
  const link = edge('link', { from: page, to: page }, {})
  const g = await open(graph('site', [page, link]), memory())
  await g.link.put({ from: 'a', to: 'b' })
  await g.link.put({ from: 'b', to: 'c' })
  await g.page.put({ id: 'c' })
  const two = g.page.from('a').hop(g.link.by.from)
  expect(await two.hop(g.link.by.from).nodes()).toEqual([{ id: 'c' }])
  expect(await two.existing().hop(g.link.by.from).nodes()).toEqual([])
  expect(await two.nodes()).toEqual([])
  expect(await two.ids()).toEqual(['b'])
})

test('tenants do not meet, and the path of another tenant is refused', async () => {
  const page = node('page', { id: string() }, { id: 'id' })
  const link = edge('link', { from: page, to: page }, {})
  const g = await open(graph('site', [page, link], { tenant: true }), memory())
  const [one, other] = [g.$tenant('one'), g.$tenant('other')]
  await one.link.put({ from: 'a', to: 'b' })
  await other.link.put({ from: 'b', to: 'c' })
  expect(await one.page.from('a').repeat(one.link.by.from, { depth: 5 }).ids()).toEqual(['b'])
  expect(await one.page.shortestPath('a', 'c', one.link.by.from)).toBeUndefined()
  expect(() => one.page.from('a').hop(other.link.by.from)).toThrow(/not a read by a path of this graph and tenant/)
  const some = one.page.from('a').repeat(one.link.by.from, { depth: 5 }).budget({ requests: 1, onBudget: 'partial' })
  const { cursor } = await some.ids()
  const stolen = other.page.from('a').repeat(other.link.by.from, { depth: 5 }).resume(cursor)
  await expect(stolen.ids()).rejects.toMatchObject({ code: 'cursor.mismatch' })
})

test('owned nodes are followed from their owner, and ids of several parts lead on, through a cursor too', async () => {
  const user = node('user', { id: string() }, { id: 'id' })
  const order = node(
    'order',
    { no: bigint(), placed: date(), tags: set(string()).optional() },
    { id: 'no', within: user },
  )
  const product = node('product', { id: integer() }, { id: 'id' })
  const item = edge('item', { order, product }, { gift: boolean() })
  const g = await open(graph('shop', [user, order, product, item]), memory())
  for (const [id, no] of [
    ['ann', 1n],
    ['ann', 2n],
    ['bob', 3n],
  ] as const)
    await g.order.put({ user: id, no, placed: new Date(START_MS), tags: new Set(['x', 'y']) })
  for (const [owner, no, id] of [
    ['ann', 1n, 7],
    ['ann', 2n, 7],
    ['ann', 2n, 8],
  ] as const)
    await g.item.put({ order: { user: owner, no }, product: id, gift: no === 2n })
  const products = g.user.from('ann').hop(g.order.by.user).hop(g.item.by.order)
  expect(await products.rank()).toEqual([
    { id: 7, score: 2 },
    { id: 8, score: 1 },
  ])
  expect(await g.user.from('ann').hop(g.order.by.user).ids()).toEqual([
    { user: 'ann', no: 1n },
    { user: 'ann', no: 2n },
  ])
  // The rows of the list are the nodes: they are not read again.
  const { value: orders, requests } = await g.user.from('ann').hop(g.order.by.user).nodes().run()
  expect([orders.map(({ no }) => no), requests]).toEqual([[1n, 2n], 1])
  expect(
    await g.product
      .from(7, 8)
      .hop(g.item.by.product, items => items.filter(each => each.gift.is(true)))
      .count(),
  ).toBe(1)
  const partly = g.user
    .from('ann')
    .hop(g.order.by.user)
    .filter(each => each.tags.contains('x'))
    .hop(g.item.by.order)
    .budget({ requests: 1, onBudget: 'partial' })
  const first = await partly.paths()
  expect([first.value, first.complete]).toEqual([[], false])
  let last = first
  for (let rounds = 0; last.cursor && rounds < 9; rounds++) last = await partly.resume(last.cursor).paths()
  expect(last.complete).toBe(true)
  expect(last.value).toEqual(await products.paths())
})

test('sharded paths, indexes and undirected edges are read as by their paths', async () => {
  const topic = node('topic', { id: string() }, { id: 'id' })
  const post = node('post', { id: string() }, { id: 'id' })
  const tagged = edge('tagged', { topic, post }, { at: date() }, { by: { topic: { order: ['at'], shards: 3 } } })
  const like = edge('like', { one: post, other: post }, {}, { undirected: true })
  const g = await open(graph('forum', [topic, post, tagged, like]), memory())
  const ids = Array.from({ length: 12 }, (_, i) => `p${String(i).padStart(2, '0')}`)
  for (const [i, id] of ids.entries()) await g.tagged.put({ topic: 't', post: id, at: new Date(START_MS + i) })
  await g.like.put({ one: 'p11', other: 'p03' })
  await g.like.put({ one: 'p10', other: 'p11' })
  const latest = g.topic.from('t').hop(g.tagged.by.topic, read => read.reverse().limit(2))
  const { value, requests } = await latest.ids().run()
  expect([value, requests]).toEqual([['p11', 'p10'], 3])
  const liked = latest.hop(g.like.by.one)
  expect([...(await liked.ids())].sort()).toEqual(['p03', 'p10', 'p11'])
  expect([...(await liked.except('visited').ids())].sort()).toEqual(['p03'])
  expect(await g.post.from('p03').hop(g.tagged.by.post).ids()).toEqual(['t'])
  // A list of three shards does not fit into two requests at all.
  await expect(latest.budget({ requests: 2, onBudget: 'partial' }).ids()).rejects.toMatchObject({
    code: 'traverse.budget',
  })
})

test('strongly consistent reads are refused where a path is an index, and cost twice where it is not', async () => {
  const page = node('page', { id: string() }, { id: 'id' })
  const link = edge('link', { from: page, to: page }, {})
  const g = await open(graph('site', [page, link]), memory())
  await g.link.put({ from: 'a', to: 'b' })
  const { consumed } = await g.page.from('a').hop(g.link.by.from).consistent().nodes().run()
  expect(consumed.total).toBe(2)
  await expect(g.page.from('b').hop(g.link.by.to).consistent().ids()).rejects.toMatchObject({ code: 'read.consistent' })
  const route = await g.page.shortestPath('a', 'b', g.link.by.from, { consistent: true }).run()
  expect([route.value?.nodes, route.consumed.total]).toEqual([['a', 'b'], 1])
})

test('keys given by hand are followed like those of the layout', async () => {
  const page = node('page', { id: string() }, { id: 'id' })
  const link = edge('link', { from: page, to: page }, {})
  const keys = { page: { PK: 'P#{id}', SK: 'P#{id}' }, link: { PK: 'P#{from}', SK: 'L#{to}' } }
  const g = await open(layout(graph('site', [page, link]), { keys }), memory())
  for (const id of 'abc') await g.page.put({ id })
  await g.link.put({ from: 'a', to: 'b' })
  await g.link.put({ from: 'b', to: 'c' })
  expect(await g.page.from('a').repeat(g.link.by.from, { depth: 2 }).nodes()).toEqual([{ id: 'b' }, { id: 'c' }])
  expect(await g.page.from('c').repeat(g.link.by.to, { depth: 2 }).ids()).toEqual(['b', 'a'])
})
