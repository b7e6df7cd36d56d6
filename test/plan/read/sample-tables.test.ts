import { describe, expect, it } from 'vitest'
import { explain } from '../../../src/plan/explain.js'
import { pricePlan } from '../../../src/plan/price/plan-price.js'
import { planCollect } from '../../../src/plan/read/collect.js'
import { planGet } from '../../../src/plan/read/item.js'
import { planPath } from '../../../src/plan/read/path.js'
import { cinema, courses, invoices, school } from '../../layout/sample-tables.js'
import { run, storeOf } from './run-read.js'

/** The key condition of a Query in plain words, by attribute. */
const queried = (TableName: string, condition: string, names: string[], values: string[]) => ({
  TableName,
  KeyConditionExpression: condition,
  ExpressionAttributeNames: Object.fromEntries(names.map((name, i) => [`#k${i}`, name])),
  ExpressionAttributeValues: Object.fromEntries(values.map((S, i) => [`:k${i}`, { S }])),
})

describe('invoices, bills and customers', async () => {
  const { made, example } = invoices()
  const store = await storeOf(made, example)

  it('an invoice with its customer and its bills is one Query', async () => {
    const parts = {
      customers: { type: 'billedTo', path: 'invoice' },
      bills: { type: 'contains', path: 'invoice' },
    }
    const { value, rounds, units } = await run(store, made, planCollect(made, 'invoice', '506', parts))
    expect(rounds).toEqual([
      [{ operation: 'query', input: queried('InvoiceAndBills', '#k0 = :k0', ['PK'], ['I#506']) }],
    ])
    expect(units).toEqual({ table: 0.5 })
    expect(value).toEqual({
      node: { id: '506', date: new Date(0) },
      customers: [{ invoice: '506', customer: '1317' }],
      bills: ['3392', '3393'].map(bill => ({ invoice: '506', bill })),
    })
  })

  it('the invoices of a customer are one Query on GSI_1, which also reads the customer and drops it', async () => {
    const plan = planPath(made, { type: 'billedTo', path: 'customer', start: '1317' })
    const { value, rounds, units } = await run(store, made, plan)
    const input = queried('InvoiceAndBills', '#k0 = :k0', ['SK', '_type'], ['C#1317', 'billedTo'])
    const request = { ...input, IndexName: 'GSI_1', FilterExpression: '#k1 IN (:k1)' }
    expect(rounds).toEqual([[{ operation: 'query', input: request }]])
    expect(units).toEqual({ GSI_1: 0.5 })
    expect(explain(pricePlan(made, plan)).steps[0]!.notes).toHaveLength(1)
    expect((value as { items: unknown[] }).items).toEqual(
      expect.arrayContaining(['506', '507'].map(invoice => ({ invoice, customer: '1317' }))),
    )
  })

  it('a customer with the invoices is one Query on GSI_1', async () => {
    const parts = { invoices: { type: 'billedTo', path: 'customer' } }
    const { value, rounds, units } = await run(store, made, planCollect(made, 'customer', '1317', parts))
    const input = { ...queried('InvoiceAndBills', '#k0 = :k0', ['SK'], ['C#1317']), IndexName: 'GSI_1' }
    expect(rounds).toEqual([[{ operation: 'query', input }]])
    expect(units).toEqual({ GSI_1: 0.5 })
    expect(value).toMatchObject({ node: { id: '1317' }, invoices: [{ customer: '1317' }, { customer: '1317' }] })
  })

  it('a bill with its invoices is one Query', async () => {
    const parts = { invoices: { type: 'contains', path: 'bill' } }
    const { value, rounds, units } = await run(store, made, planCollect(made, 'bill', '3392', parts))
    expect(rounds).toEqual([
      [{ operation: 'query', input: queried('InvoiceAndBills', '#k0 = :k0', ['PK'], ['B#3392']) }],
    ])
    expect(units).toEqual({ table: 0.5 })
    expect(value).toEqual({
      node: { id: '3392', amount: 7 },
      invoices: ['506', '507'].map(invoice => ({ invoice, bill: '3392' })),
    })
  })
})

