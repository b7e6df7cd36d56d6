import { describe, expect, it } from 'vitest'
import { type Layout, layout } from '../../../src/layout/layout.js'
import { explain } from '../../../src/plan/explain.js'
import { pricePlan } from '../../../src/plan/price/plan-price.js'
import type { PathQuery } from '../../../src/plan/read/options.js'
import { planPath } from '../../../src/plan/read/path.js'
import { date, edge, graph, integer, node, set, string } from '../../layout/declarations.js'
import { run, storeOf } from './run-read.js'

const user = node('user', { id: string(), name: string() }, { id: 'id' })
const day = (n: number) => new Date(Date.UTC(2020, 0, n))
const ids = ['a', 'b', 'c', 'd', 'e']
const users = ids.map(id => ({ id, name: id.toUpperCase() }))
/** All nodes follow `e`, on days in the opposite order of their ids. */
const follows = ['a', 'b', 'c', 'd'].map((follower, i) => ({ follower, followee: 'e', since: day(9 - i) }))

type Answer = { items: Record<string, unknown>[]; cursor: string | undefined }
const read = async (made: Layout, example: Parameters<typeof storeOf>[1], ask: PathQuery) => {
  const outcome = await run(await storeOf(made, example), made, planPath(made, ask))
  return { ...outcome, items: (outcome.value as Answer).items }
}
const firstInput = ({ rounds }: { rounds: readonly (readonly { input: Record<string, unknown> }[])[] }) =>
  rounds[0]![0]!.input

describe('where', () => {
  const shop = node(
    'shop',
    { id: string(), country: string(), state: string(), city: string(), zip: integer({ min: 0, max: 99_999 }) },
    { id: 'id', by: { place: { in: ['country'], order: ['state', 'city', 'zip'] } } },
  )
  const made = layout(graph('shops', [shop]))
  const rows = [
    ['1', 'GA', 'ATLANTA', 30_329],
    ['2', 'GA', 'ATLANTA', 30_330],
    ['3', 'GA', 'ATHENS', 30_605],
    ['4', 'GAX', 'ATLANTA', 1],
    ['5', 'CA', 'LOS ANGELES', 90_001],
  ].map(([id, state, city, zip]) => ({ id, country: 'USA', state, city, zip }))
  const found = async (where: Record<string, unknown>, more: Partial<PathQuery> = {}) => {
    const ask = { type: 'shop', path: 'place', start: { country: 'USA' }, where, ...more }
    return (await read(made, { shop: rows }, ask)).items.map(({ id }) => id)
  }

  it('where() takes equal values from the left, and a range or prefix of the next part', async () => {
    expect(await found({})).toEqual(['5', '3', '1', '2', '4'])
    expect(await found({ state: 'GA' })).toEqual(['3', '1', '2'])
    expect(await found({ state: 'GA', city: 'ATLANTA', zip: { from: 30_330 } })).toEqual(['2'])
    expect(await found({ state: 'GA', city: { startsWith: 'ATL' } })).toEqual(['1', '2'])
    expect(await found({ state: { from: 'CA', to: 'GA' } })).toEqual(['5', '3', '1', '2'])
  })

  it('where() combines with reverse() and limit()', async () => {
    expect(await found({ state: 'GA' }, { reverse: true, limit: 2 })).toEqual(['2', '1'])
  })

  it('an empty range sends no request', async () => {
    const where = { state: { from: 'Z', to: 'A' } }
    const { rounds, items } = await read(made, {}, { type: 'shop', path: 'place', start: { country: 'USA' }, where })
    expect([rounds, items]).toEqual([[], []])
  })

  it.each<[string, Record<string, unknown>]>([
    ['a hole', { city: 'ATLANTA' }],
    ['a part after a range', { state: { from: 'A' }, city: 'ATLANTA' }],
    ['two ranges', { state: { from: 'A' }, city: { from: 'B' } }],
    ['what it is not sorted by', { country: 'USA' }],
    ['what is not there', { nothing: 1 }],
  ])('where() is rejected with %s', (_, where) => {
    expect(() => planPath(made, { type: 'shop', path: 'place', start: { country: 'USA' }, where })).toThrow(
      expect.objectContaining({ code: 'read.part' }),
    )
  })
})

