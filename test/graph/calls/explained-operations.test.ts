import { expect, test } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { add, type Call, counter, edge, graph, integer, node, open, string } from '../../../src/index.js'

const shop = node(
  'shop',
  { name: string(), country: string(), state: string(), city: string(), stars: integer({ min: 0, max: 5 }) },
  { id: 'name', by: { place: { in: ['country'], order: ['state', 'city'] } } },
)
const user = node('user', { name: string(), mail: string(), boss: counter() }, { id: 'name', unique: ['mail'] })
const owns = edge('owns', { user, shop }, { since: integer() }, { one: 'shop' })
const likes = edge('likes', { user, shop }, {}, { count: { user: 'boss' } })
const town = graph('town', [shop, user, owns, likes])

/** The operations that a call is explained to send, and the operations that it sends. */
async function operationsOf(make: (g: Awaited<ReturnType<typeof opened>>['g']) => Call<unknown>) {
  const { g, sent } = await opened()
  const explained = make(g)
    .explain()
    .steps.map(({ operation }) => operation)
  sent.length = 0
  await make(g)
  return { explained, sent }
}

async function opened() {
  const sent: string[] = []
  const listener = ({ kind, name }: { kind: string; name: string }) => {
    if (kind === 'request') sent.push(name[0]!.toUpperCase() + name.slice(1))
  }
  const g = await open(town, memory(), { listener })
  await g.shop.put({ name: 'Ann', country: 'US', state: 'GA', city: 'ATLANTA', stars: 3 })
  await g.user.put({ name: 'Bob', mail: 'bob@town' })
  await g.owns.put({ user: 'Bob', shop: 'Ann', since: 1 })
  return { g, sent }
}

test('a single-item write that reads first is explained by its own operation and not as a transaction', async () => {
  const moved = await operationsOf(g => g.shop.update('Ann', { city: 'MACON' }))
  expect(moved.explained).toEqual(['GetItem', 'UpdateItem'])
  expect(moved.sent).toEqual(moved.explained)
  const rated = await operationsOf(g => g.shop.update('Ann', { stars: add(1) }))
  expect(rated.explained).toEqual(['GetItem', 'UpdateItem'])
  expect(rated.sent).toEqual(rated.explained)
  const owned = await operationsOf(g => g.owns.put({ user: 'Bob', shop: 'Ann', since: 2 }))
  expect(owned.explained).toEqual(['GetItem', 'UpdateItem'])
  expect(owned.sent).toEqual(owned.explained)
})

test('a write of several items is explained as a transaction', async () => {
  const mailed = await operationsOf(g => g.user.update('Bob', { mail: 'bob@home' }))
  expect(mailed.explained).toEqual(['GetItem', 'TransactWriteItems'])
  expect(mailed.sent).toEqual(mailed.explained)
  const liked = await operationsOf(g => g.likes.put({ user: 'Bob', shop: 'Ann' }))
  expect(liked.explained.at(-1)).toBe('TransactWriteItems')
  expect(liked.sent.at(-1)).toBe('TransactWriteItems')
})
