import { describe, expect, it } from 'vitest'
import { itemsOf } from '../../src/layout/items/items.js'
import { printIndex, printItems } from '../../src/layout/items/print.js'
import { layout } from '../../src/layout/layout.js'
import type { LayoutOptions } from '../../src/layout/options.js'
import { assertLayout, proveLayout } from '../../src/layout/proof/layout-proof.js'
import { counter, date, edge, graph, integer, node, set, string } from './declarations.js'

const user = node('user', { id: string(), email: string(), followers: counter() }, { id: 'id', unique: ['email'] })
const movie = node('movie', { name: string(), year: integer() }, { id: 'name' })

describe('a default layout', () => {
  const actor = node('actor', { name: string(), born: integer() }, { id: 'name' })
  const role = edge('role', { movie, actor }, { character: string() })
  const made = layout(graph('cinema', [movie, actor, role]))
  const example = {
    movie: [{ name: 'Toy Story', year: 1995 }],
    actor: [{ name: 'Tom Hanks', born: 1956 }],
    role: [{ movie: 'Toy Story', actor: 'Tom Hanks', character: 'Woody' }],
  }

  it('a default layout stores an edge with its first end and uses an overloaded index for the other end', () => {
    expect(printItems(made, itemsOf(made, example))).toBe(
      [
        '| PK              | SK             | _type | year | born | character | GSI1PK          | GSI1SK         |',
        '|-----------------|----------------|-------|------|------|-----------|-----------------|----------------|',
        '| actor#Tom Hanks | #              | actor |      | 1956 |           |                 |                |',
        '| movie#Toy Story | #              | movie | 1995 |      |           |                 |                |',
        '| movie#Toy Story | role#Tom Hanks | role  |      |      | Woody     | actor#Tom Hanks | role#Toy Story |',
      ].join('\n'),
    )
    expect(printIndex(made, itemsOf(made, example), 'GSI1')).toContain(
      '| actor#Tom Hanks | role#Toy Story | movie#Toy Story |',
    )
    expect(proveLayout(made)).toEqual([])
  })

  it('a layout has the access of each path', () => {
    expect(
      made.accesses.map(({ name, method, index, sortSlots, consistent }) => ({
        name,
        method,
        index,
        sortSlots,
        consistent,
      })),
    ).toEqual([
      { name: 'movie', method: 'adjacent', index: undefined, sortSlots: ['actor'], consistent: true },
      { name: 'actor', method: 'index', index: 'GSI1', sortSlots: ['movie'], consistent: false },
    ])
    expect(made.design.indexes).toMatchObject([
      { name: 'GSI1', partition: ['GSI1PK'], sort: ['GSI1SK'], serves: ['role.by.actor'] },
    ])
  })

  it('the fingerprint changes when an item would be stored elsewhere', () => {
    const same = layout(graph('cinema', [movie, actor, role]))
    const other = layout(graph('cinema', [movie, actor, role]), { keys: { movie: { PK: 'MOVIE#{name}' } } })
    expect(same.fingerprint).toBe(made.fingerprint)
    expect(other.fingerprint).not.toBe(made.fingerprint)
  })
})

