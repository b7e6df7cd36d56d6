import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/embedded.js'
import { counter, date, edge, graph, integer, layout, node, open, string } from '../../../src/index.js'
import { backfill, verify } from '../../../src/jobs/index.js'

const cart = node('cart', { id: string(), total: counter() }, { id: 'id' })
const fixed = node('item', { sku: string(), price: integer().immutable() }, { id: 'sku' })
const priced = node('item', { sku: string(), price: integer() }, { id: 'sku' })

const boughtAtPrice = edge(
  'holds',
  { cart, item: fixed },
  { note: string().optional() },
  { carry: { price: 'item.price' }, sum: { cart: { into: 'total', of: 'price' } } },
)
const boughtLive = edge(
  'holds',
  { cart, item: priced },
  { note: string().optional() },
  {
    carry: { price: { from: 'item.price', sync: 'eventual', deleted: 'remove' } },
    sum: { cart: { into: 'total', of: 'price', by: 'stream' } },
  },
)

describe('a sum of an immutable carried attribute', () => {
  const openShop = () => open(graph('shop', [cart, fixed, boughtAtPrice]), memory())

  it('transactions that write the edges maintain the sum', async () => {
    const g = await openShop()
    await g.item.put({ sku: 'a', price: 3 })
    await g.item.put({ sku: 'b', price: 4 })
    await g.cart.put({ id: '1' })
    for (const item of ['a', 'b']) await g.holds.put({ cart: '1', item })
    expect(await g.cart.get('1')).toEqual({ id: '1', total: 7 })
    await g.holds.update({ cart: '1', item: 'a' }, { note: 'gift' })
    await g.holds.put({ cart: '1', item: 'b', note: 'again' })
    expect(await g.cart.get('1')).toEqual({ id: '1', total: 7 })
    await g.holds.delete({ cart: '1', item: 'a' })
    expect(await g.cart.get('1')).toEqual({ id: '1', total: 4 })
    expect((await verify(g)).faults).toEqual({})
  })

  it('the sum keeps the carried value when its source is deleted, and the next put takes the new value', async () => {
    const g = await openShop()
    await g.item.put({ sku: 'a', price: 3 })
    await g.cart.put({ id: '1' })
    await g.holds.put({ cart: '1', item: 'a' })
    await g.item.delete('a')
    await g.item.put({ sku: 'a', price: 10 })
    expect(await g.cart.get('1')).toMatchObject({ total: 3 })
    await g.holds.update({ cart: '1', item: 'a' }, { note: 'old price' })
    expect(await g.cart.get('1')).toMatchObject({ total: 3 })
    await g.holds.put({ cart: '1', item: 'a' })
    expect(await g.cart.get('1')).toMatchObject({ total: 10 })
    await g.holds.delete({ cart: '1', item: 'a' })
    expect(await g.cart.get('1')).toMatchObject({ total: 0 })
  })

  it('the sum is exact after concurrent writes of its edges', async () => {
    const g = await openShop()
    const skus = Array.from({ length: 20 }, (_, price) => ({ sku: `s${price}`, price }))
    for (const each of skus) await g.item.put(each)
    await g.cart.put({ id: '1' })
    await Promise.all(skus.map(({ sku }) => g.holds.put({ cart: '1', item: sku })))
    expect(await g.cart.get('1')).toMatchObject({ total: 190 })
  })

  it('a backfill computes the sum for edges written before its declaration', async () => {
    const store = memory()
    const bare = edge('holds', { cart, item: fixed }, { note: string().optional() })
    const before = await open(graph('shop', [cart, fixed, bare]), store)
    await before.item.put({ sku: 'a', price: 3 })
    await before.cart.put({ id: '1' })
    await before.holds.put({ cart: '1', item: 'a' })
    const shop = graph('shop', [cart, fixed, boughtAtPrice])
    await backfill(layout(shop), store)
    const g = await open(shop, store)
    expect(await g.cart.get('1')).toEqual({ id: '1', total: 3 })
    expect((await verify(g)).faults).toEqual({})
  })
})

describe('a sum of a mutable carried attribute', () => {
  it('the sum follows its source when the stream maintains both', async () => {
    const g = await open(graph('shop', [cart, priced, boughtLive]), memory())
    await g.item.put({ sku: 'a', price: 3 })
    await g.item.put({ sku: 'b', price: 4 })
    await g.cart.put({ id: '1' })
    for (const item of ['a', 'b']) await g.holds.put({ cart: '1', item })
    await g.$settled()
    expect(await g.cart.get('1')).toEqual({ id: '1', total: 7 })
    await g.item.update('a', { price: 30 })
    await g.$settled()
    expect(await g.cart.get('1')).toEqual({ id: '1', total: 34 })
    await g.item.delete('b')
    await g.$settled()
    expect(await g.cart.get('1')).toEqual({ id: '1', total: 30 })
    await g.holds.delete({ cart: '1', item: 'a' })
    await g.$settled()
    expect(await g.cart.get('1')).toEqual({ id: '1', total: 0 })
    expect((await verify(g)).faults).toEqual({ 'edge.dangling': 1 })
  })

  it('a transactional sum is rejected, because no transaction of a writer changes the copy', () => {
    const carry = { price: { from: 'item.price', sync: 'eventual' } } as const
    expect(() =>
      edge('holds', { cart, item: priced }, {}, { carry, sum: { cart: { into: 'total', of: 'price' } } }),
    ).toThrow(expect.objectContaining({ code: 'edge.count', message: expect.stringContaining(`by: 'stream'`) }))
  })
})

it('an edge cannot sum a carried attribute that is not a number', () => {
  const named = node('item', { sku: string(), name: string().immutable(), at: date().immutable() }, { id: 'sku' })
  for (const name of ['name', 'at'] as const)
    expect(() =>
      edge(
        'holds',
        { cart, item: named },
        {},
        // @ts-expect-error a sum of texts or dates
        { carry: { copy: `item.${name}` }, sum: { cart: { into: 'total', of: 'copy' } } },
      ),
    ).toThrow(expect.objectContaining({ code: 'edge.count' }))
})
