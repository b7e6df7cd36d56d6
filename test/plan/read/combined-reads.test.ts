import { describe, expect, it } from 'vitest'
import { layout } from '../../../src/layout/layout.js'
import { explain } from '../../../src/plan/explain.js'
import { pricePlan } from '../../../src/plan/price/plan-price.js'
import { planCombinedRead } from '../../../src/plan/read/combined-read.js'
import { planExists, planGet } from '../../../src/plan/read/item.js'
import { edge, graph, node, string } from '../../layout/declarations.js'
import { run, storeOf } from './run-read.js'

const user = node('user', { id: string(), name: string() }, { id: 'id' })
const best = edge('best', { of: user, friend: user }, {}, { one: 'of' })
const friends = edge('friends', { one: user, other: user }, {}, { undirected: true })
const made = layout(graph('social', [user, best, friends]))
const example = {
  user: ['a', 'b'].map(id => ({ id, name: id.toUpperCase() })),
  best: [{ of: 'a', friend: 'b' }],
  friends: [{ one: 'a', other: 'b' }],
}
const store = await storeOf(made, example)
const key = (PK: string, SK = '#') => ({ PK: { S: PK }, SK: { S: SK } })
const reads = [
  planGet(made, 'user', 'b'),
  planGet(made, 'user', 'nobody'),
  planExists(made, 'user', 'b'),
  planGet(made, 'best', { of: 'a', friend: 'c' }),
  planGet(made, 'friends', { one: 'b', other: 'a' }),
  planGet(made, 'user', 'b'),
]
const answers = [example.user[1], undefined, true, undefined, { one: 'b', other: 'a' }, example.user[1]]
const keys = [key('user#b'), key('user#nobody'), key('user#a', 'best'), key('user#a', 'friends#b')]

describe('several combined reads', () => {
  it('a transactional read is one TransactGetItems with each key once, and keeps the order of the calls', async () => {
    const { value, rounds, units } = await run(store, made, planCombinedRead(made, reads, 'transactGetItems'))
    const TransactItems = keys.map(Key => ({ Get: { TableName: 'social', Key } }))
    expect(rounds).toEqual([[{ operation: 'transactGetItems', input: { TransactItems } }]])
    expect(value).toEqual(answers)
    expect(units).toEqual({ table: 8 })
  })

  it('other combined reads are one BatchGetItem per hundred keys, consistent when one of them is', async () => {
    const { value, rounds, units } = await run(store, made, planCombinedRead(made, reads, 'batchGetItem'))
    expect(rounds).toEqual([[{ operation: 'batchGetItem', input: { RequestItems: { social: { Keys: keys } } } }]])
    expect(value).toEqual(answers)
    expect(units).toEqual({ table: 2 })
    const many = Array.from({ length: 201 }, (_, i) => planGet(made, 'user', `u${i}`, { consistent: i === 7 }))
    const chunks = await run(store, made, planCombinedRead(made, many, 'batchGetItem'))
    expect(chunks.rounds.map(round => round.length)).toEqual([3])
    expect(chunks.units).toEqual({ table: 201 })
    expect(chunks.value).toEqual(many.map(() => undefined))
  })

  it('a transactional read costs twice as much, and its plan shows the price', () => {
    expect(explain(pricePlan(made, planCombinedRead(made, reads, 'transactGetItems'))).total.read).toEqual({ table: 8 })
    expect(
      String(explain(pricePlan(made, planCombinedRead(made, reads, 'transactGetItems'))))
        .split('\n')
        .slice(0, 2),
    ).toEqual(['1. TransactGetItems on the table: 4 keys', '   1 request, 8 read units, in a transaction'])
  })

  it('more than a hundred transactional reads are rejected, and zero reads send no request', async () => {
    const many = Array.from({ length: 101 }, (_, i) => planGet(made, 'user', `u${i}`))
    expect(() => planCombinedRead(made, many, 'transactGetItems')).toThrow(
      expect.objectContaining({ code: 'read.transaction' }),
    )
    expect(planCombinedRead(made, [...many.slice(1), many[1]!], 'transactGetItems').steps).toHaveLength(1)
    expect(await run(store, made, planCombinedRead(made, [], 'transactGetItems'))).toEqual({
      value: [],
      rounds: [],
      units: {},
    })
  })
})
