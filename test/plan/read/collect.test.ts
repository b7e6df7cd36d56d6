import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Layout, layout } from '../../../src/layout/layout.js'
import type { Plan } from '../../../src/plan/plan.js'
import type { RowPage } from '../../../src/plan/read/answer.js'
import { planCollect } from '../../../src/plan/read/collect.js'
import { planGet } from '../../../src/plan/read/item.js'
import type { PathRead } from '../../../src/plan/read/options.js'
import { planPath } from '../../../src/plan/read/path.js'
import { date, edge, graph, node, string } from '../../layout/declarations.js'
import { run, storeOf } from './run-read.js'

const user = node('user', { id: string(), name: string() }, { id: 'id', by: { name: { in: ['name'], as: 'item' } } })
const order = node('order', { no: string() }, { id: 'no', within: user })
const line = node('line', { number: string() }, { id: 'number', within: order })
const likes = edge('likes', { fan: user, idol: user }, { since: date() }, { by: { fan: { order: ['since'] } } })
const follow = edge('follow', { from: user, to: user }, {})
const reads = edge('reads', { reader: user, author: user }, {}, { by: { reader: { shards: 2 } } })
const friends = edge('friends', { one: user, other: user }, {}, { undirected: true })
const types = [user, order, line, likes, follow, reads, friends]

const ids = ['a', 'b', 'c', 'd']
const others = ids.slice(1)
const example = {
  user: ids.map(id => ({ id, name: id.toUpperCase() })),
  order: ['1', '2', '3'].map(no => ({ user: 'a', no })),
  line: ['1', '2'].flatMap(no => ['x', 'y'].map(number => ({ order: { user: 'a', no }, number }))),
  likes: others.map((idol, i) => ({ fan: 'a', idol, since: new Date(3 - i) })),
  follow: others.flatMap(id => [
    { from: 'a', to: id },
    { from: id, to: 'a' },
  ]),
  reads: others.map(author => ({ reader: 'a', author })),
  friends: [
    { one: 'a', other: 'b' },
    { one: 'c', other: 'a' },
  ],
}
const paths = {
  orders: { type: 'order', path: 'user' },
  likes: { type: 'likes', path: 'fan' },
  liked: { type: 'likes', path: 'idol' },
  follows: { type: 'follow', path: 'from' },
  followed: { type: 'follow', path: 'to' },
  reads: { type: 'reads', path: 'reader' },
  friends: { type: 'friends', path: 'one' },
  friendsToo: { type: 'friends', path: 'other' },
}
const layouts: [string, Layout][] = [
  ['by default', layout(graph('social', types))],
  ['with the node last', layout(graph('social', types), { keys: { user: { PK: 'user#{id}', SK: '~' } } })],
  ['with the node in the midst', layout(graph('social', types), { keys: { user: { PK: 'user#{id}', SK: 'n#{id}' } } })],
]

const part = fc.record(
  {
    limit: fc.integer({ min: 1, max: 4 }),
    reverse: fc.boolean(),
    nodes: fc.constantFrom('nodes' as const, 'joined' as const),
  },
  { requiredKeys: [] },
)
const asked = fc.dictionary(fc.constantFrom(...Object.keys(paths)), part)

describe.each(layouts)('a collection in a layout %s', async (_, made) => {
  const store = await storeOf(made, example)

  it('a collection equals separate reads of its node and parts, in no more requests', async () => {
    await fc.assert(
      fc.asyncProperty(asked, fc.constantFrom('a', 'b', 'nobody'), async (options, id) => {
        const parts: Record<string, PathRead> = {}
        for (const [name, option] of Object.entries(options)) {
          const { nodes, ...rest } = option
          parts[name] = { ...paths[name as keyof typeof paths], ...rest, ...(nodes && name !== 'orders' && { nodes }) }
        }
        const together = await run(store, made, planCollect(made, 'user', id, parts))
        const node = await run(store, made, planGet(made, 'user', id))
        const apart: Record<string, unknown> = { node: node.value }
        let requests = node.rounds.flat().length
        for (const [name, read] of Object.entries(parts)) {
          const { value, rounds } = await run(store, made, planPath(made, { ...read, start: id }))
          apart[name] = (value as RowPage).items
          requests += rounds.flat().length
        }
        expect(together.value).toEqual(apart)
        expect(together.rounds.flat().length).toBeLessThanOrEqual(requests)
      }),
      { numRuns: 150 },
    )
  })
})

