import { describe, expect, it } from 'vitest'
import { countItemBytes } from '../../src/dynamodb/size.js'
import { itemsOf } from '../../src/layout/items/items.js'
import { layout } from '../../src/layout/layout.js'
import { explain } from '../../src/plan/explain.js'
import type { Plan } from '../../src/plan/plan.js'
import { pricePlan } from '../../src/plan/price/plan-price.js'
import type { Sizes } from '../../src/plan/price/read-price.js'
import { planCollect } from '../../src/plan/read/collect.js'
import { planMany, planUnique } from '../../src/plan/read/item.js'
import { planPath } from '../../src/plan/read/path.js'
import { planPut } from '../../src/plan/write/operations.js'
import { edge, embedded, graph, node, string } from '../layout/declarations.js'
import { cinema, invoices } from '../layout/sample-tables.js'
import { run, storeOf } from './read/run-read.js'
import { fresh } from './write/cinema.js'

describe('an explained plan', () => {
  const { made } = cinema()

  it('an explanation lists the requests in order, with their target, consistency and price', () => {
    const part = { type: 'follow', path: 'follower', limit: 10, reverse: true, nodes: 'nodes' } as const
    const text = String(explain(pricePlan(made, planCollect(made, 'user', 'Harsha', { follows: part }))))
    expect(text.split('\n')).toEqual([
      '1. Query on the table: PK = "USER#Harsha", backwards, at most 11',
      '   1 request, 1 read unit, eventually consistent',
      '   backwards: the node sorts last',
      '2. BatchGetItem on the table, after 1: the keys found, in batches of 100',
      '   1 request, 5 read units, eventually consistent',
      'Total: 2 requests, 6 read units (assuming 20 items of 500 bytes).',
    ])
  })

  it('an explanation names the index and additional costs of the request', () => {
    const { made: bills } = invoices()
    const plan = planPath(bills, { type: 'billedTo', path: 'customer', start: '1317', count: true })
    expect(String(explain(pricePlan(bills, plan))).split('\n')).toEqual([
      '1. Query on the index GSI_1: SK = "C#1317", filter _type IN ("billedTo"), count only',
      '   1 request, 1.5 read units, eventually consistent',
      '   items that the filter removes are read and billed too',
      'Total: 1 request, 1.5 read units (assuming 20 items of 500 bytes).',
    ])
  })

  it('an explanation separates the units of the table from the units of each index', () => {
    const user = node('user', { name: string() }, { id: 'name' })
    const follows = layout(graph('social', [user, edge('follow', { follower: user, followee: user })]))
    const row = { follower: 'Ann', followee: 'Bob' }
    expect(String(explain(pricePlan(follows, planPut(follows, 'follow', row, fresh)))).split('\n')).toEqual([
      '1. PutItem on the table',
      '   1 request, 2 write units (table 1, GSI1 1)',
      'Total: 1 request, 2 write units (table 1, GSI1 1).',
    ])
  })

  it('an explanation notes that writing an entry of an embedded map costs as much as writing its whole node', () => {
    const course = node('course', { id: string(), pupils: embedded({ name: string() }) }, { id: 'id' })
    const pupil = node('pupil', { id: string() }, { id: 'id' })
    const embed = { course: { into: 'pupils', max: 40 } } as const
    const enrolled = edge('enrolled', { course, pupil }, { name: string() }, { embed })
    const school = layout(graph('school', [course, pupil, enrolled]))
    const last = (plan: Plan) => explain(pricePlan(school, plan)).steps.at(-1)
    const enroll = planPut(school, 'enrolled', { course: 'math', pupil: 'p1', name: 'Tom' }, fresh)
    expect(last(enroll)?.notes).toEqual(['whole items are read and written'])
    expect(last(planPut(school, 'course', { id: 'math' }, fresh))?.notes).toEqual([])
  })

  it('an explanation states the assumptions behind its price that the caller did not give', () => {
    const last = (plan: Plan, sizes?: Sizes) =>
      String(explain(pricePlan(made, plan, sizes), sizes))
        .split('\n')
        .at(-1)
    const ask = { type: 'follow', path: 'follower', start: 'Harsha' }
    const lastOf = (sizes: Sizes) => last(planPath(made, { ...ask, sizes }), sizes)
    expect(lastOf({ items: 8 })).toBe('Total: 1 request, 0.5 read units (assuming items of 500 bytes).')
    expect(lastOf({ items: 0 })).toBe('Total: 1 request, 0.5 read units (assuming items of 500 bytes).')
    expect(lastOf({ itemBytes: 4096 })).toBe('Total: 1 request, 10 read units (assuming 20 items).')
    expect(lastOf({ items: 8, itemBytes: 4096 })).toBe('Total: 1 request, 4 read units.')
    expect(last(planMany(made, 'user', ['a', 'b']))).toBe(
      'Total: 1 request, 1 read unit (assuming items of 500 bytes).',
    )
  })

  it('an explanation is data that survives JSON', () => {
    const user = node('user', { id: string(), email: string() }, { id: 'id', unique: ['email'] })
    const users = layout(graph('users', [user]))
    const plan = planUnique(users, 'user', 'email', 'a@x', { consistent: true })
    const explained = explain(pricePlan(users, plan))
    expect(explained.steps.map(({ operation, after, asks }) => [operation, after, asks])).toEqual([
      ['GetItem', [], 'PK = "user.email#a@x" AND SK = "#"'],
      ['GetItem', [0], 'the key found'],
    ])
    expect(explained.total).toEqual({ requests: 2, read: { table: 2 }, write: {} })
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan)
    expect(String(explain(pricePlan(users, planMany(users, 'user', []))))).toBe('Total: no requests.')
  })
})

