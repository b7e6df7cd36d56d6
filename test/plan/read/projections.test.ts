import { describe, expect, it } from 'vitest'
import { layout } from '../../../src/layout/layout.js'
import { explain } from '../../../src/plan/explain.js'
import type { Plan } from '../../../src/plan/plan.js'
import { pricePlan } from '../../../src/plan/price/plan-price.js'
import type { RowPage } from '../../../src/plan/read/answer.js'
import { planCollect } from '../../../src/plan/read/collect.js'
import { planPath } from '../../../src/plan/read/path.js'
import { planScan } from '../../../src/plan/read/scan.js'
import { date, edge, graph, node, set, string } from '../../layout/declarations.js'
import { run, storeOf } from './run-read.js'

const user = node(
  'user',
  { id: string(), name: string().stored('n'), skills: set(string()).optional() },
  { id: 'id', unique: ['name'], by: { skill: { in: ['skills'], as: 'item' } } },
)
const follow = edge('follow', { from: user, to: user }, { since: date(), note: string() }, { expires: 'since' })
const best = edge('best', { of: user, friend: user }, { note: string() }, { one: 'of' })
const friends = edge('friends', { one: user, other: user }, { note: string() }, { undirected: true })
const types = [user, follow, best, friends]
const made = layout(graph('social', types))
const since = new Date(9000)
const example = {
  user: ['a', 'b'].map(id => ({ id, name: id.toUpperCase(), skills: new Set(['go']) })),
  follow: ['b', 'c'].map(to => ({ from: 'a', to, since, note: `to ${to}` })),
  best: [{ of: 'a', friend: 'b', note: 'x' }],
  friends: [
    { one: 'a', other: 'b', note: 'x' },
    { one: 'c', other: 'a', note: 'y' },
  ],
}
const store = await storeOf(made, example)
/** The attributes that a request asks for. */
const attributes = ({ ProjectionExpression, ExpressionAttributeNames }: Record<string, unknown>) =>
  String(ProjectionExpression)
    .split(', ')
    .map(name => (ExpressionAttributeNames as Record<string, string>)[name])
const firstInput = (plan: Plan) => plan.steps[0]!.request.input
const items = async (plan: Plan, held = store, lay = made) => ((await run(held, lay, plan)).value as RowPage).items

describe('selected members of a row', () => {
  it('only() of a path returns the selected members and requests them with keys and marks', async () => {
    const ask = { type: 'follow', path: 'from', start: 'a', only: ['to', 'note'] }
    expect(await items(planPath(made, ask))).toEqual(['b', 'c'].map(to => ({ to, note: `to ${to}` })))
    expect(attributes(firstInput(planPath(made, ask)))).toEqual(['PK', 'SK', '_type', '_expires', 'note'])
    const other = planPath(made, { type: 'follow', path: 'to', start: 'b', only: ['from'] })
    expect(await items(other)).toEqual([{ from: 'a' }])
    expect(attributes(firstInput(other))).toEqual(['PK', 'SK', '_type', 'GSI1PK', 'GSI1SK', '_expires'])
  })

  it('only() with nodes applies to the edge', async () => {
    const ask = { type: 'follow', path: 'from', start: 'a', only: ['since'], limit: 1 }
    expect(await items(planPath(made, { ...ask, nodes: 'joined' }))).toEqual([
      { edge: { since }, node: example.user[1] },
    ])
    expect(await items(planPath(made, { ...ask, nodes: 'nodes' }))).toEqual([example.user[1]])
  })

  it('only() of a scan or a collection returns only these members', async () => {
    expect(await items(planScan(made, { type: 'best', only: ['friend'] }))).toEqual([{ friend: 'b' }])
    const parts = { follows: { type: 'follow', path: 'from', only: ['to'] } }
    expect((await run(store, made, planCollect(made, 'user', 'a', parts))).value).toEqual({
      node: example.user[0],
      follows: [{ to: 'b' }, { to: 'c' }],
    })
  })

  it('only() of a pointer path projects the read of the whole item', async () => {
    const plan = planPath(made, { type: 'user', path: 'skill', start: { skills: 'go' }, only: ['name'] })
    const { value, rounds } = await run(store, made, plan)
    expect((value as RowPage).items).toEqual([{ name: 'A' }, { name: 'B' }])
    expect(rounds[0]![0]!.input).not.toHaveProperty('ProjectionExpression')
    expect(rounds[1]![0]!.input.RequestItems).toMatchObject({ social: { ProjectionExpression: expect.any(String) } })
  })

  it('only() excludes expired rows without selecting their expiry attribute', async () => {
    const ask = { type: 'follow', path: 'from', start: 'a', only: ['to'] }
    expect(((await run(store, made, planPath(made, ask), 9000)).value as RowPage).items).toEqual([])
  })

  it('only() of an undirected edge returns the requested order of ends under raw keys too', async () => {
    const ask = { type: 'friends', path: 'one', start: 'a', only: ['other'] }
    expect(await items(planPath(made, ask))).toEqual([{ other: 'b' }, { other: 'c' }])
    const raw = layout(graph('social', [user, friends]), { raw: true })
    const rows = { user: example.user.map(({ skills: _, ...rest }) => rest), friends: example.friends }
    expect(await items(planPath(raw, ask), await storeOf(raw, rows), raw)).toEqual([{ other: 'b' }, { other: 'c' }])
  })

  it('only() continues from a cursor, also over shards', async () => {
    const spread = edge('follow', { from: user, to: user }, { note: string() }, { by: { to: { shards: 3 } } })
    const sharded = layout(graph('social', [user, spread]))
    const rows = { follow: ['a', 'b', 'c', 'd'].map(from => ({ from, to: 'x', note: from })) }
    const held = await storeOf(sharded, rows)
    const ask = { type: 'follow', path: 'to', start: 'x', only: ['note'], limit: 3 }
    const first = (await run(held, sharded, planPath(sharded, ask))).value as RowPage
    const rest = (await run(held, sharded, planPath(sharded, { ...ask, cursor: first.cursor }))).value as RowPage
    expect([...first.items, ...rest.items]).toEqual(['a', 'b', 'c', 'd'].map(note => ({ note })))
  })

  it('only() costs as much as reading whole items, and the plan shows the price', () => {
    const plan = planPath(made, { type: 'follow', path: 'from', start: 'a', only: ['to'] })
    const text = String(explain(pricePlan(made, plan)))
    expect(text).toContain('only PK, SK, _type, _expires')
    expect(text).toContain('whole items are read and billed')
  })

  it('only() rejects an unknown member', () => {
    const code = expect.objectContaining({ code: 'read.part' })
    expect(() => planPath(made, { type: 'follow', path: 'from', start: 'a', only: ['nothing'] })).toThrow(code)
    expect(() => planScan(made, { type: 'user', only: ['nothing'] })).toThrow(code)
  })
})