describe('the storage of a path', () => {
  const since = { since: date() }
  const example = { user: users, follow: follows }
  const byFollowee = { type: 'follow', path: 'followee', start: 'e' }
  const latestFirst = [...follows].reverse()

  it('an index path is one Query in its own order and never consistent', async () => {
    const follow = edge('follow', { follower: user, followee: user }, since, { by: { followee: { order: ['since'] } } })
    const made = layout(graph('social', [user, follow]))
    const { items, units } = await read(made, example, byFollowee)
    expect(items).toEqual(latestFirst)
    expect(units).toEqual({ GSI1: 0.5 })
    expect(() => planPath(made, { ...byFollowee, consistent: true })).toThrow(
      expect.objectContaining({ code: 'read.consistent' }),
    )
  })

  it('a mirror path is one consistent Query of the table', async () => {
    const by = { followee: { order: ['since'], as: 'mirror' } } as const
    const follow = edge('follow', { follower: user, followee: user }, since, { by })
    const made = layout(graph('social', [user, follow]))
    const outcome = await read(made, example, { ...byFollowee, consistent: true, where: { since: { to: day(7) } } })
    expect(outcome.items).toEqual(latestFirst.slice(0, 2))
    expect(outcome.units).toEqual({ table: 1 })
    expect(firstInput(outcome)).toMatchObject({ ConsistentRead: true })
  })

  it('a local path is one Query of another order in the same partition, consistent on request', async () => {
    const by = { follower: { order: ['since'], as: 'local' }, followee: { as: 'none' } } as const
    const follow = edge('follow', { follower: user, followee: user }, since, { by })
    const made = layout(graph('social', [user, follow]))
    const turned = follows.map(({ follower, followee, ...rest }) => ({
      follower: followee,
      followee: follower,
      ...rest,
    }))
    const ask = { type: 'follow', path: 'follower', start: 'e', consistent: true }
    const { items, units } = await read(made, { follow: turned }, ask)
    expect(items).toEqual([...turned].reverse())
    expect(units).toEqual({ LSI1: 1 })
  })

  it('a sharded path is one concurrent Query per shard, merged in order', async () => {
    const by = { followee: { order: ['since'], shards: 4 } } as const
    const follow = edge('follow', { follower: user, followee: user }, since, { by })
    const made = layout(graph('social', [user, follow]))
    const { items, rounds } = await read(made, example, { ...byFollowee, limit: 3 })
    expect(items).toEqual(latestFirst.slice(0, 3))
    expect(rounds[0]!.map(({ input }) => (input.ExpressionAttributeValues as Record<string, unknown>)[':k0'])).toEqual(
      [0, 1, 2, 3].map(shard => ({ S: `user#e#${shard}` })),
    )
    expect((await read(made, example, { ...byFollowee, reverse: true })).items).toEqual(follows)
  })

  it('a native path is one Query by the attributes themselves', async () => {
    const by = { followee: { order: ['since'], as: 'native' } } as const
    const follow = edge('follow', { follower: user, followee: user }, since, { by })
    const made = layout(graph('social', [user, follow]))
    const outcome = await read(made, example, { ...byFollowee, where: { since: { to: day(7) } } })
    expect(firstInput(outcome)).toMatchObject({
      IndexName: 'follow_followee',
      KeyConditionExpression: '#k0 = :k0 AND #k1 = :k1 AND #k2 <= :k2',
      ExpressionAttributeNames: { '#k0': '_type', '#k1': 'followee', '#k2': 'since' },
      ExpressionAttributeValues: { ':k0': { S: 'follow' }, ':k1': { S: 'e' }, ':k2': { S: day(7).toISOString() } },
    })
    expect(outcome.items).toEqual(latestFirst.slice(0, 2))
  })

  it('an owned path reads the nodes within a node that has an owner itself', async () => {
    const order = node('order', { no: string() }, { id: 'no', within: user })
    const line = node('line', { number: integer({ min: 1, max: 99 }) }, { id: 'number', within: order })
    const made = layout(graph('shop', [user, order, line]))
    const lines = ['1', '10', '2'].flatMap(no => [1, 12].map(number => ({ order: { user: 'a', no }, number })))
    const start = { user: 'a', no: '1' }
    const { items } = await read(made, { line: lines }, { type: 'line', path: 'order', start })
    expect(items).toEqual(lines.slice(0, 2))
  })

  it('an item path is a Query of the facets, then a BatchGetItem of the nodes in the order of the facets', async () => {
    const person = node(
      'person',
      { id: string(), name: string(), skills: set(string()) },
      { id: 'id', by: { skill: { in: ['skills'], order: ['name'], as: 'item', shards: 2 } } },
    )
    const made = layout(graph('people', [person]))
    const people = ['Zoe', 'Ann', 'Kim'].map((name, i) => ({ id: `${i}`, name, skills: new Set(['go', `x${i}`]) }))
    const ask = { type: 'person', path: 'skill', start: { skills: 'go' } }
    const { items, rounds } = await read(made, { person: people }, ask)
    expect(items.map(({ name }) => name)).toEqual(['Ann', 'Kim', 'Zoe'])
    expect(items[0]).toEqual(people[1])
    expect(rounds.map(round => round.map(({ operation }) => operation))).toEqual([['query', 'query'], ['batchGetItem']])
    expect((await read(made, { person: people }, { ...ask, limit: 1 })).items).toEqual([people[1]])
  })

  it('a path on a keys-only index is a Query, then a BatchGetItem of the items', async () => {
    const follow = edge('follow', { follower: user, followee: user }, since)
    const made = layout(graph('social', [user, follow]), {
      indexes: { GSI1: { keys: ['GSI1PK', 'GSI1SK'], project: 'keys' } },
    })
    const { items, rounds } = await read(made, example, { ...byFollowee, nodes: 'joined' })
    expect(items).toEqual(follows.map(edge => ({ edge, node: users.find(({ id }) => id === edge.follower) })))
    expect(rounds.map(round => round.length)).toEqual([1, 2])
  })
})

