import { describe, expect, it } from 'vitest'
import { layout } from '../../../src/layout/layout.js'
import { pricePlan } from '../../../src/plan/price/plan-price.js'
import { planExists, planGet, planMany, planUnique } from '../../../src/plan/read/item.js'
import { counter, date, edge, graph, integer, node, string } from '../../layout/declarations.js'
import { run, storeOf } from './run-read.js'

const user = node('user', { id: string(), email: string(), followers: counter() }, { id: 'id', unique: ['email'] })
const order = node('order', { no: string() }, { id: 'no', within: user })
const place = node('place', { zip: integer(), street: string() }, { id: ['zip', 'street'] })
const lives = edge('lives', { user, place }, { since: date() })
const best = edge('best', { of: user, friend: user }, {}, { one: 'of' })
const friends = edge('friends', { one: user, other: user }, {}, { undirected: true })
const made = layout(graph('social', [user, order, place, lives, best, friends]))
const example = {
  user: ['a', 'b', 'c'].map(id => ({ id, email: `${id}@x` })),
  order: [{ user: 'a', no: '7' }],
  place: [{ zip: 30_329, street: 'Main # $ St' }],
  lives: [{ user: 'a', place: { zip: 30_329, street: 'Main # $ St' }, since: new Date(5) }],
  best: [{ of: 'a', friend: 'b' }],
  friends: [{ one: 'a', other: 'b' }],
}
const store = await storeOf(made, example)
const key = (PK: string, SK = '#') => ({ PK: { S: PK }, SK: { S: SK } })
const get = (Key: object, more = {}) => ({ operation: 'getItem', input: { TableName: 'social', Key, ...more } })

describe('a node or an edge by its identity', () => {
  it('a read by identity is one GetItem, consistent on request', async () => {
    const plan = planGet(made, 'user', 'a', { consistent: true })
    const { value, rounds, units } = await run(store, made, plan)
    expect(rounds).toEqual([[get(key('user#a'), { ConsistentRead: true })]])
    expect(units).toEqual({ table: 1 })
    expect(value).toEqual({ id: 'a', email: 'a@x', followers: 0 })
  })

  it('a read of a missing row returns undefined', async () => {
    expect((await run(store, made, planGet(made, 'user', 'nobody'))).value).toBeUndefined()
    expect((await run(store, made, planExists(made, 'user', 'nobody'))).value).toBe(false)
    expect((await run(store, made, planExists(made, 'user', 'a'))).value).toBe(true)
  })

  it('identities with several parts or owners are objects', async () => {
    const owned = await run(store, made, planGet(made, 'order', { user: 'a', no: '7' }))
    expect(owned.rounds).toEqual([[get(key('user#a', 'order#7'))]])
    expect(owned.value).toEqual(example.order[0])
    const { user: of, place: at } = example.lives[0]!
    expect((await run(store, made, planGet(made, 'lives', { user: of, place: at }))).value).toEqual(example.lives[0])
    expect((await run(store, made, planGet(made, 'place', at))).value).toEqual(example.place[0])
  })

  it('a read by identity does not return another edge under the same key', async () => {
    expect((await run(store, made, planGet(made, 'best', { of: 'a', friend: 'b' }))).value).toEqual(example.best[0])
    expect((await run(store, made, planGet(made, 'best', { of: 'a', friend: 'c' }))).value).toBeUndefined()
  })

  it('an undirected edge is read from either end, and its ends have the requested order', async () => {
    expect((await run(store, made, planGet(made, 'friends', { one: 'a', other: 'b' }))).value).toEqual({
      one: 'a',
      other: 'b',
    })
    expect((await run(store, made, planGet(made, 'friends', { one: 'b', other: 'a' }))).value).toEqual({
      one: 'b',
      other: 'a',
    })
  })

  it('an undirected edge that is stored under only one end is read from either end', async () => {
    const pals = edge('pals', { one: user, other: user }, {}, { undirected: true, by: { one: { as: 'index' } } })
    const pairs = layout(graph('social', [user, pals]))
    const held = await storeOf(pairs, { pals: [{ one: 'b', other: 'a' }] })
    const asked = [
      { one: 'a', other: 'b' },
      { one: 'b', other: 'a' },
      { one: 'a', other: 'c' },
    ]
    for (const pair of asked.slice(0, 2))
      expect((await run(held, pairs, planGet(pairs, 'pals', pair))).value).toEqual(pair)
    expect((await run(held, pairs, planMany(pairs, 'pals', asked))).value).toEqual([...asked.slice(0, 2), undefined])
  })

  it('a read of an unknown type, or of an id that lacks a part, is rejected', () => {
    expect(() => planGet(made, 'nobody', 'a')).toThrow(expect.objectContaining({ code: 'read.path' }))
    expect(() => planGet(made, 'place', { zip: 1 })).toThrow(expect.objectContaining({ code: 'key.missing' }))
  })
})