describe('students, teachers and homes', async () => {
  const { made, example } = school()
  const store = await storeOf(made, example)
  const begins = '#k0 = :k0 AND begins_with(#k1, :k1)'

  it('the classes of a student are one Query', async () => {
    const plan = planPath(made, { type: 'takes', path: 'student', start: 'TOM' })
    const { value, rounds, units } = await run(store, made, plan)
    const input = queried('school', begins, ['PK', 'SK'], ['STUDENT#TOM', 'TEACHER#'])
    expect(rounds).toEqual([[{ operation: 'query', input }]])
    expect(units).toEqual({ table: 0.5 })
    expect(value).toEqual({ items: [example.takes[1], example.takes[0]], cursor: undefined })
  })

  it('the students of a teacher are one Query on the index', async () => {
    const plan = planPath(made, { type: 'takes', path: 'teacher', start: 'SIMON' })
    const { value, rounds, units } = await run(store, made, plan)
    const input = queried('school', begins, ['GSI1PK', 'GSI1SK'], ['TEACHER#SIMON', 'CLASS#'])
    expect(rounds).toEqual([[{ operation: 'query', input: { ...input, IndexName: 'GSI1' } }]])
    expect(units).toEqual({ GSI1: 0.5 })
    expect(value).toEqual({ items: [example.takes[2], example.takes[0]], cursor: undefined })
  })

  it('the residents of CA are one Query by a prefix', async () => {
    const where = { state: 'CA' }
    const plan = planPath(made, { type: 'home', path: 'place', start: { country: 'USA' }, where })
    const { value, rounds, units } = await run(store, made, plan)
    const input = queried('school', begins, ['GSI1PK', 'GSI1SK'], ['COUNTRY#USA', 'HOME#CA#'])
    expect(rounds).toEqual([[{ operation: 'query', input: { ...input, IndexName: 'GSI1' } }]])
    expect(units).toEqual({ GSI1: 0.5 })
    expect(value).toEqual({ items: [example.home[0]], cursor: undefined })
  })

  it('a student with home and classes is one Query of the whole partition', async () => {
    const parts = { homes: { type: 'home', path: 'student' }, classes: { type: 'takes', path: 'student' } }
    const { value, rounds } = await run(store, made, planCollect(made, 'student', 'TOM', parts))
    expect(rounds).toEqual([[{ operation: 'query', input: queried('school', '#k0 = :k0', ['PK'], ['STUDENT#TOM']) }]])
    expect(value).toEqual({
      node: example.student[0],
      homes: [example.home[0]],
      classes: [example.takes[1], example.takes[0]],
    })
  })

  it('a student with only the classes skips the home, which sorts before both', async () => {
    const parts = { classes: { type: 'takes', path: 'student' } }
    const { value, rounds } = await run(store, made, planCollect(made, 'student', 'TOM', parts))
    const values = ['STUDENT#TOM', 'STUDENT#TOM', 'TEACHER$']
    const input = queried('school', '#k0 = :k0 AND #k1 BETWEEN :k1 AND :k2', ['PK', 'SK'], values)
    expect(rounds).toEqual([[{ operation: 'query', input }]])
    expect(value).toEqual({ node: example.student[0], classes: [example.takes[1], example.takes[0]] })
  })
})

describe('movies and actors', async () => {
  const { made, example } = cinema()
  const store = await storeOf(made, example)

  it('a movie with its roles is one Query', async () => {
    const parts = { roles: { type: 'role', path: 'movie' } }
    const { value, rounds, units } = await run(store, made, planCollect(made, 'movie', 'Toy Story', parts))
    expect(rounds).toEqual([[{ operation: 'query', input: queried('all', '#k0 = :k0', ['PK'], ['MOVIE#Toy Story']) }]])
    expect(units).toEqual({ table: 0.5 })
    expect(value).toEqual({ node: example.movie[1], roles: [example.role[1], example.role[0]] })
  })

  it('an actor with his roles is one Query on the index', async () => {
    const parts = { roles: { type: 'role', path: 'actor' } }
    const { value, rounds, units } = await run(store, made, planCollect(made, 'actor', 'Tom Hanks', parts))
    const input = { ...queried('all', '#k0 = :k0', ['SK'], ['ACTOR#Tom Hanks']), IndexName: 'inverted' }
    expect(rounds).toEqual([[{ operation: 'query', input }]])
    expect(units).toEqual({ inverted: 0.5 })
    expect(value).toEqual({ node: { name: 'Tom Hanks' }, roles: [example.role[2], example.role[0]] })
  })
})

