import { describe, expect, it } from 'vitest'
import { layout } from '../../../src/layout/layout.js'
import type { Plan } from '../../../src/plan/plan.js'
import { pricePlan } from '../../../src/plan/price/plan-price.js'
import { planBatch, planTransaction } from '../../../src/plan/write/multi-write.js'
import { planCreate, planDelete, planPut, planUpdate } from '../../../src/plan/write/operations.js'
import { completeWrite } from '../../../src/plan/write/request.js'
import { add, append } from '../../../src/schema/patch-operations.js'
import { counter, edge, embedded, graph, integer, node, string } from '../../layout/declarations.js'
import { cinema, ETAG, environment, fresh, opened, options, requests, toyStory, wholeItem, woody } from './cinema.js'
import { knownOf } from './run-write.js'

const user = node(
  'user',
  { id: string(), name: string().optional(), fans: counter(), best: embedded({ rank: integer() }) },
  { id: 'id', unique: ['name'] },
)
const follows = edge(
  'follows',
  { fan: user, star: user },
  { rank: integer() },
  { count: { star: 'fans' }, embed: { fan: { into: 'best', max: 2 } } },
)
const social = layout(graph('social', [user, follows]))
const person = (id: string, name?: string) => planCreate(social, 'user', { id, ...(name && { name }) }, options)
const follow = (fan: string, star: string, rank = 1) => planPut(social, 'follows', { fan, star, rank }, options)
const unfollow = (fan: string, star: string) => planDelete(social, 'follows', { fan, star }, options)
const leave = (id: string) => planDelete(social, 'user', id, options)

async function socialTable() {
  const { store, send } = await opened(social)
  const together = (...plans: Plan[]) => send(planTransaction(social, plans))
  const nodeOf = async (id: string) =>
    (await store.getItem({ TableName: 'social', Key: { PK: { S: `user#${id}` }, SK: { S: '#' } } })).Item
  return { store, send, together, nodeOf }
}

