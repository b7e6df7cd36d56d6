import { describe, expect, it } from 'vitest'
import { layout } from '../../../src/layout/layout.js'
import type { Plan } from '../../../src/plan/plan.js'
import type { RowPage } from '../../../src/plan/read/answer.js'
import { planCollect } from '../../../src/plan/read/collect.js'
import { planCombinedRead } from '../../../src/plan/read/combined-read.js'
import { planExists, planGet, planMany, planUnique } from '../../../src/plan/read/item.js'
import type { PathQuery } from '../../../src/plan/read/options.js'
import { planPath } from '../../../src/plan/read/path.js'
import { planScan } from '../../../src/plan/read/scan.js'
import { edge, graph, node, set, string } from '../../layout/declarations.js'
import { run, storeOf } from './run-read.js'

const user = node(
  'user',
  { id: string(), email: string(), city: string(), town: string(), skills: set(string()) },
  {
    id: 'id',
    unique: ['email'],
    by: { city: { in: ['city'] }, town: { in: ['town'] }, skill: { in: ['skills'], as: 'item' } },
  },
)
const place = node('place', { id: string() }, { id: 'id' })
const follow = edge('follow', { from: user, to: user }, {})
const made = layout(graph('social', [user, place, follow]), {
  indexes: { GSI2: { keys: ['GSI2PK', 'GSI2SK'], project: 'keys' } },
})
const rows = ['a', 'b', 'c'].map(id => ({ id, email: `${id}@x`, city: 'Rome', town: 'Lazio', skills: new Set(['go']) }))
const store = await storeOf(made, { user: rows, follow: ['b', 'c'].map(to => ({ from: 'a', to })) })
await store.updateItem({
  TableName: 'social',
  Key: { PK: { S: 'user#b' }, SK: { S: '#' } },
  UpdateExpression: 'SET #going = :going',
  ExpressionAttributeNames: { '#going': made.names.deletionMark },
  ExpressionAttributeValues: { ':going': { S: 'x' } },
})
const value = async (plan: Plan) => (await run(store, made, plan)).value
const ids = async (plan: Plan) => ((await value(plan)) as RowPage).items.map(row => (row as { id: string }).id)
const paths: Record<string, PathQuery> = {
  'an index': { type: 'user', path: 'city', start: { city: 'Rome' } },
  'an index of keys only': { type: 'user', path: 'town', start: { town: 'Lazio' } },
  'a facet': { type: 'user', path: 'skill', start: { skills: 'go' } },
}

describe('a node that is being deleted', () => {
  it('a node that is being deleted reads as missing by its id and by a unique attribute', async () => {
    expect(await value(planGet(made, 'user', 'b'))).toBeUndefined()
    expect(await value(planExists(made, 'user', 'b'))).toBe(false)
    expect(await value(planUnique(made, 'user', 'email', 'b@x'))).toBeUndefined()
    expect(await value(planMany(made, 'user', ['a', 'b']))).toEqual([rows[0], undefined])
    const together = [planGet(made, 'user', 'b'), planExists(made, 'user', 'b')]
    expect(await value(planCombinedRead(made, together, 'transactGetItems'))).toEqual([undefined, false])
  })

  it.each(Object.entries(paths))('a node that is being deleted is neither found nor counted by %s', async (_, ask) => {
    expect(await ids(planPath(made, ask))).toEqual(['a', 'c'])
    expect(await value(planPath(made, { ...ask, count: true }))).toBe(2)
  })

  it('a node that is being deleted does not use up a limit', async () => {
    expect(await ids(planPath(made, { ...paths['an index']!, limit: 2 }))).toEqual(['a', 'c'])
  })

  it('a scan neither returns nor counts a node that is being deleted', async () => {
    expect((await ids(planScan(made, { type: 'user' }))).sort()).toEqual(['a', 'c'])
    expect(await value(planScan(made, { type: 'user', count: true }))).toBe(2)
  })

  it('a node that is being deleted is missing at the end of an edge, and from its own collection', async () => {
    const ask = { type: 'follow', path: 'from', start: 'a' } as const
    expect(await ids(planPath(made, { ...ask, nodes: 'nodes' }))).toEqual(['c'])
    expect(await value(planCollect(made, 'user', 'b', { follows: { type: 'follow', path: 'from' } }))).toEqual({
      node: undefined,
      follows: [],
    })
  })

  it('types without deletion marks are read without a filter on the mark', () => {
    const filters = (type: string) => planScan(made, { type, count: true }).steps[0]!.request.input.FilterExpression
    expect([filters('place'), filters('follow')]).toEqual(['#k0 IN (:k0)', '#k0 IN (:k0)'])
    expect(filters('user')).toContain('attribute_not_exists')
  })
})
