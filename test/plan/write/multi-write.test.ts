import { describe, expect, it } from 'vitest'
import { pricePlan } from '../../../src/plan/price/plan-price.js'
import { planBatch, planTransaction } from '../../../src/plan/write/multi-write.js'
import { planCreate, planDelete, planPut } from '../../../src/plan/write/operations.js'
import { cinema, fresh, last, opened, options, requests, toyStory, wholeItem, woody } from './cinema.js'

describe('several writes', () => {
  it('several writes are one transaction after one read', async () => {
    const { store, send } = await opened(cinema)
    await send(planCreate(cinema, 'actor', { name: 'Tom Hanks', born: 1956 }, options))
    const planned = () =>
      planTransaction(cinema, [
        planCreate(cinema, 'movie', toyStory, fresh),
        planPut(cinema, 'award', { movie: 'Toy Story', actor: 'Tom Hanks', prize: 'Oscar' }, fresh),
        planPut(cinema, 'role', woody, fresh),
      ])
    const plan = planned()
    expect(requests(plan)).toEqual(['batchGetItem', 'transactWriteItems'])
    expect(pricePlan(cinema, plan).steps[1]!.price).toMatchObject({ requests: 1, write: { table: 8, GSI1: 3 } })
    await send(plan)
    const { Items } = await store.scan({ TableName: 'cinema' })
    expect(Items).toHaveLength(4)
    expect(Items).toContainEqual(expect.objectContaining({ prize: { S: 'Oscar' }, born: { N: '1956' } }))
    await expect(send(planned())).rejects.toMatchObject({ code: 'write.exists' })
    expect(await send(plan)).toBe('done')
  })

  it('a transaction that writes one item twice is rejected', () => {
    const twice = [planPut(cinema, 'movie', toyStory, options), planDelete(cinema, 'movie', 'Toy Story', options)]
    expect(() => planTransaction(cinema, twice)).toThrow(expect.objectContaining({ code: 'write.transaction' }))
    expect(() => planBatch(cinema, twice)).toThrow(expect.objectContaining({ code: 'write.transaction' }))
  })

  it('single-item writes without conditions are batched by 25, and others are sent separately', () => {
    const movies = Array.from({ length: 30 }, (_, i) =>
      planPut(cinema, 'movie', { ...toyStory, name: `${i}` }, options),
    )
    const plan = planBatch(cinema, [
      ...movies,
      planDelete(cinema, 'role', woody, options),
      planPut(cinema, 'actor', { name: 'Tom Hanks', born: 1956 }, options),
      planCreate(cinema, 'role', { ...woody, movie: 'Big' }, options),
    ])
    expect(requests(pricePlan(cinema, plan))).toEqual([
      'batchWriteItem',
      'batchWriteItem',
      'getItem',
      'updateItem',
      'putItem',
    ])
    expect(plan.steps.map(({ id, after }) => [id, after])).toEqual([
      [0, []],
      [1, []],
      [2, []],
      [3, [2]],
      [4, []],
    ])
    const priced = pricePlan(cinema, plan).steps
    expect(priced[3]!.request.input).toMatchObject({ deferred: 'change', change: { type: 'actor' } })
    expect(priced[0]!.price).toMatchObject({ requests: 1, write: { table: 25, GSI1: 25 } })
    expect(last(planBatch(cinema, movies.slice(0, 1))).RequestItems).toEqual({
      cinema: [{ PutRequest: { Item: { ...wholeItem, PK: { S: 'movie#0' }, GSI1SK: { S: '1995#0' } } } }],
    })
  })
})
