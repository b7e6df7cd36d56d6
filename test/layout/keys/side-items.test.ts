import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { edge, graph, integer, layout, node, open, string } from '../../../src/index.js'

const invoice = node('invoice', { id: string() }, { id: 'id' })
const bill = node('bill', { id: string() }, { id: 'id' })
const line = node('line', { no: integer() }, { id: 'no', within: invoice })
const contains = edge('contains', { invoice, bill }, {}, { by: { bill: { as: 'mirror' } } })
const shop = node('shop', { country: string(), zip: string() }, { id: ['country', 'zip'] })
const sells = edge('sells', { shop, bill }, {}, { by: { shop: { shards: 2 } } })
const billing = layout(graph('billing', [invoice, bill, line, contains, shop, sells]), {
  keys: {
    invoice: { PK: 'I#{id}', SK: 'root' },
    bill: { PK: 'B#{id}', SK: 'B#{id}' },
    shop: { PK: '{zip}#S#{country}', SK: 'shop' },
  },
})

describe('side items of a node with custom keys', () => {
  const partition = (kind: string) => billing.kinds.find(({ name }) => name === kind)!.keys.PK!.source

  it('an edge, a mirror and an owned node have the custom partition of their node by default', () => {
    expect(['contains', 'contains.bill', 'line'].map(partition)).toEqual(['I#{invoice}', 'B#{bill}', 'I#{invoice}'])
  })

  it('the parts of an id keep their places in the custom partition, and shards follow', () => {
    expect(partition('sells')).toBe('{shop.zip}#S#{shop.country}#{shard}')
  })

  it.each([
    ['{{I#{id}', '{{I#{invoice}'],
    ['I{{id}}#{id}', 'I{{id}}#{invoice}'],
    ['I#{{{id}', 'I#{{{invoice}'],
  ])('a brace of the key %s stays a brace', (PK, beside) => {
    const keys = { invoice: { PK, SK: 'root' } }
    const { kinds } = layout(graph('billing', [invoice, line]), { keys } as never)
    expect(kinds.find(({ name }) => name === 'line')!.keys.PK!.source).toBe(beside)
  })

  it('collect() reads a node with custom keys and its side items by one Query', async () => {
    const g = await open(billing, memory())
    await g.invoice.create({ id: '506' })
    await g.bill.create({ id: '3392' })
    await g.line.put({ invoice: '506', no: 1 })
    await g.contains.put({ invoice: '506', bill: '3392' })
    const found = await g.bill.collect('3392', { invoices: g.contains.by.bill }).run()
    expect(found.value).toEqual({ node: { id: '3392' }, invoices: [{ invoice: '506', bill: '3392' }] })
    expect(found.requests).toBe(1)
    const whole = await g.invoice.collect('506', { bills: g.contains.by.invoice, lines: g.line.by.invoice }).run()
    expect(whole.value.lines).toEqual([{ invoice: '506', no: 1 }])
    expect(whole.value.bills).toHaveLength(1)
    expect(whole.requests).toBe(1)
  })
})
