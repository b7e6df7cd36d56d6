import { describe, expect, it } from 'vitest'
import { itemsOf } from '../../../src/layout/items/items.js'
import { type Layout, layout } from '../../../src/layout/layout.js'
import { proveLayout } from '../../../src/layout/proof/layout-proof.js'
import { looseOrders } from '../../../src/layout/proof/loose-orders.js'
import { counter, date, graph, integer, node, oneOf, string } from '../declarations.js'

const customer = node('customer', { id: string() }, { id: 'id' })
const attributes = { no: string(), status: oneOf('open', 'paid'), at: date() }
const open = { in: ['customer', 'status'], order: ['at'] } as const
const order = node('order', attributes, { id: 'no', within: customer, by: { status: open } })
const row = { customer: 'c', no: '7', status: 'open', at: new Date(0) }
const AT = '1970-01-01T00:00:00.000Z'

type As = 'index' | 'item' | 'native'
const orders = (path: object, as?: As, shards?: number) =>
  graph('shop', [
    customer,
    node('order', attributes, {
      id: 'no',
      within: customer,
      by: { status: { ...path, ...(as && { as }), ...(shards && { shards }) } },
    }),
  ])

/** The keys of a row in the first index. */
function entryOf(made: Layout): (string | undefined)[] {
  const { GSI1PK, GSI1SK } = itemsOf(made, { order: [row] })[0]!.item
  return [GSI1PK?.S, GSI1SK?.S]
}

