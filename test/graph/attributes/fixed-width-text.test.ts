import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/embedded.js'
import { day, fixedText, graph, layout, node, open, type Store, string, yearMonth } from '../../../src/index.js'

const bill = node(
  'bill',
  { no: fixedText('B#000'), due: day(), month: yearMonth(), paid: day().optional() },
  { id: 'no', by: { month: { in: ['month'], order: ['due'] }, no: { order: ['no'], in: ['paid'] } } },
)
const bills = graph('bills', [bill])
const rows = [
  { no: 'B#001', due: '2026-01-31', month: '2026-01' },
  { no: 'B#002', due: '2026-01-15', month: '2026-01', paid: '2026-01-20' },
  { no: 'B#003', due: '2026-02-01', month: '2026-02', paid: '2026-01-20' },
]

describe('days, months and other texts of a fixed width', () => {
  it('fixed-width texts sort and support ranges in a new table', async () => {
    const g = await open(bills, memory())
    for (const row of rows) await g.bill.create(row)
    expect((await g.bill.by.month({ month: '2026-01' }).all()).map(({ no }) => no)).toEqual(['B#002', 'B#001'])
    const late = g.bill.by.month({ month: '2026-01' }).where({ due: { from: '2026-01-16' } })
    expect(await late.all()).toEqual([rows[0]])
    const some = g.bill.by.no({ paid: '2026-01-20' }).where({ no: { from: 'B#003', to: 'B#003' } })
    expect(await some.all()).toEqual([rows[2]])
    expect(await g.bill.get('B#002')).toEqual(rows[1])
    await g.bill.update('B#001', { paid: '2026-02-02' })
    await expect(g.bill.update('B#001', { paid: '2026-02-31' })).rejects.toMatchObject({ code: 'value.day' })
    expect(
      await g.bill
        .scan()
        .filter(r => r.paid.above('2026-01-31'))
        .all(),
    ).toHaveLength(1)
  })

  it('fixed-width texts replace string() without a deployment when every stored value has the format', async () => {
    const store: Store = memory()
    const texts = node(
      'bill',
      { no: string(), due: string(), month: string(), paid: string().optional() },
      { id: 'no', by: { month: { in: ['month'], order: ['due'] }, no: { order: ['no'], in: ['paid'] } } },
    )
    const before = await open(graph('bills', [texts]), store)
    for (const row of rows) await before.bill.create(row)
    expect(layout(bills).fingerprint).toBe(layout(graph('bills', [texts])).fingerprint)
    const g = await open(bills, store)
    expect(await g.bill.scan().all()).toHaveLength(3)
    expect(
      await g.bill.by
        .month({ month: '2026-01' })
        .where({ due: { to: '2026-01-15' } })
        .all(),
    ).toEqual([rows[1]])
  })
})
