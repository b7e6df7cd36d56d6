import { computed, graph, integer, layout, node, open, string } from 'edgewise'
import { memory } from 'edgewise/engine'
import { listener, show } from '../print.js'

const id = string()
const no = string()
const customerId = computed(string(), { id }, row => row.id)
const orderId = computed(string(), { no }, row => row.no)
const customer = node('customer', { id, customerId, name: string() }, { id: 'id' })
const order = node('order', { no, orderId }, { id: 'no', within: customer, onDelete: 'leave' })
const shop = node(
  'shop',
  { id: string(), country: string(), state: string(), city: string(), zip: integer({ min: 0, max: 99_999 }) },
  { id: 'id', by: { place: { in: ['country'], order: ['state', 'city', 'zip'] } } },
)

const shops = layout(graph('shops', [customer, order, shop]), {
  keys: {
    customer: { PK: 'CUSTOMER#{id}', SK: 'CUSTOMER#{id}' },
    order: { PK: 'CUSTOMER#{customer}', SK: 'ORDER#{no}' },
    shop: { GSI1PK: 'COUNTRY#{country}', GSI1SK: '{state}#{city}#{zip}' },
  },
  type: { attribute: 'TYPE', values: { customer: 'CUSTOMER', order: 'ORDER', shop: 'SHOP' } },
  names: { customer: { customerId: 'Customer ID', name: 'Name' }, order: { orderId: 'Order ID' } },
})

export const rows = {
  customer: [
    { id: 'XYQ', name: 'Tom' },
    { id: 'VLD', name: 'Linda' },
  ],
  order: [
    { customer: 'XYQ', no: '00001' },
    { customer: 'XYQ', no: '00002' },
    { customer: 'VLD', no: '00003' },
    { customer: 'VLD', no: '00004' },
  ],
  shop: [
    { id: '1', country: 'USA', state: 'GA', city: 'ATLANTA', zip: 30_329 },
    { id: '2', country: 'USA', state: 'GA', city: 'ATLANTA', zip: 30_401 },
    { id: '3', country: 'USA', state: 'GA', city: 'SAVANNAH', zip: 31_401 },
    { id: '4', country: 'USA', state: 'CA', city: 'LOS ANGELES', zip: 90_001 },
  ],
}

export const store = memory()
export const g = await open(shops, store, { listener })
await g.$batch(rows.customer.map(each => g.customer.put(each)))
await g.$batch(rows.order.map(each => g.order.put(each)))
await g.$batch(rows.shop.map(each => g.shop.put(each)))

export const asked = await show({
  title: 'Customers and their orders; shops by state, city and zip',
  graph: g,
  store,
  rows,
  patterns: {
    'A customer with the orders': () => g.customer.collect('XYQ', { orders: g.order.by.customer }),
    'The first ten orders of a customer': () => g.order.by.customer('XYQ').limit(10).all(),
    'One order': () => g.order.get({ customer: 'XYQ', no: '00001' }),
    'The shops of a state': () => g.shop.by.place({ country: 'USA' }).where({ state: 'GA' }).all(),
    'The shops of a city, by a range of zip': () =>
      g.shop.by
        .place({ country: 'USA' })
        .where({ state: 'GA', city: 'ATLANTA', zip: { from: 30_300, to: 30_399 } })
        .all(),
  },
})