describe('undirected edges', () => {
  const pairs = [
    { one: 'c', other: 'a' },
    { one: 'a', other: 'b' },
    { one: 'd', other: 'b' },
  ]

  it('undirected edges are found from both ends by one Query, and the given end comes first', async () => {
    const friends = edge('friends', { one: user, other: user }, {}, { undirected: true })
    const made = layout(graph('social', [user, friends]))
    const one = await read(made, { friends: pairs }, { type: 'friends', path: 'one', start: 'a' })
    expect(one.items).toEqual(['b', 'c'].map(other => ({ one: 'a', other })))
    const other = await read(made, { friends: pairs }, { type: 'friends', path: 'other', start: 'a' })
    expect(other.items).toEqual(['b', 'c'].map(one => ({ one, other: 'a' })))
    expect([one.rounds, other.rounds].map(rounds => rounds.map(round => round.length))).toEqual([[1], [1]])
  })

  it('undirected edges are returned with the node at the other end, from either side', async () => {
    const friends = edge('friends', { one: user, other: user }, {}, { undirected: true })
    const made = layout(graph('social', [user, friends]))
    const ask = { type: 'friends', path: 'one', start: 'a', nodes: 'nodes' } as const
    const { items } = await read(made, { user: users, friends: pairs }, ask)
    expect(items).toEqual([users[1], users[2]])
  })

  it('undirected edges have the requested order of ends under raw keys, which do not contain the ends', async () => {
    const friends = edge('friends', { one: user, other: user }, {}, { undirected: true })
    const made = layout(graph('social', [user, friends]), {
      raw: true,
      keys: {
        user: { PK: 'U_{id}', SK: 'U' },
        friends: { PK: 'U_{one}', SK: 'F_{other}', mirror: { PK: 'U_{other}', SK: 'F_{one}' } },
      },
    })
    const example = { user: users, friends: pairs }
    const one = await read(made, example, { type: 'friends', path: 'one', start: 'a', nodes: 'joined' })
    expect(one.items).toEqual([users[1], users[2]].map(node => ({ edge: { one: 'a', other: node!.id }, node })))
    const other = await read(made, example, { type: 'friends', path: 'other', start: 'b' })
    expect(other.items).toEqual(['a', 'd'].map(one => ({ one, other: 'b' })))
  })

  it('undirected edges on a keys-only index are read whole from either end', async () => {
    const by = { one: { order: ['since'] } } as const
    const friends = edge('friends', { one: user, other: user }, { since: date() }, { undirected: true, by })
    const made = layout(graph('social', [user, friends]), {
      indexes: { GSI1: { keys: ['GSI1PK', 'GSI1SK'], project: 'keys' } },
    })
    const rows = pairs.map((pair, i) => ({ ...pair, since: day(i + 1) }))
    for (const path of ['one', 'other']) {
      const { items } = await read(made, { friends: rows }, { type: 'friends', path, start: 'a' })
      const other = path === 'one' ? 'other' : 'one'
      expect(items).toEqual(['c', 'b'].map((id, i) => ({ [path]: 'a', [other]: id, since: day(i + 1) })))
    }
  })

  it('undirected edges on an index are two merged Queries', async () => {
    const by = { one: { as: 'index' } } as const
    const friends = edge('friends', { one: user, other: user }, {}, { undirected: true, by })
    const made = layout(graph('social', [user, friends]))
    const { items, rounds } = await read(made, { friends: pairs }, { type: 'friends', path: 'one', start: 'a' })
    expect(items).toEqual(['b', 'c'].map(other => ({ one: 'a', other })))
    expect(rounds.map(round => round.length)).toEqual([2])
    expect(() => planPath(made, { type: 'friends', path: 'other', start: 'a', consistent: true })).toThrow(
      expect.objectContaining({ code: 'read.consistent' }),
    )
  })
})

