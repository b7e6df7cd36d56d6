import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { counter, edge, graph, integer, node, open, string } from '../../../src/index.js'
import { backfill, repair, verify } from '../../../src/jobs/index.js'

const acc = node('acc', { id: string(), total: counter() }, { id: 'id' })
const cat = node('cat', { id: string() }, { id: 'id' })
const spent = edge('spent', { acc, cat }, { w: integer() }, { sum: { acc: { into: 'total', of: 'w' } } })
const ledger = graph('ledger', [acc, cat, spent])

const code = (code: string) => expect.objectContaining({ code })

it('a node whose only aggregate is a sum of 0 cannot be deleted while it has edges', async () => {
  const g = await open(ledger, memory())
  await g.acc.put({ id: 'a' })
  const edges = [
    { acc: 'a', cat: 'x', w: 0 },
    { acc: 'a', cat: 'y', w: 3 },
    { acc: 'a', cat: 'z', w: -3 },
  ]
  for (const each of edges) {
    await g.spent.put(each)
    await expect(g.acc.delete('a')).rejects.toEqual(code('node.edges'))
  }
  await g.spent.update({ acc: 'a', cat: 'x' }, { w: 5 })
  await g.spent.delete({ acc: 'a', cat: 'z' })
  await g.acc.put({ id: 'a' })
  expect(await g.acc.get('a')).toEqual({ id: 'a', total: 8 })
  await g.spent.delete({ acc: 'a', cat: 'x' })
  await expect(g.acc.delete('a')).rejects.toEqual(code('node.edges'))
  await g.spent.delete({ acc: 'a', cat: 'y' })
  await g.acc.delete('a')
  expect(await g.acc.get('a')).toBeUndefined()
})

const TALLY = '$edges.total'
const EDGES = [
  { acc: 'a', cat: 'x', w: 0 },
  { acc: 'a', cat: 'y', w: 3 },
  { acc: 'a', cat: 'z', w: -3 },
]

/** A node with three edges as an earlier version wrote it: without the tally of its edges. */
async function legacy(declared: typeof ledger = ledger) {
  const store = memory()
  const g = await open(declared, store)
  await g.acc.put({ id: 'a' })
  for (const each of EDGES) await g.spent.put(each)
  const { Items = [] } = await store.scan({ TableName: 'ledger' })
  const { PK, SK } = Items.find(item => item[TALLY])!
  await store.updateItem({
    TableName: 'ledger',
    Key: { PK: PK!, SK: SK! },
    UpdateExpression: 'REMOVE #t',
    ExpressionAttributeNames: { '#t': TALLY },
  })
  return { g, store }
}

it('a node that an earlier version wrote is deleted only after repair has counted its edges', async () => {
  const { g } = await legacy()
  await expect(g.acc.delete('a')).rejects.toEqual(code('node.uncounted'))
  await g.spent.put({ acc: 'a', cat: 'late', w: 0 })
  await expect(g.acc.delete('a')).rejects.toEqual(code('node.uncounted'))
  await expect(g.$transact([g.acc.delete('a')])).rejects.toEqual(code('node.uncounted'))
  expect(await verify(g)).toMatchObject({ faults: { 'edges.uncounted': 1 } })
  expect(await repair(g)).toMatchObject({ repaired: 1, faults: { 'edges.uncounted': 1 } })
  expect(await verify(g)).toMatchObject({ faults: {} })
  await expect(g.acc.delete('a')).rejects.toEqual(code('node.edges'))
  for (const { cat } of [...EDGES, { cat: 'late' }]) await g.spent.delete({ acc: 'a', cat })
  await g.acc.delete('a')
  expect(await g.acc.exists('a')).toBe(false)
})

it('putting a node of an earlier version again does not make it deletable', async () => {
  const { g } = await legacy()
  await g.acc.put({ id: 'a' })
  await expect(g.acc.delete('a')).rejects.toEqual(code('node.uncounted'))
})

it('backfill counts the edges of the nodes of an earlier version', async () => {
  const { g, store } = await legacy()
  expect(await backfill(ledger, store)).toMatchObject({ changed: 1 })
  await expect(g.acc.delete('a')).rejects.toEqual(code('node.edges'))
  expect(await verify(g)).toMatchObject({ faults: {} })
})

it('a cascade deletes a node of an earlier version with all of its edges', async () => {
  const cascading = edge(
    'spent',
    { acc, cat },
    { w: integer() },
    { sum: { acc: { into: 'total', of: 'w' } }, onDelete: { acc: 'cascade' } },
  )
  const { g, store } = await legacy(graph('ledger', [acc, cat, cascading]) as typeof ledger)
  await g.acc.delete('a')
  const { Items = [] } = await store.scan({ TableName: 'ledger' })
  expect(Items.map(item => item.PK!.S)).toEqual(['$edgewise'])
})

it('an undirected self-loop prevents the deletion of its node while its sum is 0', async () => {
  const user = node('user', { id: string(), score: counter() }, { id: 'id' })
  const met = edge(
    'met',
    { one: user, other: user },
    { w: integer() },
    { undirected: true, sum: { one: { into: 'score', of: 'w' } } },
  )
  const g = await open(graph('people', [user, met]), memory())
  await g.user.put({ id: 'a' })
  await g.met.put({ one: 'a', other: 'a', w: 0 })
  await expect(g.user.delete('a')).rejects.toEqual(code('node.edges'))
  expect(await verify(g)).toMatchObject({ faults: {} })
  await g.$transact([g.met.delete({ one: 'a', other: 'a' }), g.user.delete('a')])
  expect(await g.user.exists('a')).toBe(false)
})

it('edges that a sum omits do not prevent deletion, and a count of the same edges replaces the tally', async () => {
  const shop = node('shop', { id: string(), sales: counter(), paid: counter(), orders: counter() }, { id: 'id' })
  const sold = edge(
    'sold',
    { shop, cat },
    { w: integer(), state: string() },
    {
      count: { shop: 'orders' },
      sum: {
        shop: [
          { into: 'sales', of: 'w' },
          { into: 'paid', of: 'w', where: { state: 'paid' } },
        ],
      },
    },
  )
  const store = memory()
  const g = await open(graph('shops', [shop, cat, sold]), store)
  await g.shop.put({ id: 's' })
  await g.sold.put({ shop: 's', cat: 'x', w: 0, state: 'open' })
  const { Items = [] } = await store.scan({ TableName: 'shops' })
  expect(Items.flatMap(item => Object.keys(item)).filter(name => name.startsWith('$'))).toEqual([])
  await expect(g.shop.delete('s')).rejects.toEqual(code('node.edges'))

  const some = edge(
    'some',
    { acc, cat },
    { w: integer() },
    { sum: { acc: { into: 'total', of: 'w', where: { w: 5 } } } },
  )
  const h = await open(graph('some', [acc, cat, some]), memory())
  await h.acc.put({ id: 'a' })
  await h.some.put({ acc: 'a', cat: 'x', w: 1 })
  await h.acc.delete('a')
  await expect(h.some.update({ acc: 'a', cat: 'x' }, { w: 5 })).rejects.toEqual(code('edge.end.absent'))
})
