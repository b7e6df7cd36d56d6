import { describe, expect, it } from 'vitest'
import { layout } from '../../../src/layout/layout.js'
import type { Plan } from '../../../src/plan/plan.js'
import { pricePlan } from '../../../src/plan/price/plan-price.js'
import { planTransaction } from '../../../src/plan/write/multi-write.js'
import { planCreate, planDelete, planPut, planUpdate } from '../../../src/plan/write/operations.js'
import { ulid } from '../../../src/schema/attributes/ulid.js'
import { add } from '../../../src/schema/patch-operations.js'
import { graph, integer, node, string } from '../../layout/declarations.js'
import { cinema, environment, opened, options, requests, toyStory, woody } from './cinema.js'

const seen = node('seen', { id: string(), times: integer() }, { id: 'id' })
const made = layout(graph('seen', [seen]))
const once = (by: number, nowSeconds = 0, tokenTtlSeconds?: number) =>
  planTransaction(made, [planUpdate(made, 'seen', 'a', { times: add(by) }, options)], {
    token: 'first',
    nowSeconds,
    ...(tokenTtlSeconds !== undefined && { tokenTtlSeconds }),
  })

async function seenTable() {
  const { store, send } = await opened(made)
  await send(planCreate(made, 'seen', { id: 'a', times: 0 }, options))
  const times = async () => {
    const { Item } = await store.getItem({ TableName: 'seen', Key: { PK: { S: 'seen#a' }, SK: { S: '#' } } })
    return Item!.times!.N
  }
  return { store, send, times }
}

describe('a token', () => {
  it('a token leaves a receipt with an expiry time, one day later by default', async () => {
    const { store, send } = await seenTable()
    await send(once(1, 1000))
    const { Items } = await store.scan({ TableName: 'seen' })
    expect(Items).toContainEqual({
      PK: { S: '$receipt#first' },
      SK: { S: '#' },
      _type: { S: '$receipt' },
      _etag: { S: expect.stringMatching(/^[0-9a-f]{16}$/) },
      _expires: { N: '87400' },
    })
  })

  it('a token makes a write idempotent while its receipt is stored', async () => {
    const { send, times } = await seenTable()
    await send(once(1, 0, 100))
    expect(await send(once(1, 99, 100))).toBe('done')
    expect(await times()).toBe('1')
    await send(once(1, 100, 100))
    expect(await times()).toBe('2')
  })

  it('a token is rejected for a different request', async () => {
    const { send, times } = await seenTable()
    await send(once(1))
    await expect(send(once(2))).rejects.toMatchObject({ code: 'write.token' })
    expect(await times()).toBe('1')
  })

  it('a token is rejected for another verb, row, node, condition or number of calls', async () => {
    const row = { id: 'a', times: 0 }
    const condition = { expression: 'attribute_exists(PK)', names: {}, values: {} }
    const put = (more = {}) => planPut(made, 'seen', { ...row, ...more }, options)
    const { store, send } = await seenTable()
    const write = (...plans: Plan[]) => send(planTransaction(made, plans, { token: 't' }))
    await write(put())
    expect(await write(put())).toBe('done')
    const before = (await store.scan({ TableName: 'seen' })).Items
    for (const others of [
      [planCreate(made, 'seen', row, options)],
      [planDelete(made, 'seen', 'a', options)],
      [put({ times: 1 })],
      [put({ id: 'b' })],
      [planPut(made, 'seen', row, { ...options, condition })],
      [put(), put({ id: 'b' })],
    ])
      await expect(write(...others)).rejects.toMatchObject({ code: 'write.token' })
    expect((await store.scan({ TableName: 'seen' })).Items).toEqual(before)
    const gone = (id: string) => send(planTransaction(made, [planDelete(made, 'seen', id, options)], { token: 'gone' }))
    await gone('b')
    await expect(gone('a')).rejects.toMatchObject({ code: 'write.token' })
  })

  it('a token identifies the given input and not generated values', async () => {
    const note = node('note', { id: ulid(), text: string() }, { id: 'id' })
    const notes = layout(graph('notes', [note]))
    const { store, send } = await opened(notes)
    let drawn = 0
    const chance = { environment: { ...environment, random: (bytes: number) => new Uint8Array(bytes).fill(drawn++) } }
    const write = () => planTransaction(notes, [planCreate(notes, 'note', { text: 'a' }, chance)], { token: 't' })
    await send(write())
    expect(await send(write())).toBe('done')
    expect((await store.scan({ TableName: 'notes' })).Items).toHaveLength(2)
  })

  it('the receipt of a token is checked before all other conditions', async () => {
    const { send } = await opened(cinema)
    const tom = { name: 'Tom', born: 1956, email: 'tom@example.com' }
    const named = { token: 'named', nowSeconds: 5 }
    const all = () =>
      planTransaction(
        cinema,
        [planCreate(cinema, 'movie', toyStory, options), planPut(cinema, 'actor', tom, options)],
        named,
      )
    await send(all())
    expect(await send(all())).toBe('done')
    const update = () =>
      planTransaction(cinema, [planUpdate(cinema, 'actor', 'Tom', { email: 'tim@example.com' }, options)], {
        token: 'update',
      })
    await send(update())
    await send(planDelete(cinema, 'actor', 'Tom', options))
    expect(await send(update())).toBe('done')
  })

  it('a receipt counts as an item of the transaction and of its price', () => {
    const puts = (count: number) =>
      Array.from({ length: count }, (_, i) => planPut(cinema, 'role', { ...woody, movie: `${i}` }, options))
    const token = { token: 't' }
    expect(() => planTransaction(cinema, puts(100), token)).toThrow(
      expect.objectContaining({ code: 'write.transaction' }),
    )
    const plan = planTransaction(cinema, puts(1), token)
    expect(requests(plan)).toEqual(['transactWriteItems'])
    expect(pricePlan(cinema, plan).steps[0]!.price.write).toEqual({ table: 4, GSI1: 1 })
  })

  it('a receipt is stored in the partition of its tenant', async () => {
    const tenants = layout(graph('tenants', [seen], { tenant: true }))
    const { store, send } = await opened(tenants)
    const acme = { ...options, tenant: 'acme' }
    const plan = planTransaction(tenants, [planPut(tenants, 'seen', { id: 'a', times: 0 }, acme)], {
      token: 't',
      tenant: 'acme',
    })
    await send(plan)
    const { Items } = await store.scan({ TableName: 'tenants' })
    expect(Items!.map(({ PK }) => PK!.S).sort()).toEqual(['acme#$receipt#t', 'acme#seen#a'])
  })
})
