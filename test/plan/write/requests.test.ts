import { describe, expect, it } from 'vitest'
import { layout } from '../../../src/layout/layout.js'
import { pricePlan } from '../../../src/plan/price/plan-price.js'
import { planCreate, planDelete, planPut, planUpdate } from '../../../src/plan/write/operations.js'
import { list } from '../../../src/schema/attributes/list.js'
import { map } from '../../../src/schema/attributes/map.js'
import { number } from '../../../src/schema/attributes/number.js'
import { add, append, exclude, include, prepend, remove, within } from '../../../src/schema/patch-operations.js'
import { counter, graph, integer, node, set, string } from '../../layout/declarations.js'
import { validator } from '../../schema/validator.js'
import { cinema, ETAG, fresh, last, movie, opened, options, requests, toyStory, wholeItem, woody } from './cinema.js'

describe('the requests of a write', () => {
  it('a put that depends on nothing else is one PutItem', () => {
    const put = planPut(cinema, 'movie', toyStory, options)
    expect(put.steps).toMatchObject([
      { request: { operation: 'putItem', input: { TableName: 'cinema', Item: wholeItem } } },
    ])
    // A node with edges may be marked as being deleted, and only a delete may remove it.
    expect(last(put)).toMatchObject({
      ConditionExpression: 'attribute_not_exists(#w0)',
      ExpressionAttributeNames: { '#w0': '_going' },
    })
    expect(last(planPut(cinema, 'role', woody, options))).not.toHaveProperty('ConditionExpression')
    expect(pricePlan(cinema, put).steps[0]!.price.write).toEqual({ table: 1, GSI1: 1 })
    expect(requests(planPut(cinema, 'role', woody, options))).toEqual(['putItem'])
  })

  it('a create is rejected when the row exists', () => {
    const { steps } = planCreate(cinema, 'movie', toyStory, options)
    expect(steps).toMatchObject([
      {
        request: {
          operation: 'putItem',
          input: {
            Item: wholeItem,
            ConditionExpression: 'attribute_not_exists(#w0)',
            ExpressionAttributeNames: { '#w0': 'PK' },
          },
        },
        writeRequest: { itemWrites: [{ onConditionFailed: 'write.exists' }] },
      },
    ])
  })

  it('a patch is one UpdateItem when the new keys follow from the patch alone', () => {
    const plan = planUpdate(cinema, 'role', { movie: 'Toy Story', actor: 'Tom Hanks' }, { character: 'Woody' }, options)
    expect(last(plan)).toEqual({
      TableName: 'cinema',
      Key: { PK: { S: 'movie#Toy Story' }, SK: { S: 'role#Tom Hanks' } },
      UpdateExpression: 'SET #w1 = :w0, #w2 = :w1',
      ConditionExpression: 'attribute_exists(#w0)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      ExpressionAttributeNames: { '#w0': 'PK', '#w1': '_etag', '#w2': 'character' },
      ExpressionAttributeValues: { ':w0': { S: ETAG }, ':w1': { S: 'Woody' } },
    })
    const both = planUpdate(cinema, 'movie', 'Toy Story', { year: 1996, studio: 'Disney' }, options)
    expect(requests(both)).toEqual(['updateItem'])
    expect(Object.values(last(both).ExpressionAttributeNames as object)).toEqual(
      expect.arrayContaining(['GSI1PK', 'GSI1SK']),
    )
    const gone = planUpdate(cinema, 'movie', 'Toy Story', { year: 1996, studio: remove() }, options)
    expect(last(gone).UpdateExpression).toContain('REMOVE')
  })

  it('a patch reads first when a key has parts that the patch does not contain', () => {
    const plan = planUpdate(cinema, 'movie', 'Toy Story', { year: 1996 }, options)
    expect(plan.steps).toMatchObject([
      { request: { operation: 'getItem', input: { ConsistentRead: true } } },
      { after: [0], retry: { on: 'condition', from: 0, times: 10 } },
    ])
  })

  it('a node with a counter is written by UpdateItem, so that the counter remains', () => {
    const plain = node('plain', { id: string(), note: string().optional(), seen: counter() }, { id: 'id' })
    const made = layout(graph('plain', [plain]))
    expect(last(planPut(made, 'plain', { id: 'a' }, options))).toMatchObject({
      UpdateExpression: 'SET #w0 = :w0, #w1 = :w1 REMOVE #w2',
      ExpressionAttributeNames: { '#w0': '_type', '#w1': '_etag', '#w2': 'note' },
    })
  })

  it('sentinels of unique attributes are put in one transaction with the node', () => {
    const plan = planCreate(cinema, 'actor', { name: 'Tom Hanks', born: 1956, email: 'tom@example.com' }, options)
    expect(plan.steps).toMatchObject([
      { writeRequest: { itemWrites: [{ onConditionFailed: 'write.exists' }, { onConditionFailed: 'unique.taken' }] } },
    ])
    expect(last(plan).TransactItems).toMatchObject([
      { Put: { Item: { PK: { S: 'actor#Tom Hanks' } } } },
      { Put: { Item: { PK: { S: 'actor.email#tom@example.com' }, name: { S: 'Tom Hanks' } } } },
    ])
    expect(pricePlan(cinema, plan).steps[0]!.price.write).toEqual({ table: 4 })
  })

  it('keys begin with the tenant', () => {
    const made = layout(graph('tenants', [movie], { tenant: true }))
    const plan = planCreate(made, 'movie', toyStory, { ...options, tenant: 'acme' })
    expect(last(plan)).toMatchObject({
      Item: { PK: { S: 'acme#movie#Toy Story' }, GSI1PK: { S: 'acme#movie.year#Pixar' } },
    })
    expect(last(plan).Item).not.toHaveProperty('tenant')
  })

  it('a request asks for the row before or after the write', () => {
    const old = { ...options, returns: 'old' as const }
    expect(last(planPut(cinema, 'movie', toyStory, old))).toMatchObject({ ReturnValues: 'ALL_OLD' })
    expect(last(planDelete(cinema, 'movie', 'Toy Story', old))).toMatchObject({ ReturnValues: 'ALL_OLD' })
    const changed = planUpdate(cinema, 'role', woody, { character: 'W' }, { ...options, returns: 'new' })
    expect(last(changed)).toMatchObject({ ReturnValues: 'ALL_NEW' })
  })
})

