import { describe, expect, it } from 'vitest'
import { itemsOf } from '../../../src/layout/items/items.js'
import { layout } from '../../../src/layout/layout.js'
import { proveLayout } from '../../../src/layout/proof/layout-proof.js'
import { computed } from '../../../src/schema/transformed/index.js'
import { date, edge, embedded, graph, integer, node, set, string } from '../declarations.js'

const user = node('user', { id: string() }, { id: 'id' })

describe('the items of an example', () => {
  it('have no tenant where the graph has none', () => {
    expect(() => itemsOf(layout(graph('g', [user])), { user: [{ id: 'a' }] }, 'acme')).toThrow('leave the tenant out')
  })

  it.each([
    [{ user: { id: 'a' } }, "give the rows of 'user' as a list"],
    [{ user: 'a' }, "give the rows of 'user' as a list"],
    [{ user: ['a'] }, "give the rows of 'user' as a list of objects"],
    [undefined, 'give rows by the names of their types'],
    [[{ id: 'a' }], 'give rows by the names of their types'],
  ])('are of rows by type, and not of %j', (example, message) => {
    expect(() => itemsOf(layout(graph('g', [user])), example as never)).toThrow(
      expect.objectContaining({ code: 'call.given', message: expect.stringContaining(message) }),
    )
  })

  it('are none of a type that is left undefined', () => {
    expect(itemsOf(layout(graph('g', [user])), { user: undefined } as never)).toEqual([])
  })

  it('of a sharded mirror are there', () => {
    const like = edge('like', { user, thing: user }, {}, { by: { thing: { as: 'mirror', shards: 3 } } })
    const items = itemsOf(layout(graph('g', [user, like])), { like: [{ user: 'a', thing: 'b' }] })
    expect(items.map(({ kind }) => kind)).toEqual(['like', 'like.thing'])
    expect(items[1]!.item.PK!.S).toMatch(/^user#b#[0-2]$/)
  })

  it('hold what an index of native keys needs, though the key tells it, in the type that it is stored in', () => {
    const order = node(
      'order',
      { no: integer(), state: string() },
      {
        id: 'no',
        within: user,
        by: { state: { in: ['state'], as: 'native' } },
      },
    )
    const about = edge('about', { user, order }, {}, { by: { order: { as: 'native' } } })
    const made = layout(graph('g', [user, order, about]))
    const items = itemsOf(made, {
      order: [{ user: 'a', no: 7, state: 'new' }],
      about: [{ user: 'b', order: { user: 'a', no: 7 } }],
    })
    expect(items[0]!.item).toMatchObject({ user: { S: 'a' }, no: { N: '7' }, state: { S: 'new' } })
    expect(items[1]!.item).toMatchObject({ 'order.user': { S: 'a' }, 'order.no': { N: '7' }, user: { S: 'b' } })
    expect(made.design.attributes).toMatchObject({ no: 'N', 'order.no': 'N', state: 'S' })
  })

  it('have what is computed, unless it is of what a write would make', () => {
    const name = string()
    const at = date().default(() => new Date(0))
    const price = integer()
    const person = node(
      'person',
      {
        id: string(),
        name,
        at,
        key: computed(string(), { name }, row => row.name.toLowerCase()),
        since: computed(integer(), { at }, row => row.at.getTime()),
        bought: embedded({ total: integer() }),
      },
      { id: 'id', unique: ['key'], by: { since: { in: ['since'] } } },
    )
    const buys = edge(
      'buys',
      { person, other: person },
      { price, total: computed(integer(), { price }, row => row.price * 2) },
      {
        by: { other: { order: ['total'], as: 'mirror' } },
        embed: { person: { into: 'bought', max: 2 } },
        carry: { key: { from: 'other.key', sync: 'eventual' } },
      },
    )
    const people = [
      { id: 'a', name: 'Ann', at: new Date(5), key: 'wrong' },
      { id: 'b', name: 'Bob' },
    ]
    const items = itemsOf(layout(graph('g', [person, buys])), {
      person: people,
      buys: [{ person: 'a', other: 'b', price: 4 }],
    })
    const of = (kind: string) => items.filter(each => each.kind === kind).map(({ item }) => item)
    expect(of('person')).toMatchObject([
      { key: { S: 'ann' }, since: { N: '5' }, bought: { M: { b: { M: { total: { N: '8' } } } } } },
      { key: { S: 'bob' } },
    ])
    expect(of('person')[1]).not.toHaveProperty('since')
    expect(of('buys')).toMatchObject([{ total: { N: '8' }, key: { S: 'bob' } }])
    expect(of('buys.other')).toMatchObject([{ SK: { S: expect.stringMatching(/8#a$/) }, key: { S: 'bob' } }])
    expect(items.map(({ kind }) => kind)).toContain('person.key')
  })

  it('of an owned node have facets of its own', () => {
    const order = node(
      'order',
      { no: integer(), due: date() },
      {
        id: 'no',
        within: user,
        by: { due: { order: ['due'], as: 'item' } },
      },
    )
    const made = layout(graph('g', [user, order]))
    const due = new Date(0)
    const items = itemsOf(made, { order: [1, 2].map(no => ({ user: 'a', no, due })) })
    const keys = items.map(({ item }) => `${item.PK!.S} ${item.SK!.S}`)
    expect(new Set(keys).size).toBe(4)
    expect(proveLayout(made)).toEqual([])
  })

  it('have what is computed of what may be missing, and nothing of what only a write would make', () => {
    const nick = string().optional()
    const at = date().default(() => new Date(0))
    const person = node(
      'person',
      {
        id: string(),
        nick,
        at,
        shown: computed(string(), { nick }, row => row.nick ?? 'nobody'),
        both: computed(string(), { nick, at }, row => `${row.nick} ${row.at}`),
        short: computed(string().optional(), { nick }, row => row.nick?.slice(0, 1)),
      },
      { id: 'id' },
    )
    const given = { id: 'a', both: 'given', short: 'given' }
    const [own] = itemsOf(layout(graph('g', [person])), { person: [given] })
    expect(own!.item).toEqual({
      PK: { S: 'person#a' },
      SK: { S: '#' },
      _type: { S: 'person' },
      shown: { S: 'nobody' },
    })
  })

  it('lie beside a node for each number of a set', () => {
    const by = { year: { in: ['years'], as: 'item' } } as const
    const team = node('team', { id: string(), years: set(integer({ min: 0, max: 9999 })) }, { id: 'id', by })
    const items = itemsOf(layout(graph('g', [team])), { team: [{ id: 'a', years: new Set([1999, 2004]) }] })
    expect(items.map(({ item }) => item.GSI1PK?.S)).toEqual([undefined, 'team.year#1999', 'team.year#2004'])
  })

  it('say in seconds when they expire', () => {
    const session = node('session', { id: string(), until: date().optional() }, { id: 'id', expires: 'until' })
    const until = new Date('2024-01-01T00:00:00.900Z')
    const [first, second] = itemsOf(layout(graph('g', [session])), { session: [{ id: 'a', until }, { id: 'b' }] })
    expect(first!.item._expires).toEqual({ N: '1704067200' })
    expect(second!.item).not.toHaveProperty('_expires')
  })

  it('of an undirected edge are the same, whichever end is named first, and of a node with itself only one', () => {
    const friend = edge('friend', { a: user, b: user }, {}, { undirected: true })
    const made = layout(graph('g', [user, friend]))
    const of = (a: string, b: string) => itemsOf(made, { friend: [{ a, b }] }).map(({ item }) => item)
    expect(of('x', 'y')).toEqual(of('y', 'x'))
    expect(of('x', 'y')).toHaveLength(2)
    expect(of('x', 'x')).toHaveLength(1)
  })

  it('name embedded entries of several parts so that no two are alike', () => {
    const room = node('room', { id: string(), seats: embedded({}) }, { id: 'id' })
    const sits = edge(
      'sits',
      { room, user },
      { seat: string() },
      { key: ['seat'], embed: { room: { into: 'seats', max: 9 } } },
    )
    const sit = (user: string, seat: string) => ({ room: '1', user, seat })
    const [item] = itemsOf(layout(graph('g', [room, user, sits])), {
      room: [{ id: '1' }],
      sits: [sit('a#b', 'c'), sit('a', 'b#c')],
    })
    expect(Object.keys(item!.item.seats!.M!)).toEqual(['a$#b#c', 'a#b$#c'])
  })

  it('are those of an edge too that leads to a node whose key could not be', () => {
    const likes = edge('likes', { user, thing: user })
    const made = layout(graph('g', [user, likes]), {
      raw: true,
      keys: {
        user: { PK: 'U#{id}#', SK: 'U' },
        likes: { PK: 'U#{user}#', SK: 'L#{thing}', GSI1PK: 'T#{thing}', GSI1SK: '{user}' },
      },
    })
    const items = itemsOf(made, { user: [{ id: 'a' }], likes: [{ user: 'a', thing: 'b#c' }] })
    expect(items.map(({ item }) => `${item.PK?.S} ${item.SK?.S}`)).toEqual(['U#a# U', 'U#a# L#b#c'])
  })
})
