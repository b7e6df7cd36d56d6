import { describe, expect, it } from 'vitest'
import { layout } from '../../../src/layout/layout.js'
import { proveLayout } from '../../../src/layout/proof/layout-proof.js'
import { looseOrders } from '../../../src/layout/proof/loose-orders.js'
import { edge, graph, node, set, string } from '../declarations.js'

const shop = node(
  'shop',
  { id: string(), state: string(), city: string() },
  { id: 'id', by: { place: { in: ['state'], order: ['city'] } } },
)
const person = node(
  'person',
  { id: string(), skills: set(string()) },
  { id: 'id', by: { skill: { in: ['skills'], as: 'item' } } },
)
const likes = edge('likes', { person, shop }, { why: string() }, { key: ['why'], by: { shop: { order: ['person'] } } })
const first = edge('first', { person, shop }, {}, { one: 'person' })
const shops = graph('shops', [shop, person, likes, first])

describe('index entries with equal keys', () => {
  it('default keys have no loose orders', () => {
    expect(looseOrders(layout(shops))).toEqual([])
  })

  it('a custom index key that lacks a part of the id is a loose order with advice', () => {
    const made = layout(shops, {
      keys: {
        shop: { GSI1PK: 'STATE#{state}', GSI1SK: 'CITY#{city}' },
        likes: { GSI1PK: 'shop#{shop}', GSI1SK: 'likes#{person}' },
      },
    })
    expect(proveLayout(made)).toEqual([])
    const found = looseOrders(made)
    expect(found.map(({ code, details }) => [code, details])).toEqual([
      ['key.order', { index: 'GSI1', kind: 'shop', missingSlots: ['id'] }],
      ['key.order', { index: 'GSI1', kind: 'likes', missingSlots: ['why'] }],
    ])
    expect(found[0]!.message).toContain("end 'CITY#{city}' with {id} to order them.")
  })

  it('a partition key that contains the rest of the id is not a loose order', () => {
    const made = layout(shops, { keys: { first: { GSI1PK: 'shop#{shop}', GSI1SK: 'first#{person}' } } })
    expect(looseOrders(made)).toEqual([])
  })

  it('loose orders of a one edge and of facets list their missing slots', () => {
    const day = { day: string() }
    const visit = edge('visit', { person, shop }, day, { one: 'person', by: { shop: { order: ['day'] } } })
    const made = layout(graph('shops', [shop, person, visit]), {
      keys: {
        visit: { GSI1PK: 'shop#{shop}', GSI1SK: 'visit#{day}' },
        person: { 'by.skill': { GSI1PK: 'skill#{skills}', GSI1SK: 'skill' } },
      },
    })
    expect(looseOrders(made).map(({ details }) => [details.kind, ...details.missingSlots])).toEqual([
      ['person.skill', 'id'],
      ['visit', 'person'],
    ])
  })

  it('a local index can have a loose order', () => {
    const aisle = node(
      'aisle',
      { no: string(), length: string() },
      { id: 'no', within: shop, by: { length: { order: ['length'], as: 'local' } } },
    )
    const made = (LSI1SK: string) => layout(graph('shops', [shop, aisle]), { keys: { aisle: { LSI1SK } } })
    expect(looseOrders(made('aisle#{length}#{no}'))).toEqual([])
    expect(looseOrders(made('aisle#{length}')).map(({ details }) => details)).toEqual([
      { index: 'LSI1', kind: 'aisle', missingSlots: ['no'] },
    ])
  })

  it('an inverted index has no loose order', () => {
    const takes = edge('takes', { person, shop }, {}, { by: { shop: { as: 'inverted' } } })
    expect(looseOrders(layout(graph('g', [shop, person, takes])))).toEqual([])
  })
})