describe('a path by the owner', () => {
  it('a path by the owner has the owner in its partition key and not in its sort key', () => {
    const made = layout(graph('shop', [customer, order]))
    expect(entryOf(made)).toEqual(['order.status#c#open', `${AT}#7`])
    expect(made.accesses.at(-1)).toMatchObject({
      index: 'GSI1',
      requiredSlots: ['customer', 'status'],
      sortSlots: ['at', 'no'],
    })
    expect([proveLayout(made), looseOrders(made)]).toEqual([[], []])
  })

  it('a path may have the owner after other parts, alone, or in its order', () => {
    const keysOf = (path: object) => entryOf(layout(orders(path)))
    expect(keysOf({ in: ['status', 'customer'] })).toEqual(['order.status#open#c', '7'])
    expect(keysOf({ in: ['customer'], order: ['at'] })).toEqual(['order.status#c', `${AT}#7`])
    expect(keysOf({ in: ['status'], order: ['customer', 'at'] })).toEqual(['order.status#open', `c#${AT}#7`])
    expect(keysOf({ order: ['at', 'customer'] })).toEqual(['order.status', `${AT}#c#7`])
  })

  it('the facet of a path by the owner is stored next to the node, and its key contains the owner once', () => {
    const made = layout(orders(open, 'item', 3))
    const facet = itemsOf(made, { order: [row] })[1]!
    expect(facet).toMatchObject({
      kind: 'order.status',
      item: { PK: { S: 'customer#c' }, SK: { S: `order.status#7#open#${AT}` }, GSI1SK: { S: `${AT}#7` } },
    })
    expect(facet.item.GSI1PK!.S).toMatch(/^order\.status#c#open#[0-2]$/)
    expect([proveLayout(made), looseOrders(made)]).toEqual([[], []])
  })

  it('a native path by the owner has the owner as an attribute', () => {
    const made = layout(orders(open, 'native'))
    expect(itemsOf(made, { order: [row] })[0]!.item).toMatchObject({ customer: { S: 'c' }, status: { S: 'open' } })
    expect(made.design.indexes).toMatchObject([
      { name: 'order_status', partition: ['_type', 'customer', 'status'], sort: ['at', 'no'] },
    ])
  })

  it('a path by the owner can be ranked by a counter', () => {
    const team = node(
      'team',
      { no: integer(), points: counter() },
      { id: 'no', within: customer, by: { best: { in: ['customer'], order: ['points'] } } },
    )
    const { indexes } = layout(graph('league', [customer, team])).design
    expect(indexes).toMatchObject([{ partition: ['_type', 'customer'], sort: ['points', 'no'] }])
  })

  it('a path by the owner begins with the tenant', () => {
    const tenants = graph('shop', [customer, order], { tenant: true })
    expect(itemsOf(layout(tenants), { order: [row] }, 'acme')[0]!.item.GSI1PK).toEqual({
      S: 'acme#order.status#c#open',
    })
  })

  it('a path by the owner has each part of a composite id and of nested owners', () => {
    const shop = node('shop', { zip: string(), no: string() }, { id: ['zip', 'no'] })
    const shelf = node('shelf', { at: string() }, { id: 'at', within: shop })
    const by = { kind: { in: ['kind', 'shelf'], as: 'item' }, next: { in: ['shelf'], order: ['kind'] } } as const
    const box = node('box', { id: string(), kind: string() }, { id: 'id', within: shelf, by })
    const made = layout(graph('shops', [shop, shelf, box]))
    const [own, facet] = itemsOf(made, {
      box: [{ shelf: { shop: { zip: 'z', no: '1' }, at: 'left' }, id: 'b', kind: 'k' }],
    })
    expect(own!.item.GSI1PK).toEqual({ S: 'box.next#z#1#left' })
    expect(facet!.item).toMatchObject({
      PK: { S: 'shop#z#1' },
      SK: { S: 'box.kind#left#b#k' },
      GSI1PK: { S: 'box.kind#k#z#1#left' },
      GSI1SK: { S: 'b' },
    })
    expect(made.accesses.filter(({ type }) => type.name === 'box').map(({ requiredSlots }) => requiredSlots)).toEqual([
      ['shelf.shop.zip', 'shelf.shop.no', 'shelf.at'],
      ['kind', 'shelf.shop.zip', 'shelf.shop.no', 'shelf.at'],
      ['shelf.shop.zip', 'shelf.shop.no', 'shelf.at'],
    ])
    expect([proveLayout(made), looseOrders(made)]).toEqual([[], []])
  })
})

describe('custom keys of a path by the owner', () => {
  it('custom keys serve a path by the owner if they contain the owner in the partition or before the order', () => {
    const shop = graph('shop', [customer, order])
    const served = (GSI1PK: string, GSI1SK: string) => layout(shop, { keys: { order: { GSI1PK, GSI1SK } } } as never)
    expect(served('O#{status}#{customer}', '{at}#{no}').accesses.at(-1)).toMatchObject({ index: 'GSI1' })
    expect(served('O#{customer}', '{status}#{at}#{no}').accesses.at(-1)).toMatchObject({ sortSlots: ['at', 'no'] })
    const refused = expect.objectContaining({
      code: 'layout.path',
      message: 'order.by.status: no key serves this path; give order a key of customer,status, sorted by at.',
    })
    expect(() => served('O#{status}', '{at}#{no}')).toThrow(refused)
    expect(() => served('O#{status}#{at}', '{customer}#{no}')).toThrow(refused)
  })

  it("custom keys of a facet need every part of the owner's id", () => {
    const shop = node('shop', { zip: string(), no: string() }, { id: ['zip', 'no'] })
    const box = node(
      'box',
      { id: string(), kind: string() },
      { id: 'id', within: shop, by: { kind: { in: ['shop', 'kind'], as: 'item' } } },
    )
    const given = (SK: string, GSI1SK: string) =>
      layout(graph('shops', [shop, box]), {
        keys: { box: { 'by.kind': { PK: 'S#{shop.zip}', SK, GSI1PK: 'K#{shop.zip}#{shop.no}#{kind}', GSI1SK } } },
      } as never)
    expect(looseOrders(given('K#{shop.no}#{id}#{kind}', '{id}'))).toEqual([])
    expect(looseOrders(given('K#{shop.no}#{id}#{kind}', 'x')).map(({ details }) => details.missingSlots)).toEqual([
      ['id'],
    ])
    expect(() => given('K#{id}#{kind}', '{id}')).toThrow(expect.objectContaining({ code: 'key.identity' }))
  })
})
