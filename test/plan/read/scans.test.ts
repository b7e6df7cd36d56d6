import { describe, expect, it } from 'vitest'
import { layout } from '../../../src/layout/layout.js'
import { explain } from '../../../src/plan/explain.js'
import { pricePlan } from '../../../src/plan/price/plan-price.js'
import type { RowPage } from '../../../src/plan/read/answer.js'
import { planPath } from '../../../src/plan/read/path.js'
import { planScan } from '../../../src/plan/read/scan.js'
import { date, edge, graph, node, string } from '../../layout/declarations.js'
import { run, storeOf } from './run-read.js'

const user = node('user', { id: string() }, { id: 'id' })
const follow = edge('follow', { from: user, to: user }, {})
const ids = ['a', 'b', 'c', 'd', 'e']
const example = { user: ids.map(id => ({ id })), follow: ids.map(to => ({ from: 'a', to })) }
const idsOf = ({ items }: RowPage) => items.map(row => (row as { id: string }).id)

describe('a scan of a type', async () => {
  const made = layout(graph('social', [user, follow]))
  const store = await storeOf(made, example)
  const scan = async (more = {}) => (await run(store, made, planScan(made, { type: 'user', ...more }))).value

  it('a scan reads the whole table and drops items of other types', async () => {
    expect(idsOf((await scan()) as RowPage).sort()).toEqual(ids)
    expect(await scan({ count: true })).toBe(5)
    expect(String(explain(pricePlan(made, planScan(made, { type: 'user' })))).split('\n')).toEqual([
      '1. Scan on the table: everything, filter _type IN ("user")',
      '   1 request, 1.5 read units, eventually consistent',
      '   the whole table is read and billed',
      'Total: 1 request, 1.5 read units (assuming 20 items of 500 bytes).',
    ])
  })

  it('a scan continues from its cursor, which other types reject', async () => {
    const first = (await scan({ limit: 2 })) as RowPage
    const rest = (await scan({ cursor: first.cursor })) as RowPage
    expect([...idsOf(first), ...idsOf(rest)].sort()).toEqual(ids)
    expect(() => planScan(made, { type: 'follow', cursor: first.cursor })).toThrow(
      expect.objectContaining({ code: 'cursor.mismatch' }),
    )
  })

  it('a scan does not return rows of another tenant with the same name prefix', async () => {
    const tenants = layout(graph('social', [user], { tenant: true }))
    const shared = await storeOf(tenants, { user: [{ id: 'x' }] }, 'acme#2')
    const found = async (tenant: string) =>
      idsOf((await run(shared, tenants, planScan(tenants, { type: 'user', tenant }))).value as RowPage)
    expect([await found('acme'), await found('acme#2')]).toEqual([[], ['x']])
    expect(() => planScan(tenants, { type: 'user' })).toThrow(expect.objectContaining({ code: 'key.missing' }))
  })
})

describe('expired rows', async () => {
  const visit = edge('visit', { guest: user, host: user }, { until: date() }, { expires: 'until' })
  const made = layout(graph('social', [user, visit]))
  const store = await storeOf(made, {
    visit: ids.map((host, i) => ({ guest: 'x', host, until: new Date(i < 3 ? 1000 : 9000) })),
  })
  const ask = { type: 'visit', path: 'guest', start: 'x' }

  it('an expired row is not returned, and another row fills the limit', async () => {
    const { value, rounds } = await run(store, made, planPath(made, { ...ask, limit: 1 }), 5000)
    expect((value as RowPage).items).toEqual([{ guest: 'x', host: 'd', until: new Date(9000) }])
    expect(rounds.flat().map(({ input }) => input.Limit)).toEqual([1, 2, 4])
  })

  it('an expired row is not counted', async () => {
    const count = (nowMs: number) => run(store, made, planPath(made, { ...ask, count: true, nowMs }), nowMs)
    expect((await count(5000)).value).toBe(2)
    expect((await count(500)).value).toBe(5)
  })
})