describe('a price', () => {
  const user = node('user', { id: string(), text: string() }, { id: 'id' })
  const follow = edge('follow', { from: user, to: user }, { note: string() })
  const made = layout(graph('social', [user, follow]))
  const ids = Array.from({ length: 150 }, (_, i) => `u${String(i).padStart(3, '0')}`)
  const long = 'x'.repeat(8000)

  it('with the actual sizes, the price equals the consumption over pages and chunks', async () => {
    const example = { follow: ids.map(to => ({ from: 'me', to, note: long })) }
    const store = await storeOf(made, example)
    const sizes = { itemBytes: countItemBytes(itemsOf(made, example)[0]!.item), items: ids.length }
    const reads = [
      planPath(made, { type: 'follow', path: 'from', start: 'me', sizes, consistent: true }),
      planPath(made, { type: 'follow', path: 'from', start: 'me', sizes, limit: 7 }),
    ]
    for (const plan of reads) {
      const { rounds, units } = await run(store, made, plan)
      const { total } = explain(pricePlan(made, plan))
      expect(units).toEqual(total.read)
      expect(rounds.flat()).toHaveLength(total.requests)
    }
  })

  it('the price of reading whole nodes rounds up each node separately', async () => {
    const example = {
      user: ids.map(id => ({ id, text: 'y'.repeat(4000) })),
      follow: ids.map(to => ({ from: 'me', to, note: 'x'.repeat(3960) })),
    }
    const items = itemsOf(made, example)
    const bytes = new Set(items.map(({ item }) => countItemBytes(item)))
    const store = await storeOf(made, example)
    const sizes = { itemBytes: Math.max(...bytes), items: ids.length }
    const plan = planPath(made, { type: 'follow', path: 'from', start: 'me', sizes, nodes: 'nodes' })
    const { rounds, units } = await run(store, made, plan)
    expect([...bytes]).toHaveLength(1)
    expect(units).toEqual(explain(pricePlan(made, plan)).total.read)
    expect(rounds.map(round => round.length)).toEqual([1, 2])
  })
})