describe('users and the users they follow', async () => {
  const { made, example, followed } = cinema()
  const store = await storeOf(made, example)
  const part = { type: 'follow', path: 'follower', limit: 10, nodes: 'nodes' } as const
  const keysOf = (names: string[]) => names.map(name => ({ PK: { S: `USER#${name}` }, SK: { S: `USER#${name}` } }))
  const batch = (names: string[]) => ({
    operation: 'batchGetItem',
    input: { RequestItems: { all: { Keys: keysOf(names) } } },
  })
  const rowsOf = (names: string[]) => names.map(name => ({ name, display: name.toUpperCase() }))

  it('a user with the last ten followed users is one backward Query and one BatchGetItem', async () => {
    const plan = planCollect(made, 'user', 'Harsha', { follows: { ...part, reverse: true } })
    const { value, rounds, units } = await run(store, made, plan)
    const last = followed.slice(2).reverse()
    const input = {
      ...queried('all', '#k0 = :k0', ['PK'], ['USER#Harsha']),
      ScanIndexForward: false,
      Limit: 11,
    }
    expect(rounds).toEqual([[{ operation: 'query', input }], [batch(last)]])
    expect(units).toEqual({ table: 0.5 + 10 * 0.5 })
    expect(value).toEqual({ node: { name: 'Harsha', display: 'HARSHA' }, follows: rowsOf(last) })
  })

  it('in ascending order a user with followed users is a Query and a concurrent GetItem, then a BatchGetItem', async () => {
    const plan = planCollect(made, 'user', 'Harsha', { follows: part })
    const { value, rounds, units } = await run(store, made, plan)
    const first = followed.slice(0, 10)
    const condition = '#k0 = :k0 AND begins_with(#k1, :k1)'
    const input = { ...queried('all', condition, ['PK', 'SK'], ['USER#Harsha', 'FOLLOWING#']), Limit: 10 }
    const get = { operation: 'getItem', input: { TableName: 'all', Key: keysOf(['Harsha'])[0] } }
    expect(rounds).toEqual([[get, { operation: 'query', input }], [batch(first)]])
    expect(units).toEqual({ table: 0.5 + 0.5 + 10 * 0.5 })
    expect(value).toEqual({ node: { name: 'Harsha', display: 'HARSHA' }, follows: rowsOf(first) })
  })
})

describe('courses and their pupils', async () => {
  const { made, example } = courses()
  const store = await storeOf(made, example)

  it('a course with its pupils is one GetItem', async () => {
    const { value, rounds, units } = await run(store, made, planGet(made, 'course', 'math'))
    const Key = { PK: { S: 'course#math' }, SK: { S: '#' } }
    expect(rounds).toEqual([[{ operation: 'getItem', input: { TableName: 'courses', Key } }]])
    expect(units).toEqual({ table: 0.5 })
    expect(value).toEqual({ id: 'math', pupils: { p1: { name: 'Ann' } } })
  })

  it('a course without pupils has an empty map, and each entry has the carried attributes', async () => {
    expect((await run(store, made, planGet(made, 'course', 'art'))).value).toEqual({ id: 'art', pupils: {} })
    const edge = planGet(made, 'enrolled', { pupil: 'p1', course: 'math' })
    expect((await run(store, made, edge)).value).toEqual({ pupil: 'p1', course: 'math', name: 'Ann' })
  })
})