describe('several writes of one item', () => {
  it('a node is created in one request with the edges that it counts and embeds', async () => {
    const { together, nodeOf } = await socialTable()
    await together(follow('a', 'b'), follow('c', 'b', 2), person('a'), person('b'), person('c'))
    expect(await nodeOf('b')).toMatchObject({ fans: { N: '2' } })
    expect(await nodeOf('a')).toMatchObject({ best: { M: { b: { M: { rank: { N: '1' } } } } } })
  })

  it('a node is updated in one request with one more and one fewer counted edge', async () => {
    const { together, nodeOf } = await socialTable()
    await together(person('a'), person('b'), person('c'), follow('a', 'b'))
    await together(
      planUpdate(social, 'user', 'b', { name: 'Bea' }, options),
      follow('b', 'b', 3),
      follow('c', 'b'),
      unfollow('a', 'b'),
    )
    expect(await nodeOf('b')).toMatchObject({ fans: { N: '2' }, name: { S: 'Bea' }, best: { M: { b: {} } } })
  })

  it('a node is deleted together with all edges that it counts, and not without them', async () => {
    const { store, together } = await socialTable()
    await together(person('a'), person('b'), follow('a', 'b'))
    await expect(together(leave('b'), planPut(social, 'user', { id: 'a' }, options))).rejects.toMatchObject({
      code: 'node.edges',
    })
    await together(leave('b'), unfollow('a', 'b'), leave('a'))
    expect((await store.scan({ TableName: 'social' })).Items).toEqual([])
  })

  it('a node that embeds an edge is not deleted while the entry of the edge changes', async () => {
    const { together, nodeOf } = await socialTable()
    await together(person('a'), person('b'), follow('a', 'b'))
    await expect(together(leave('a'), follow('a', 'b', 2))).rejects.toMatchObject({ code: 'node.edges' })
    expect(await nodeOf('a')).toMatchObject({ best: { M: { b: { M: { rank: { N: '1' } } } } } })
  })

  it('an edge to a node that the same request deletes is rejected', async () => {
    const { together } = await socialTable()
    await together(person('a'), person('b'))
    await expect(together(leave('b'), follow('a', 'b'))).rejects.toMatchObject({ code: 'edge.end.absent' })
  })

  it('a removed entry makes room for another entry', async () => {
    const { together, nodeOf } = await socialTable()
    await together(person('a'), person('b'), person('c'), person('d'), follow('a', 'b'), follow('a', 'c'))
    await expect(together(follow('a', 'd'))).rejects.toMatchObject({ code: 'edge.embed.full' })
    await together(follow('a', 'd'), unfollow('a', 'b'))
    expect(Object.keys((await nodeOf('a'))!.best!.M!)).toEqual(['c', 'd'])
  })

  it('a unique value moves from one node to another, and never to two', async () => {
    const { store, together } = await socialTable()
    await together(person('a', 'Ann'), person('b', 'Bea'))
    const named = (id: string, name: string) => planPut(social, 'user', { id, name }, options)
    await together(named('a', 'Bea'), named('b', 'Ann'))
    const { Items } = await store.scan({ TableName: 'social' })
    const owners = Items!.filter(({ id }) => id).map(({ PK, id }) => [PK!.S, id!.S])
    expect(owners.sort()).toEqual([
      ['user.name#Ann', 'b'],
      ['user.name#Bea', 'a'],
    ])
    const same = () => planTransaction(social, [person('c', 'Cid'), person('d', 'Cid')])
    expect(same).toThrow(expect.objectContaining({ code: 'unique.taken' }))
  })

  it('several writes read each item once, in one request', () => {
    const plan = planTransaction(social, [follow('a', 'b'), follow('c', 'b')])
    expect(requests(plan)).toEqual(['batchGetItem', 'transactWriteItems'])
    const { RequestItems } = plan.steps[0]!.request.input as { RequestItems: { social: { Keys: object[] } } }
    expect(RequestItems.social.Keys).toHaveLength(5)
  })

  it('an edge carries attributes of a node that the same request creates', async () => {
    const { store, send } = await opened(cinema)
    const tom = planCreate(cinema, 'actor', { name: 'Tom', born: 1956 }, options)
    const award = planPut(cinema, 'award', { movie: 'Up', actor: 'Tom', prize: 'Oscar' }, options)
    await send(planTransaction(cinema, [award, tom]))
    const { Items } = await store.scan({ TableName: 'cinema' })
    expect(Items).toContainEqual(expect.objectContaining({ prize: { S: 'Oscar' }, born: { N: '1956' } }))
    expect(Items).toContainEqual(expect.objectContaining({ PK: { S: 'actor#Tom' }, roles: { N: '1' } }))
  })
})

describe('the item writes of a request', () => {
  const sentBy = (plan: Plan) => completeWrite(cinema, plan.steps.at(-1)!, knownOf(cinema, plan, []))!

  it('each item write names its node or edge and its call', () => {
    const tom = planCreate(cinema, 'actor', { name: 'Tom', born: 1956, email: 'tom@example.com' }, options)
    const plan = planTransaction(cinema, [planPut(cinema, 'role', woody, options), tom])
    expect(sentBy(plan).itemWrites.map(({ subject }) => subject)).toEqual([
      { type: 'actor', identity: { name: { S: 'Tom' } }, call: 1 },
      { type: 'actor', identity: { name: { S: 'Tom' } }, call: 1, uniqueAttribute: 'email' },
      { type: 'role', identity: { movie: { S: 'Toy Story' }, actor: { S: 'Tom Hanks' } }, call: 0 },
    ])
  })

  it('the check of an end names the node without its tenant', async () => {
    const made = layout(graph('many', [user, follows], { tenant: true }))
    const { send } = await opened(made)
    const acme = { ...options, tenant: 'acme' }
    await send(planCreate(made, 'user', { id: 'a' }, acme))
    const put = planPut(made, 'follows', { fan: 'a', star: 'b', rank: 1 }, acme)
    await expect(send(put)).rejects.toMatchObject({
      code: 'edge.end.absent',
      details: { type: 'user', value: { id: 'b' }, call: 0 },
    })
  })

  it('each request states how to prove after a lost response that it was applied, and whether repeating it is additive', () => {
    const key = { PK: wholeItem.PK, SK: wholeItem.SK }
    const put = sentBy(planPut(cinema, 'movie', toyStory, options))
    expect(put).toMatchObject({ proof: { key, newEtag: ETAG } })
    const gone = sentBy(planDelete(cinema, 'movie', 'Toy Story', options))
    expect(gone).toMatchObject({ proof: { key } })
    expect(gone.proof!.newEtag).toBeUndefined()
    expect([put.isAdditive, gone.isAdditive]).toEqual([false, false])
    const change = (patch: Record<string, unknown>) => planUpdate(cinema, 'role', woody, patch, options)
    expect(sentBy(change({ character: 'W' })).isAdditive).toBe(false)
    expect(sentBy(change({ lines: append('a') })).isAdditive).toBe(true)
    const seen = node('seen', { id: string(), times: integer() }, { id: 'id' })
    const made = layout(graph('seen', [seen]))
    const plan = planUpdate(made, 'seen', 'a', { times: add(1) }, options)
    expect(completeWrite(made, plan.steps[0]!)!.isAdditive).toBe(true)
    const once = planTransaction(made, [plan, planCreate(made, 'seen', { id: 'b', times: 0 }, options)])
    expect(completeWrite(made, once.steps[0]!)!.isAdditive).toBe(false)
  })
})

