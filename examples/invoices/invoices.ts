import { open } from 'edgewise'
import { memory } from 'edgewise/engine'
import { listener, show } from '../print.js'
import { billing } from './graph.js'

export const rows = {
  customer: [{ id: '1317', name: 'Ann' }],
  invoice: [
    { id: '506', date: new Date('2026-01-31'), balance: 700 },
    { id: '1721', date: new Date('2026-02-28'), balance: 300 },
  ],
  bill: [
    { id: '3392', amount: 900 },
    { id: '4224', amount: 100 },
  ],
  billedTo: [
    { invoice: '506', customer: '1317' },
    { invoice: '1721', customer: '1317' },
  ],
  contains: [
    { invoice: '506', bill: '3392', part: 600 },
    { invoice: '506', bill: '4224', part: 100 },
    { invoice: '1721', bill: '3392', part: 300 },
  ],
}

export const store = memory()
export const g = await open(billing, store, { listener })
await g.$batch(rows.customer.map(each => g.customer.put(each)))
await g.$batch(rows.invoice.map(each => g.invoice.put(each)))
await g.$batch(rows.bill.map(each => g.bill.put(each)))
await g.$batch(rows.billedTo.map(each => g.billedTo.put(each)))
await g.$batch(rows.contains.map(each => g.contains.put(each)))

export const asked = await show({
  title: 'Invoices, their customers, and the bills that are in them',
  graph: g,
  store,
  rows,
  patterns: {
    'An invoice with its customer and its bills': () =>
      g.invoice.collect('506', { customer: g.billedTo.by.invoice, bills: g.contains.by.invoice }),
    'The invoices of a customer': () => g.billedTo.by.customer('1317').all(),
    'A customer with the invoices': () => g.customer.collect('1317', { invoices: g.billedTo.by.customer }),
    'A bill with the invoices that it is in': () => g.bill.collect('3392', { invoices: g.contains.by.bill }),
    'The same with whole invoices': () => g.contains.by.bill('3392').withNodes().all(),
  },
})