describe('the access methods of an edge', () => {
  const since = { since: date() }
  const example = {
    user: [
      { id: 'a', email: 'a@x' },
      { id: 'b', email: 'b@x' },
    ],
    follow: [{ follower: 'a', followee: 'b', since: new Date(0) }],
  }
  const keys = (made: ReturnType<typeof layout>, kind: string) =>
    itemsOf(made, example).flatMap(({ kind: of, item }) => (of === kind ? [[item.PK!.S, item.SK!.S]] : []))

  it('a mirror is a second item in the partition of the other end with its own order', () => {
    const follow = edge('follow', { follower: user, followee: user }, since, {
      count: { followee: 'followers' },
      by: { followee: { order: ['since'], as: 'mirror' } },
    })
    const made = layout(graph('social', [user, follow]))
    expect(keys(made, 'follow')).toEqual([['user#a', 'follow#b']])
    expect(keys(made, 'follow.followee')).toEqual([['user#b', 'follow.followee#1970-01-01T00:00:00.000Z#a']])
    expect(proveLayout(made)).toEqual([])
    const counted = itemsOf(made, example).find(({ item }) => item.PK!.S === 'user#b' && item.SK!.S === '#')!
    expect(counted.item.followers).toEqual({ N: '1' })
  })

  it('a local path is another order of the same partition', () => {
    const follow = edge('follow', { follower: user, followee: user }, since, {
      by: { follower: { order: ['since'], as: 'local' }, followee: { as: 'none' } },
    })
    const made = layout(graph('social', [user, follow]))
    expect(made.design.indexes).toMatchObject([{ name: 'LSI1', kind: 'local', partition: ['PK'], sort: ['LSI1SK'] }])
    expect(made.accesses.find(({ name }) => name === 'follower')).toMatchObject({
      index: 'LSI1',
      sortSlots: ['since', 'followee'],
      consistent: true,
    })
    const byDate = { kind: 'local', keys: ['PK', 'LSI1SK'] } as const
    const named = layout(graph('social', [user, follow]), { indexes: { byDate } })
    expect(named.design.indexes).toMatchObject([{ name: 'byDate', serves: ['follow.by.follower'] }])
  })

  it('a native path has the attributes themselves as the key of an index', () => {
    const follow = edge('follow', { follower: user, followee: user }, since, {
      by: { followee: { order: ['since'], as: 'native' } },
    })
    const made = layout(graph('social', [user, follow]))
    expect(made.design.indexes).toMatchObject([
      { name: 'follow_followee', partition: ['_type', 'followee'], sort: ['since', 'follower'] },
    ])
  })

  it('a one edge has no other end in its key, so a second edge is impossible', () => {
    const best = edge('best', { of: user, friend: user }, {}, { one: 'of' })
    const made = layout(graph('social', [user, best]))
    const items = itemsOf(made, { best: [{ of: 'a', friend: 'b' }] })
    expect(items[0]!.item).toMatchObject({ PK: { S: 'user#a' }, SK: { S: 'best' }, friend: { S: 'b' } })
  })

  it('an undirected edge has an item in the partition of each end, with swapped keys', () => {
    const friends = edge('friends', { one: user, other: user }, {}, { undirected: true })
    const made = layout(graph('social', [user, friends]))
    const items = itemsOf(made, { friends: [{ one: 'a', other: 'b' }] })
    expect(items.map(({ item }) => [item.PK!.S, item.SK!.S])).toEqual([
      ['user#a', 'friends#b'],
      ['user#b', 'friends#a'],
    ])
    expect(proveLayout(made)).toEqual([])
  })

  it('a sharded path spreads the partition of a supernode by the key of each edge', () => {
    const follow = edge('follow', { follower: user, followee: user }, since, { by: { followee: { shards: 4 } } })
    const made = layout(graph('social', [user, follow]))
    const item = itemsOf(made, example).find(({ kind }) => kind === 'follow')!.item
    expect(item.GSI1PK!.S).toBe('user#b#0')
    expect(made.accesses.find(({ name }) => name === 'followee')!.shards).toBe(4)
  })
})