describe('a write whose response was lost', () => {
  it('a repeated write recognizes its own result and adds nothing twice', async () => {
    const { store, send } = await opened(cinema)
    await send(planCreate(cinema, 'movie', toyStory, fresh))
    const update = planUpdate(cinema, 'movie', 'Toy Story', { year: add(1) }, fresh)
    let lost = true
    // Sends the state that was read before the first write again after it.
    const meanwhile = async () => {
      const again = lost
      lost = false
      if (again) await send(update)
    }
    expect(await send(update, meanwhile)).toBe('done')
    const { Items } = await store.scan({ TableName: 'cinema' })
    expect(Items).toMatchObject([{ year: { N: '1996' } }])
  })
})

describe('the row before or after a write', () => {
  it('a call in a transaction knows the row although a transaction returns no items', async () => {
    const { store, send } = await opened(cinema)
    await send(planCreate(cinema, 'movie', toyStory, options))
    await send(planCreate(cinema, 'actor', { name: 'Tom', born: 1956 }, options))
    const plans = [
      planUpdate(cinema, 'movie', 'Toy Story', { year: 1996, studio: 'P' }, { ...options, returns: 'new' }),
      planDelete(cinema, 'actor', 'Tom', { ...options, returns: 'old' }),
      planPut(cinema, 'role', woody, { ...options, returns: 'old' }),
    ].map(plan => planTransaction(cinema, [plan], { token: 't' }))
    const { Items } = await store.scan({ TableName: 'cinema' })
    expect(plans.map(plan => completeWrite(cinema, plan.steps.at(-1)!, knownOf(cinema, plan, Items!)))).toMatchObject([
      { old: { year: { N: '1995' } }, new: { year: { N: '1996' }, studio: { S: 'P' }, _type: { S: 'movie' } } },
      { old: { born: { N: '1956' } }, new: undefined },
      { old: undefined, new: { character: { S: 'Woody' } } },
    ])
    for (const plan of plans) expect(requests(plan)).toEqual(['batchGetItem', 'transactWriteItems'])
  })

  it('a row after a patch is read and not guessed', () => {
    const plan = planUpdate(cinema, 'role', woody, { character: 'W' }, { ...options, returns: 'new' })
    expect(completeWrite(cinema, plan.steps[0]!)).toMatchObject({
      request: { input: { ReturnValues: 'ALL_NEW' } },
      new: undefined,
    })
  })
})

describe('a batch', () => {
  it('each step of a batch names the writes that it serves', () => {
    const plan = planBatch(cinema, [
      planCreate(cinema, 'movie', toyStory, options),
      planPut(cinema, 'role', woody, options),
      planPut(cinema, 'actor', { name: 'Tom', born: 1 }, options),
      planDelete(cinema, 'movie', 'Up', { environment: environment }),
    ])
    expect(pricePlan(cinema, plan).steps.map(({ request, calls }) => [request.operation, calls])).toEqual([
      ['batchWriteItem', [1, 3]],
      ['putItem', [0]],
      ['getItem', [2]],
      ['updateItem', [2]],
    ])
  })
})