describe('many rows by their ids', () => {
  it('each id is read only once, and the result has the order of the ids with undefined for missing rows', async () => {
    const { value, rounds } = await run(store, made, planMany(made, 'user', ['c', 'nobody', 'a', 'c']))
    const Keys = ['c', 'nobody', 'a'].map(id => key(`user#${id}`))
    expect(rounds).toEqual([[{ operation: 'batchGetItem', input: { RequestItems: { social: { Keys } } } }]])
    expect((value as { id: string }[]).map(row => row?.id)).toEqual(['c', undefined, 'a', 'c'])
  })

  it('ids are read in concurrent chunks of a hundred, and an empty list sends no request', async () => {
    const ids = Array.from({ length: 201 }, (_, i) => `u${i}`)
    const plan = planMany(made, 'user', ids)
    const { rounds } = await run(store, made, plan)
    expect(rounds.map(round => round.length)).toEqual([3])
    expect(pricePlan(made, plan).steps.map(({ price }) => price.read.table)).toEqual([50, 50, 0.5])
    expect(await run(store, made, planMany(made, 'user', []))).toEqual({ value: [], rounds: [], units: {} })
  })
})

describe('a node by a unique attribute', () => {
  it('a read by a unique attribute is a GetItem of the sentinel, then a GetItem of the node', async () => {
    const { value, rounds, units } = await run(store, made, planUnique(made, 'user', 'email', 'b@x'))
    expect(rounds).toEqual([[get(key('user.email#b@x'))], [get(key('user#b'))]])
    expect(units).toEqual({ table: 1 })
    expect(value).toMatchObject({ id: 'b', email: 'b@x' })
  })

  it('a read of an unused value is undefined after the first GetItem', async () => {
    const { value, rounds } = await run(store, made, planUnique(made, 'user', 'email', 'z@x'))
    expect([value, rounds.length]).toEqual([undefined, 1])
  })

  it('a read by an attribute that is not unique is rejected', () => {
    expect(() => planUnique(made, 'user', 'id', 'a')).toThrow(expect.objectContaining({ code: 'read.path' }))
  })
})

describe('tenants and time', () => {
  it('the tenant is the first part of every key and is not a member of the rows', async () => {
    const tenants = layout(graph('social', [user, friends], { tenant: true }))
    const acme = await storeOf(tenants, { user: example.user }, 'acme')
    const { value, rounds } = await run(acme, tenants, planUnique(tenants, 'user', 'email', 'a@x', { tenant: 'acme' }))
    expect(rounds).toEqual([[get(key('acme#user.email#a@x'))], [get(key('acme#user#a'))]])
    expect(value).toEqual({ id: 'a', email: 'a@x', followers: 0 })
    expect(() => planGet(tenants, 'user', 'a')).toThrow(expect.objectContaining({ code: 'key.missing' }))
  })

  it('an expired row reads as missing while DynamoDB still stores it', async () => {
    const code = node('code', { id: string(), until: date() }, { id: 'id', expires: 'until' })
    const codes = layout(graph('codes', [code]))
    const held = await storeOf(codes, {})
    const Item = { ...key('code#1'), _type: { S: 'code' }, until: { S: new Date(9000).toISOString() } }
    await held.putItem({ TableName: 'codes', Item: { ...Item, _expires: { N: '9' } } })
    const plan = planGet(codes, 'code', '1')
    expect((await run(held, codes, plan, 8999)).value).toEqual({ id: '1', until: new Date(9000) })
    expect((await run(held, codes, plan, 9000)).value).toBeUndefined()
  })
})