describe('the access methods of a node', () => {
  it('a path by items has a sharded facet with only its keys for each member of a set', () => {
    const person = node(
      'person',
      { id: string(), name: string(), skills: set(string()) },
      { id: 'id', by: { skill: { in: ['skills'], order: ['name'], as: 'item', shards: 4 } } },
    )
    const made = layout(graph('people', [person]))
    const items = itemsOf(made, { person: [{ id: '1', name: 'Ann', skills: new Set(['java', 'go']) }] })
    expect(items.map(({ item }) => item.SK!.S).sort()).toEqual(
      ['#', 'person.skill#go#Ann', 'person.skill#java#Ann'].sort((a, b) => (a < b ? -1 : 1)),
    )
    const facet = items.find(({ item }) => item.SK!.S === 'person.skill#java#Ann')!.item
    expect(facet).toEqual({
      PK: { S: 'person#1' },
      SK: { S: 'person.skill#java#Ann' },
      _type: { S: 'person.skill' },
      GSI1PK: { S: 'person.skill#java#1' },
      GSI1SK: { S: 'Ann#1' },
    })
    expect(proveLayout(made)).toEqual([])
  })

  it('a unique value has a sentinel that names its node', () => {
    const made = layout(graph('users', [user]))
    const sentinel = itemsOf(made, { user: [{ id: 'a', email: 'a@x' }] }).find(({ kind }) => kind === 'user.email')!
    expect(sentinel.item).toEqual({
      PK: { S: 'user.email#a@x' },
      SK: { S: '#' },
      _type: { S: 'user.email' },
      id: { S: 'a' },
    })
  })

  it('an item that lacks a part of an index key is not in the index', () => {
    const shop = node(
      'shop',
      { id: string(), city: string().optional() },
      { id: 'id', by: { city: { in: ['city'], order: ['id'] } } },
    )
    const made = layout(graph('shops', [shop]))
    const [without] = itemsOf(made, { shop: [{ id: '1' }] })
    expect(Object.keys(without!.item)).toEqual(['PK', 'SK', '_type'])
  })

  it('nested owned nodes are stored in the partition of the outermost owner', () => {
    const customer = node('customer', { id: string() }, { id: 'id' })
    const order = node('order', { no: string() }, { id: 'no', within: customer })
    const line = node('line', { number: integer({ min: 1, max: 99 }) }, { id: 'number', within: order })
    const made = layout(graph('shop', [customer, order, line]))
    const [item] = itemsOf(made, { line: [{ order: { customer: 'c', no: '7' }, number: 3 }] })
    expect([item!.item.PK!.S, item!.item.SK!.S]).toEqual(['customer#c', 'line#7#03'])
    expect(made.accesses.find(({ type }) => type.name === 'line')!.sortSlots).toEqual(['number'])
    expect(proveLayout(made)).toEqual([])
  })
})

describe('tenants', () => {
  it('a tenant is the first part of every partition key', () => {
    const made = layout(graph('users', [user], { tenant: true }))
    const items = itemsOf(made, { user: [{ id: 'a', email: 'a@x' }] }, 'acme')
    expect(items.map(({ item }) => item.PK!.S)).toEqual(['acme#user#a', 'acme#user.email#a@x'])
    expect(made.design.tenant).toBe(true)
  })
})

describe('invalid layouts', () => {
  const follow = edge('follow', { from: user, to: user }, {}, { by: { to: { as: 'none' } } })

  it('a layout in which two kinds can have one key is rejected with an example', () => {
    const made = layout(graph('social', [user, follow]), {
      keys: { user: { PK: 'USER#{id}', SK: 'USER#{id}' }, follow: { PK: 'USER#{from}', SK: 'USER#{to}' } },
    })
    expect(() => assertLayout(made)).toThrow(expect.objectContaining({ code: 'key.collision' }))
  })

  const both = edge('both', { a: user, b: user }, {}, { by: { b: { as: 'inverted' } } })
  const social = graph('social', [user, follow, both])

  it.each<[string, LayoutOptions]>([
    ['layout.path', { keys: { follow: { PK: 'F#{to}#{from}', SK: 'x' } } }],
    ['layout.type', { keys: { nobody: { PK: 'x' } } }],
    ['layout.type', { keys: { follow: { mirror: { PK: 'x' } } } }],
    ['layout.name', { names: { user: { email: 'PK' } } }],
    ['layout.name', { names: { user: { email: 'id' } } }],
    ['layout.index', { indexes: { inverted: { keys: ['X', 'Y'] } } }],
    ['layout.index', { indexes: { GSI1: { project: 'keys' } } } as never],
    ['key.slot', { keys: { user: { PK: 'USER#{nope}' } } }],
    // The type has no shards and the graph has no tenants, so these slots have no value.
    ['key.slot', { keys: { user: { PK: 'USER#{id}#{shard}' } } } as never],
    ['key.slot', { keys: { user: { PK: '{tenant}#{id}' } } } as never],
    // An edge has only the ids of its ends.
    ['key.slot', { keys: { follow: { GSI1PK: 'F#{to.email}', GSI1SK: '{from}' } } }],
  ])('a layout is rejected with the code %s', (code, physical) => {
    expect(() => layout(social, physical)).toThrow(expect.objectContaining({ code }))
  })
})