describe('a condition of the caller', () => {
  const condition = { expression: '#c < :c', names: { '#c': 'year' }, values: { ':c': { N: '1990' } } }

  it('the condition of the caller is joined with the condition of the plan', () => {
    const input = last(planCreate(cinema, 'movie', toyStory, { ...options, condition }))
    expect(input.ConditionExpression).toBe('(attribute_not_exists(#w0)) AND (#c < :c)')
  })

  it('a condition may have no values', async () => {
    const { send } = await opened(cinema)
    const untold = { expression: 'attribute_not_exists(#c)', names: { '#c': 'studio' }, values: {} }
    await send(planCreate(cinema, 'movie', { ...toyStory, studio: undefined }, { ...fresh, condition: untold }))
    const put = (studio?: string) =>
      send(planPut(cinema, 'movie', { ...toyStory, studio }, { ...fresh, condition: untold }))
    await put('Pixar')
    await expect(put()).rejects.toMatchObject({ code: 'write.condition' })
  })

  it('a failed condition is distinguished from an existing row and from a missing row', async () => {
    const { send } = await opened(cinema)
    const later = { ...fresh, condition }
    const update = () => planUpdate(cinema, 'movie', 'Toy Story', { year: 1801, studio: 'x' }, later)
    await expect(send(update())).rejects.toMatchObject({ code: 'write.absent' })
    await send(planCreate(cinema, 'movie', toyStory, fresh))
    await expect(send(planCreate(cinema, 'movie', toyStory, later))).rejects.toMatchObject({ code: 'write.exists' })
    await expect(send(update())).rejects.toMatchObject({ code: 'write.condition' })
  })

  it('a failed condition is distinguished from a concurrent change', async () => {
    const { store, send } = await opened(cinema)
    await send(planCreate(cinema, 'movie', toyStory, fresh))
    const update = () => planUpdate(cinema, 'movie', 'Toy Story', { year: 2000 }, { ...fresh, condition })
    await expect(send(update())).rejects.toMatchObject({ code: 'write.condition' })
    const earlier = planUpdate(
      cinema,
      'movie',
      'Toy Story',
      { year: 1980, studio: 'P' },
      {
        ...fresh,
      },
    )
    let met = false
    await send(update(), async () => {
      if (!met) await send(earlier)
      met = true
    })
    const { Item } = await store.getItem({ TableName: 'cinema', Key: { PK: wholeItem.PK, SK: wholeItem.SK } })
    expect(Item).toMatchObject({ year: { N: '2000' }, GSI1PK: { S: 'movie.year#P' }, GSI1SK: { S: '2000#Toy Story' } })
  })
})