describe('the requests of a collection', () => {
  const small = layout(graph('social', [user, order, follow, reads]))
  const plain = layout(graph('social', [node('user', { id: string() }, { id: 'id' })]))
  const operations = ({ steps }: Plan) =>
    steps.map(({ request: { operation, input } }) => [operation, input.ExpressionAttributeValues, input.Limit])
  const key = (...texts: string[]) => Object.fromEntries(texts.map((S, i) => [`:k${i}`, { S }]))

  it('a collection without parts is one GetItem', () => {
    expect(operations(planCollect(plain, 'user', 'a', {}))).toEqual([['getItem', undefined, undefined]])
  })

  it('contiguous parts share a Query, and items between other parts are not read', () => {
    // In the partition: the node under #, follow, order, user.name.
    expect(operations(planCollect(small, 'user', 'a', { follows: paths.follows, orders: paths.orders }))).toEqual([
      ['query', key('user#a', '#', 'order$'), undefined],
    ])
    expect(operations(planCollect(small, 'user', 'a', { orders: paths.orders }))).toEqual([
      ['getItem', undefined, undefined],
      ['query', key('user#a', 'order#'), undefined],
    ])
  })

  it('a limited part next to the node is read with the node, in the direction that reads the node first', () => {
    expect(operations(planCollect(small, 'user', 'a', { follows: { ...paths.follows, limit: 5 } }))).toEqual([
      ['query', key('user#a', '#', 'follow$'), 6],
    ])
    const last = { ...paths.follows, limit: 5, reverse: true }
    expect(operations(planCollect(small, 'user', 'a', { follows: last }))).toEqual([
      ['getItem', undefined, undefined],
      ['query', key('user#a', 'follow#'), 5],
    ])
  })

  it('a limit that is invalid for a read of the part is invalid in a collection', () => {
    for (const limit of [0, -1, 1.5])
      expect(() => planCollect(small, 'user', 'a', { follows: { ...paths.follows, limit } })).toThrow(
        expect.objectContaining({ code: 'read.limit' }),
      )
  })

  it('sharded parts and parts with a filter are read separately', () => {
    const some = { ...paths.follows, where: { to: { from: 'b' } } }
    expect(operations(planCollect(small, 'user', 'a', { some, reads: paths.reads })).map(([name]) => name)).toEqual([
      'getItem',
      'query',
      'query',
      'query',
    ])
  })

  it('a part may have the name of an inherited object member', async () => {
    const store = await storeOf(small, { follow: example.follow })
    const parts = { valueOf: paths.follows, constructor: { ...paths.follows, reverse: true } }
    const { value } = await run(store, small, planCollect(small, 'user', 'a', parts))
    const rows = others.map(to => ({ from: 'a', to }))
    expect(value).toEqual({ node: undefined, valueOf: rows, constructor: rows.toReversed() })
  })

  it('each part keeps its own filter, and its own limit when the node does not exist', async () => {
    const filter = { expression: 'GSI1PK = :to', names: {}, values: { ':to': { S: 'user#c' } } }
    const parts = { some: { ...paths.follows, where: { to: { from: 'c' } } }, one: { ...paths.follows, filter } }
    const read = async (more: Parameters<typeof planCollect>[3], rows: Parameters<typeof storeOf>[1] = example) =>
      (await run(await storeOf(small, rows), small, planCollect(small, 'user', 'a', more))).value
    const follow = others.map(to => ({ from: 'a', to }))
    expect(await read({ ...parts, orders: paths.orders })).toMatchObject({ some: follow.slice(1), one: [follow[1]] })
    const two = { follows: { ...paths.follows, limit: 2 } }
    expect(await read(two, { follow })).toEqual({ node: undefined, follows: follow.slice(0, 2) })
  })

  it('a collection reads only the partition of its tenant', async () => {
    const made = layout(graph('social', [user, follow], { tenant: true }))
    const store = await storeOf(made, { user: example.user, follow: example.follow }, 'acme')
    const collected = async (tenant: string) =>
      (await run(store, made, planCollect(made, 'user', 'a', { follows: paths.follows }, { tenant }))).value
    const follows = others.map(to => ({ from: 'a', to }))
    expect(await collected('acme')).toEqual({ node: example.user[0], follows })
    expect(await collected('other')).toEqual({ node: undefined, follows: [] })
  })

  it('a merged read is consistent when one of its parts requests consistency', () => {
    const { steps } = planCollect(small, 'user', 'a', { follows: { ...paths.follows, consistent: true } })
    expect(steps.map(({ request }) => request.input.ConsistentRead)).toEqual([true])
    expect(steps[0]!.expected?.consistency).toBe('strong')
  })

  it('a consistent collection reads every part consistently, or is rejected when a part cannot be', () => {
    const plan = planCollect(small, 'user', 'a', { follows: paths.follows }, { consistent: true })
    expect(plan.steps.map(({ request }) => request.input.ConsistentRead)).toEqual([true])
    expect(() => planCollect(small, 'user', 'a', { followed: paths.followed }, { consistent: true })).toThrow(
      expect.objectContaining({ code: 'read.consistent' }),
    )
  })

  it('a collection of a missing node does not return another item of its partition', async () => {
    const made = layout(graph('social', [user, follow]))
    const rows = { follow: [{ from: 'a', to: 'b' }] }
    const plan = planCollect(made, 'user', 'a', { follows: paths.follows })
    expect(plan.steps).toHaveLength(1)
    expect((await run(await storeOf(made, rows), made, plan)).value).toEqual({ node: undefined, follows: rows.follow })
  })

  it('a part that does not start at the node is rejected', () => {
    expect(() => planCollect(small, 'order', { user: 'a', no: '1' }, { follows: paths.follows })).toThrow(
      expect.objectContaining({ code: 'read.path' }),
    )
  })

  it('the collection of an owned node is split when sibling nodes are stored in between', async () => {
    const made = layout(graph('shop', [user, order, line]))
    const parts = { lines: { type: 'line', path: 'order' } }
    const plan = planCollect(made, 'order', { user: 'a', no: '1' }, parts)
    expect(plan.steps.map(({ request }) => request.operation)).toEqual(['getItem', 'query'])
    expect((await run(await storeOf(made, example), made, plan)).value).toEqual({
      node: example.order[0],
      lines: example.line.slice(0, 2),
    })
  })

  it('a collection in an adopted table with raw keys is one Query', async () => {
    const raw = layout(graph('social', [node('user', { id: string() }, { id: 'id' })]), { raw: true })
    expect(planCollect(raw, 'user', 'a', {}).steps).toHaveLength(1)
    const person = node('user', { id: string(), name: string() }, { id: 'id' })
    const fan = edge('follow', { from: person, to: person }, {}, { by: { to: { as: 'none' } } })
    const made = layout(graph('adopted', [person, fan]), {
      raw: { fold: 'upper' },
      table: { keys: ['hash', 'range'] },
      keys: {
        user: { hash: 'USER#{id}', range: 'USER#{id}' },
        follow: { hash: 'USER#{from}', range: 'FOLLOWING#{to}' },
      },
    })
    const rows = { user: [{ id: 'a', name: 'A' }], follow: others.map(to => ({ from: 'a', to })) }
    const follows = { type: 'follow', path: 'from', reverse: true, limit: 2 }
    const { value, rounds } = await run(await storeOf(made, rows), made, planCollect(made, 'user', 'a', { follows }))
    expect(rounds.flat()).toHaveLength(1)
    expect(value).toEqual({ node: rows.user[0], follows: rows.follow.slice(1).reverse() })
  })
})