describe('options of a layout, checked for callers without a compiler', () => {
  const social = graph('social', [user, movie])
  const rejected = (code: string, message: string) => expect.objectContaining({ code, message })

  it.each<[path: string, options: object, known: string]>([
    ['layout', { nmaes: {} }, 'keys, indexes, table, type, marks, names, raw, capacity'],
    ['layout.table', { table: { ttl: 'until' } }, 'keys, expires'],
    [
      'layout.indexes.GSI1',
      { indexes: { GSI1: { keys: ['X', 'Y'], projekt: 'keys' } } },
      'keys, kind, project, capacity',
    ],
    [
      'layout.indexes.GSI1.capacity',
      { indexes: { GSI1: { keys: ['X'], capacity: { read: 1, write: 1, least: 1 } } } },
      'read, write',
    ],
    ['layout.capacity', { capacity: { read: 1, writes: 1 } }, 'read, write'],
    ['layout.type', { type: { attribute: 'kind', names: {} } }, 'attribute, values'],
    ['layout.raw', { raw: { seperator: '|' } }, 'separator, fold'],
  ])('an unknown option of %s is rejected', (path, options, known) => {
    const name = /nmaes|ttl|projekt|least|writes|names|seperator/.exec(JSON.stringify(options))![0]
    const message = `${path}: there is no option '${name}'; use only ${known}.`
    expect(() => layout(social, options)).toThrow(rejected('option.unknown', message))
  })

  it.each<[message: string, options: object]>([
    ["layout.table: 'keys' is 'PK'; give a list of one or two attribute names.", { table: { keys: 'PK' } }],
    [
      "layout.indexes.GSI1: 'keys' is Array; give a list of one or two attribute names.",
      { indexes: { GSI1: { keys: ['X', 'Y', 'Z'] } } },
    ],
    [
      "layout.indexes.GSI1: 'kind' is 'locale'; give 'global' or 'local'.",
      { indexes: { GSI1: { keys: ['X'], kind: 'locale' } } },
    ],
    [
      "layout.indexes.GSI1: 'project' is 'some'; give 'all' or 'keys' or a list of attributes.",
      { indexes: { GSI1: { keys: ['X'], project: 'some' } } },
    ],
    [
      'layout.indexes.GSI1: its options are not an object; give keys, kind, project, capacity by name.',
      { indexes: { GSI1: ['X'] } },
    ],
    ["layout: 'indexes' is Array; give an object.", { indexes: [] }],
    ["layout: 'names.user' is 'email'; give an object.", { names: { user: 'email' } }],
    ["layout.names.user: 'email' is 5; give a string.", { names: { user: { email: 5 } } }],
    ["layout.marks.user: 'Kind' is true; give a string.", { marks: { user: { Kind: true } } }],
    ["layout.type.values: 'user' is 1; give a string.", { type: { attribute: 'kind', values: { user: 1 } } }],
    ["layout.type: 'attribute' is undefined; give a string.", { type: {} }],
    ["layout.raw: 'fold' is 'title'; give 'upper' or 'lower'.", { raw: { fold: 'title' } }],
    ["layout: 'keys.user' is 'USER'; give an object.", { keys: { user: 'USER' } }],
    ["layout.keys.user: 'PK' is 1; give a string.", { keys: { user: { PK: 1 } } }],
    [
      "layout.keys.user.unique.email: 'PK' is null; give a string.",
      { keys: { user: { 'unique.email': { PK: null } } } },
    ],
  ])('an option of the wrong form is rejected: %s', (message, options) => {
    expect(() => layout(social, options)).toThrow(rejected('call.argument', message))
  })

  it('undefined is accepted for every option that has a default', () => {
    const unset = undefined as never
    const options = { keys: unset, indexes: unset, table: { keys: unset, expires: unset }, type: unset, marks: unset }
    const plain = layout(social)
    expect(layout(social, { ...options, names: unset, raw: unset, capacity: unset }).fingerprint).toBe(
      plain.fingerprint,
    )
  })
})