describe('undirected edges in an order of their own', () => {
  const by = { one: { order: ['since'] } } as const
  const friends = edge('friends', { one: user, other: user }, { since: date() }, { undirected: true, by })
  const made = layout(graph('social', [user, friends]))
  const pairs = ['d', 'c', 'b', 'e'].map((id, i) =>
    i % 2 === 0 ? { one: 'a', other: id, since: day(i + 1) } : { one: id, other: 'a', since: day(i + 1) },
  )
  const alone = { one: 'a', other: 'a', since: day(9) }
  const seen = pairs.map(({ one, other, since }) => ({ one: 'a', other: one === 'a' ? other : one, since }))

  it('undirected edges are found in their order from both ends, and a self-loop only once', async () => {
    const example = { friends: [...pairs, alone] }
    const ask = { type: 'friends', path: 'one', start: 'a' }
    expect((await read(made, example, ask)).items).toEqual([...seen, alone])
    expect((await read(made, example, { ...ask, reverse: true, limit: 2 })).items).toEqual([alone, seen[3]])
    const counted = await run(await storeOf(made, example), made, planPath(made, { ...ask, count: true }))
    expect(counted.value).toBe(5)
    const nodes = planPath(made, { ...ask, count: true, nodes: 'nodes' })
    expect((await run(await storeOf(made, example), made, nodes)).value).toBe(5)
  })
})

describe('further options of a path', () => {
  const follow = edge('follow', { follower: user, followee: user }, { since: date() })
  const made = layout(graph('social', [user, follow]))
  const example = { user: users.slice(1), follow: follows }
  const ask = { type: 'follow', path: 'followee', start: 'e' }

  it('nodes at the other end belong to the tenant', async () => {
    const tenants = layout(graph('social', [user, follow], { tenant: true }))
    const store = await storeOf(tenants, example, 'acme')
    const plan = planPath(tenants, { ...ask, nodes: 'nodes', tenant: 'acme' })
    expect(((await run(store, tenants, plan)).value as Answer).items).toEqual(users.slice(1, 4))
    const other = planPath(tenants, { ...ask, nodes: 'nodes', tenant: 'other' })
    expect(((await run(store, tenants, other)).value as Answer).items).toEqual([])
  })

  it('nodes() omits missing nodes, and joined rows show that they are missing', async () => {
    const nodes = await read(made, example, { ...ask, nodes: 'nodes' })
    expect(nodes.items).toEqual(users.slice(1, 4))
    expect(nodes.units).toEqual({ GSI1: 0.5, table: 4 * 0.5 })
    const { items } = await read(made, example, { ...ask, nodes: 'joined', limit: 2 })
    expect(items).toEqual([
      { edge: follows[0], node: undefined },
      { edge: follows[1], node: users[1] },
    ])
  })

  it('a count neither reads nor returns items', async () => {
    const outcome = await run(await storeOf(made, example), made, planPath(made, { ...ask, count: true }))
    expect([outcome.value, firstInput(outcome).Select]).toEqual([4, 'COUNT'])
  })

  it('a filter runs after reading, so the reader enforces the limit', async () => {
    const filter = {
      expression: '#since > :day',
      names: { '#since': 'since' },
      values: { ':day': { S: '2020-01-07' } },
    }
    const outcome = await read(made, example, { ...ask, filter, limit: 1 })
    expect(outcome.items).toEqual([follows[0]])
    expect(firstInput(outcome)).toMatchObject({ FilterExpression: '#since > :day' })
    expect(firstInput(outcome)).not.toHaveProperty('Limit')
    expect(explain(pricePlan(made, planPath(made, { ...ask, filter }))).steps[0]!.notes[0]).toContain('read and billed')
  })

  it('a request for an option that the path does not support is rejected', () => {
    const code = (more: Partial<PathQuery>, code: string) =>
      expect(() => planPath(made, { ...ask, ...more })).toThrow(expect.objectContaining({ code }))
    code({ path: 'nobody' }, 'read.path')
    code({ type: 'nobody' }, 'read.path')
    code({ limit: 0 }, 'read.limit')
    code({ limit: 1.5 }, 'read.limit')
  })
})
