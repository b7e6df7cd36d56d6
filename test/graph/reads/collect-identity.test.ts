import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/embedded.js'
import { graph, integer, layout, node, open, string } from '../../../src/index.js'

const order = node('order', { customer: string(), no: string() }, { id: ['customer', 'no'] })
const line = node('line', { n: integer({ min: 0, max: 99 }) }, { id: 'n', within: order })

const openShop = (keys: object, raw?: { separator: string }) =>
  open(layout(graph('shop', [order, line]), { ...(raw && { raw }), keys: keys as never }), memory())

const MODES = [
  ['encoded', undefined],
  ['raw', { separator: '#' }],
] as const

describe.each(MODES)('collect() under %s keys', (_, raw) => {
  const openOrders = () =>
    openShop(
      {
        order: { PK: 'CUSTOMER#{customer}#ORDERS', SK: 'ORDER#{no}' },
        line: { PK: 'CUSTOMER#{order.customer}#{order.no}', SK: 'LINE#{n}' },
      },
      raw,
    )

  it('collect() never returns another node when an id equals a literal of a key template', async () => {
    const g = await openOrders()
    for (const no of ['1', '2', 'P']) await g.order.put({ customer: 'ann', no })
    const id = { customer: 'ann', no: 'ORDERS' }
    const collected = () => g.order.collect(id, { lines: g.line.by.order })
    expect(await g.order.get(id)).toBeUndefined()
    expect(await collected()).toEqual({ node: undefined, lines: [] })
    await g.order.put(id)
    await g.line.put({ order: id, n: 3 })
    await g.line.put({ order: { customer: 'ann', no: '1' }, n: 4 })
    expect(await collected()).toEqual({ node: id, lines: [{ order: id, n: 3 }] })
  })

  it('collect() does not read the other nodes of a shared partition', async () => {
    const g = await openOrders()
    const calls = g.order.collect({ customer: 'ann', no: 'ORDERS' }, { lines: g.line.by.order })
    expect(calls.explain().steps.map(({ operation }) => operation)).toEqual(['GetItem', 'Query'])
  })
})

describe('collect() where the keys of owned nodes begin with the key of their owner', () => {
  const keys = {
    order: { PK: 'CUSTOMER#{customer}', SK: 'ORDER#{no}' },
    line: { PK: 'CUSTOMER#{order.customer}', SK: 'ORDER#{order.no}#LINE#{n}' },
  }
  const id = { customer: 'ann', no: '1' }
  const filled = async () => {
    const g = await openShop(keys)
    // These keys sort between the key of order 1 and those of its lines.
    for (const no of ['1!', '1"', '10']) await g.order.put({ customer: 'ann', no })
    for (const n of [1, 2, 3]) await g.line.put({ order: id, n })
    await g.line.put({ order: { customer: 'ann', no: '1!' }, n: 9 })
    return g
  }

  it('collect() omits nodes whose keys sort between those of the owner and its nodes', async () => {
    const g = await filled()
    const lines = [1, 2, 3].map(n => ({ order: id, n }))
    expect(await g.order.collect(id, { lines: g.line.by.order })).toEqual({ node: undefined, lines })
    await g.order.put(id)
    expect(await g.order.collect(id, { lines: g.line.by.order })).toEqual({ node: id, lines })
  })

  it('collect() returns as many rows as the limit allows', async () => {
    const g = await filled()
    const some = () => g.order.collect(id, { lines: orderId => g.line.by.order(orderId).limit(2) })
    const lines = [1, 2].map(n => ({ order: id, n }))
    expect(await some()).toEqual({ node: undefined, lines })
    await g.order.put(id)
    expect(await some()).toEqual({ node: id, lines })
  })
})