describe('impossible access methods', () => {
  const user = node('user', { id: string(), no: integer() }, { id: ['id', 'no'] })

  it('a local order is rejected at the end where the edge is not stored', () => {
    const likes = edge('likes', { from: user, to: user }, { weight: integer() }, { by: { to: { as: 'local' } } })
    expect(() => layout(graph('social', [user, likes]))).toThrow(expect.objectContaining({ code: 'path.way' }))
  })

  it('shards are rejected for access methods that cannot be sharded', () => {
    const paths = [
      { order: ['size'], as: 'native', shards: 2 },
      { order: ['size'], as: 'local', shards: 2 },
      { order: ['fans'], shards: 2 },
    ] as const
    for (const near of paths) {
      const attributes = { no: integer(), size: integer(), fans: counter() }
      const thing = node('thing', attributes, { id: 'no', within: user, by: { near } })
      expect(() => layout(graph('things', [user, thing]))).toThrow(expect.objectContaining({ code: 'path.way' }))
    }
    const likes = (as: 'native' | 'index') =>
      edge(
        'likes',
        { from: user, to: user },
        { weight: integer() },
        { by: { to: { order: ['weight'], as, shards: 2 } } },
      )
    const message = "likes: by.to cannot be native with 'shards'; declare as: 'index'."
    expect(() => layout(graph('social', [user, likes('native')]))).toThrow(expect.objectContaining({ message }))
    expect(layout(graph('social', [user, likes('index')])).accesses.at(-1)).toMatchObject({ name: 'to', shards: 2 })
  })

  it('a mirror with its own order becomes an index at the end where the edge is stored', () => {
    const path = { as: 'mirror', order: ['weight'] } as const
    const weight = { weight: integer() }
    const ends = { from: user, to: user }
    const both = edge('likes', ends, weight, { by: { from: path, to: path } })
    expect(layout(graph('social', [user, both])).accesses.map(({ method }) => method)).toEqual(['index', 'mirror'])
    const friends = edge('friends', ends, weight, { undirected: true, by: { from: path } })
    expect(layout(graph('social', [user, friends])).accesses.map(({ method }) => method)).toContain('index')
  })

  it('a slot named like an end with a composite id is rejected', () => {
    const likes = edge('likes', { from: user, to: user }, {}, { by: { to: { as: 'none' } } })
    const given = (slot: string) =>
      layout(graph('social', [user, likes]), { keys: { likes: { GSI1PK: slot } } } as never)
    expect(() => given('{to}')).toThrow(expect.objectContaining({ code: 'key.slot' }))
    expect(() => given('{to.id}#{to.no}')).not.toThrow()
  })

  it('a native index with more key attributes than DynamoDB allows is rejected', () => {
    const thing = node(
      'thing',
      { id: string(), no: integer(), name: string(), size: integer() },
      { id: ['id', 'no'], within: user, by: { near: { in: ['name'], order: ['size'], as: 'native' } } },
    )
    const refused = expect.objectContaining({
      code: 'layout.native',
      message: expect.stringMatching(/; give fewer, or /),
    })
    expect(() => layout(graph('things', [user, thing]))).toThrow(refused)
  })
})
