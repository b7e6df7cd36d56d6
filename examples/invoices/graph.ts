import { date, edge, graph, integer, layout, node, string } from 'edgewise'

const customer = node('customer', { id: string(), name: string() }, { id: 'id' })
const invoice = node('invoice', { id: string(), date: date(), balance: integer() }, { id: 'id' })
const bill = node('bill', { id: string(), amount: integer().immutable() }, { id: 'id' })
const billedTo = edge('billedTo', { invoice, customer }, {}, { by: { customer: { as: 'inverted' } } })
// What a bill is about never changes, so each invoice that has a part of it can carry a copy.
const contains = edge(
  'contains',
  { invoice, bill },
  { part: integer() },
  { carry: { amount: 'bill.amount' }, by: { bill: { as: 'mirror' } } },
)

export const billing = layout(graph('InvoiceAndBills', [customer, invoice, bill, billedTo, contains]), {
  keys: {
    customer: { PK: 'C#{id}', SK: 'C#{id}' },
    invoice: { PK: 'I#{id}', SK: 'root' },
    bill: { PK: 'B#{id}', SK: 'B#{id}' },
    billedTo: { PK: 'I#{invoice}', SK: 'C#{customer}' },
    contains: { PK: 'I#{invoice}', SK: 'B#{bill}', mirror: { PK: 'B#{bill}', SK: 'I#{invoice}' } },
  },
  indexes: { GSI_1: { keys: ['SK'], capacity: { read: 100, write: 100 } } },
  capacity: { read: 100, write: 100 },
})