const atLeast100 = validator<number>(value =>
  (value as number) >= 100 ? { value: value as number } : { issues: [{ message: 'too little' }] },
)

describe('changes in place', () => {
  it('a patch appends and prepends list elements, and adds and removes set members', async () => {
    const { store, send } = await opened(cinema)
    await send(planPut(cinema, 'role', { ...woody, notes: new Set(['a']) }, options))
    const change = (patch: Record<string, unknown>) => send(planUpdate(cinema, 'role', woody, patch, options))
    await change({ lines: append('b', 'c'), notes: include('b') })
    await change({ lines: prepend('a'), notes: exclude('a') })
    const { Items } = await store.scan({ TableName: 'cinema' })
    expect(Items).toMatchObject([{ lines: { L: [{ S: 'a' }, { S: 'b' }, { S: 'c' }] }, notes: { SS: ['b'] } }])
  })

  it('a patch changes nested members of maps and lists', async () => {
    const box = node(
      'box',
      {
        id: string(),
        size: map({ wide: integer(), high: integer().stored('h').optional(), marks: set(string()).optional() }),
        rows: list(integer()),
      },
      { id: 'id' },
    )
    const made = layout(graph('boxes', [box]))
    const { store, send } = await opened(made)
    await send(planPut(made, 'box', { id: 'a', size: { wide: 1, high: 2 }, rows: [1, 2, 3] }, options))
    const patch = {
      size: within({ wide: add(2), high: remove(), marks: include('x') }),
      rows: within({ 0: 9, 1: remove(), 7: 4 }),
    }
    await send(planUpdate(made, 'box', 'a', patch, options))
    const { Items } = await store.scan({ TableName: 'boxes' })
    expect(Items).toMatchObject([{ size: { M: { wide: { N: '3' }, marks: { SS: ['x'] } } } }])
    expect(Items![0]!.size!.M).not.toHaveProperty('h')
    expect(Items![0]!.rows).toEqual({ L: [{ N: '9' }, { N: '3' }, { N: '4' }] })
    const refusedBy = (change: object) => () => planUpdate(made, 'box', 'a', { size: within(change) }, options)
    expect(refusedBy({ wide: remove() })).toThrow(expect.objectContaining({ code: 'write.missing' }))
    expect(refusedBy({ deep: 1 })).toThrow(expect.objectContaining({ code: 'write.unknown' }))
    expect(refusedBy({ wide: 'x' })).toThrow(expect.objectContaining({ code: 'value.type' }))
    expect(refusedBy({})).toThrow(expect.objectContaining({ code: 'write.empty' }))
  })

  it('an addend need not be valid as a value of the attribute', async () => {
    const price = node('price', { id: string(), cents: number().check(atLeast100) }, { id: 'id' })
    const made = layout(graph('prices', [price]))
    const { store, send } = await opened(made)
    await send(planPut(made, 'price', { id: 'a', cents: 100 }, options))
    await send(planUpdate(made, 'price', 'a', { cents: add(1) }, options))
    expect((await store.scan({ TableName: 'prices' })).Items).toMatchObject([{ cents: { N: '101' } }])
  })

  it('a sum must be valid as a value of the attribute', async () => {
    const { send } = await opened(cinema)
    await send(planPut(cinema, 'movie', toyStory, options))
    await send(planUpdate(cinema, 'movie', 'Toy Story', { year: add(200) }, options))
    await expect(send(planUpdate(cinema, 'movie', 'Toy Story', { year: add(200) }, options))).rejects.toMatchObject({
      code: 'value.range',
    })
  })
})
