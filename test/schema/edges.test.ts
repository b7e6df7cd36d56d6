import { describe, expect, it } from 'vitest'
import { counter } from '../../src/schema/attributes/counter.js'
import { date } from '../../src/schema/attributes/date.js'
import { embedded } from '../../src/schema/attributes/embedded.js'
import { integer } from '../../src/schema/attributes/integer.js'
import { json } from '../../src/schema/attributes/json.js'
import { string } from '../../src/schema/attributes/string.js'
import { edge } from '../../src/schema/edge/edge.js'
import { node } from '../../src/schema/node.js'
import { codeOf } from './error-code.js'

const a = node(
  'a',
  {
    id: string(),
    fixed: string().immutable(),
    free: string(),
    n: counter(),
    m: counter(),
    list: embedded({ q: string() }),
  },
  { id: 'id' },
)
const b = node('b', { id: string() }, { id: 'id' })
// Untyped, because the tests make mistakes that do not compile, as a JavaScript program can.
const loosely = edge as unknown as (
  name: string,
  ends: object,
  attributes?: object,
  options?: object,
) => { readonly declared: unknown }

describe('an edge', () => {
  it('an edge needs only its ends', () => {
    const { declared } = edge('e', { a, b })
    expect(declared).toMatchObject({
      kind: 'edge',
      name: 'e',
      key: [],
      one: undefined,
      undirected: false,
      carry: [],
      count: [],
      sum: [],
      embed: [],
    })
    expect(declared.ends.map(end => end.node)).toEqual([a.declared, b.declared])
    expect(declared.ends.map(end => end.by.order)).toEqual([['b'], ['a']])
    expect(declared.ends.map(end => end.onDelete)).toEqual(['leave', 'leave'])
  })

  it('an edge is sorted by the other end and its key by default', () => {
    const { declared } = edge(
      'e',
      { a, b },
      { q: string(), at: date() },
      { key: ['q'], by: { b: { order: ['at'], as: 'mirror', shards: 2 } } },
    )
    expect(declared.ends.map(end => end.by)).toEqual([
      { name: 'a', in: [], order: ['b', 'q'], as: undefined, shards: 1 },
      { name: 'b', in: [], order: ['at'], as: 'mirror', shards: 2 },
    ])
  })

  it('an edge with an undefined order is sorted by the default order', () => {
    const { declared } = loosely('e', { a, b }, {}, { by: { a: { order: undefined } } }) as ReturnType<typeof edge>
    expect(declared.ends[0].by.order).toEqual(['b'])
  })

  it('an edge declares the sources and targets of its derived data', () => {
    const { declared } = edge(
      'e',
      { a, b },
      { q: string(), w: integer() },
      {
        carry: { x: 'a.fixed', y: 'b.id', z: { from: 'a.free', sync: 'mirror', deleted: 'remove' } },
        sum: { a: { into: 'n', of: 'w', by: 'stream' } },
        embed: { a: { into: 'list', max: 3 } },
        onDelete: { b: 'refuse' },
      },
    )
    expect(declared).toMatchObject({
      carry: [
        { copyName: 'x', end: 'a', attribute: 'fixed', sync: undefined, deleted: 'keep' },
        { copyName: 'y', end: 'b', attribute: 'id', sync: undefined, deleted: 'keep' },
        { copyName: 'z', end: 'a', attribute: 'free', sync: 'mirror', deleted: 'remove' },
      ],
      sum: [{ end: 'a', into: 'n', of: 'w', by: 'stream' }],
      embed: [{ end: 'a', into: 'list', max: 3 }],
      ends: [{ onDelete: 'leave' }, { onDelete: 'refuse' }],
    })
    expect(edge('e', { a, b }, {}, { count: { a: 'n' } }).declared.count).toEqual([
      { end: 'a', into: 'n', by: 'transaction' },
    ])
  })

  it('an edge with one counter equals an edge with a list of one counter', () => {
    const both = [{ into: 'n', where: { w: 1 } }, 'm'] as const
    const { declared } = edge('e', { a, b }, { w: integer(), v: integer() }, { count: { a: both } })
    expect(declared.count).toEqual([
      { end: 'a', into: 'n', by: 'transaction', where: { w: [{ N: '1' }] } },
      { end: 'a', into: 'm', by: 'transaction' },
    ])
    const sums = [
      { into: 'n', of: 'w', by: 'stream' },
      { into: 'm', of: 'v' },
    ] as const
    expect(edge('e', { a, b }, { w: integer(), v: integer() }, { sum: { a: sums } }).declared.sum).toEqual([
      { end: 'a', into: 'n', of: 'w', by: 'stream' },
      { end: 'a', into: 'm', of: 'v', by: 'transaction' },
    ])
    expect(edge('e', { a, b }, {}, { count: { a: [] } }).declared.count).toEqual([])
  })

  it('an undirected edge applies the options of its first end to both ends', () => {
    const { declared } = edge(
      'friends',
      { one: a, other: a },
      { since: date() },
      {
        undirected: true,
        count: { one: ['n', { into: 'm', by: 'stream' }] },
        by: { one: { order: ['since', 'other'], as: 'mirror' } },
        onDelete: { one: 'cascade' },
      },
    )
    expect(declared.undirected).toBe(true)
    expect(declared.count).toEqual([
      { end: 'one', into: 'n', by: 'transaction' },
      { end: 'one', into: 'm', by: 'stream' },
      { end: 'other', into: 'n', by: 'transaction' },
      { end: 'other', into: 'm', by: 'stream' },
    ])
    expect(declared.ends.map(end => [end.by.order, end.by.as, end.onDelete])).toEqual([
      [['since', 'other'], 'mirror', 'cascade'],
      [['since', 'one'], 'mirror', 'cascade'],
    ])
  })
})

const q = { q: string(), j: json(), o: string().optional(), w: integer(), until: date() }
const ends = { a, b }
const brief = {
  a: node(
    'a',
    { id: string(), until: date(), n: counter(), list: embedded({ q: string() }) },
    { id: 'id', expires: 'until' },
  ),
  b,
}
const pair = { one: a, other: a }

describe('invalid edge declarations', () => {
  it.each<[string, string, string, object, object?, object?]>([
    ['without a name', 'name.invalid', '', ends],
    ['with a reserved name', 'name.reserved', '$e', ends],
    ['with an end named like what objects have', 'name.reserved', 'e', { a, valueOf: b }],
    ['with one end', 'edge.ends', 'e', { a }],
    ['with three ends', 'edge.ends', 'e', { a, b, c: a }],
    ['with an end that is not a node', 'edge.ends', 'e', { a, b: 'b' }],
    ['with an edge for an end', 'edge.ends', 'e', { a, b: edge('x', ends) }],
    ['with a dot in the name of an end', 'name.invalid', 'e', { a, 'b.c': b }],
    ['with an attribute named like an end', 'edge.shadow', 'e', ends, { a: string() }],
    ['with a copy named like an attribute', 'edge.shadow', 'e', ends, q, { carry: { q: 'a.fixed' } }],
    ['with a copy named like an end', 'edge.shadow', 'e', ends, q, { carry: { b: 'a.fixed' } }],
    ['with one of an unknown end', 'edge.end', 'e', ends, q, { one: 'c' }],
    ['with a path at an unknown end', 'edge.end', 'e', ends, q, { by: { c: {} } }],
    ['with a count at an unknown end', 'edge.end', 'e', ends, q, { count: { c: 'n' } }],
    ['with a key of an unknown attribute', 'option.attribute', 'e', ends, q, { key: ['z'] }],
    ['with a key of JSON', 'option.attribute', 'e', ends, q, { key: ['j'] }],
    ['with an optional key', 'option.attribute', 'e', ends, q, { key: ['o'] }],
    ['with a part of its key twice', 'path.parts', 'e', ends, q, { key: ['q', 'q'] }],
    [
      'with a part of its key twice and its own order',
      'name.duplicate',
      'e',
      ends,
      q,
      { key: ['q', 'q'], by: { a: { order: ['b'] }, b: { order: ['a'] } } },
    ],
    ['with an order by an unknown attribute', 'option.attribute', 'e', ends, q, { by: { a: { order: ['z'] } } }],
    ['with an order by the end itself', 'option.attribute', 'e', ends, q, { by: { a: { order: ['a'] } } }],
    ['with an order by an optional attribute', 'option.attribute', 'e', ends, q, { by: { a: { order: ['o'] } } }],
    ['with a partition of its own', 'option.unknown', 'e', ends, q, { by: { a: { in: ['q'] } } }],
    ['with a part of its order twice', 'path.parts', 'e', ends, q, { by: { a: { order: ['q', 'q'] } } }],
    ['with no shards', 'path.shards', 'e', ends, q, { by: { a: { shards: 0 } } }],
    ['adjacent to both ends', 'path.way', 'e', ends, q, { by: { a: { as: 'adjacent' }, b: { as: 'adjacent' } } }],
    [
      'adjacent in an order beyond its identity',
      'path.way',
      'e',
      ends,
      q,
      { by: { a: { as: 'adjacent', order: ['q'] } } },
    ],
    ['inverted in an order of its own', 'path.way', 'e', ends, q, { by: { b: { as: 'inverted', order: ['q'] } } }],
    ['inverted in shards', 'path.way', 'e', ends, q, { by: { b: { as: 'inverted', shards: 2 } } }],
    [
      'that cascades from an end that cannot find it',
      'path.way',
      'e',
      ends,
      q,
      { by: { a: { as: 'none' } }, onDelete: { a: 'cascade' } },
    ],
    ['carrying from an unknown end', 'edge.carry', 'e', ends, q, { carry: { x: 'c.id' } }],
    ['carrying an unknown attribute', 'edge.carry', 'e', ends, q, { carry: { x: 'a.nope' } }],
    ['carrying a counter', 'edge.carry', 'e', ends, q, { carry: { x: { from: 'a.n', sync: 'eventual' } } }],
    ['carrying a mutable attribute', 'edge.carry.sync', 'e', ends, q, { carry: { x: 'a.free' } }],
    ['counting into a text', 'edge.into', 'e', ends, q, { count: { a: 'id' } }],
    ['summing a text', 'edge.count', 'e', ends, q, { sum: { a: { into: 'n', of: 'q' } } }],
    ['summing nothing', 'edge.count', 'e', ends, q, { sum: { a: { into: 'n' } } }],
    ['counting into a counter and a text', 'edge.into', 'e', ends, q, { count: { a: ['n', 'id'] } }],
    ['summing a list with a text', 'edge.count', 'e', ends, q, { sum: { a: [{ into: 'n', of: 'q' }] } }],
    ['counting into a nested list', 'call.argument', 'e', ends, q, { count: { a: [['n']] } }],
    ['embedding into a list of targets', 'call.argument', 'e', ends, q, { embed: { a: [{ into: 'list', max: 3 }] } }],
    ['with several sources of a copy', 'call.argument', 'e', ends, q, { carry: { x: ['a.id'] } }],
    ['embedding into a text', 'edge.into', 'e', ends, q, { embed: { a: { into: 'id', max: 3 } } }],
    ['embedding without a bound', 'edge.embed.max', 'e', ends, q, { embed: { a: { into: 'list' } } }],
    [
      'embedding an attribute that it does not have',
      'edge.embed',
      'e',
      ends,
      {},
      { embed: { a: { into: 'list', max: 3 } } },
    ],
    [
      'embedding a number for a text',
      'edge.embed',
      'e',
      ends,
      { q: integer() },
      { embed: { a: { into: 'list', max: 3 } } },
    ],
    [
      'embedding an optional attribute as a required member',
      'edge.embed',
      'e',
      ends,
      { q: string().optional() },
      { embed: { a: { into: 'list', max: 3 } } },
    ],
    ['that expires by an unknown attribute', 'option.attribute', 'e', ends, q, { expires: 'z' }],
    ['that expires by a text', 'option.attribute', 'e', ends, q, { expires: 'q' }],
    [
      'that expires and has a mirror',
      'option.expires',
      'e',
      ends,
      q,
      { expires: 'until', by: { b: { as: 'mirror' } } },
    ],
    [
      'that expires and is embedded',
      'option.expires',
      'e',
      ends,
      q,
      { expires: 'until', embed: { a: { into: 'list', max: 3 } } },
    ],
    [
      'that expires and is counted by transaction',
      'option.expires',
      'e',
      ends,
      q,
      { expires: 'until', count: { a: 'n' } },
    ],
    [
      'that expires and is counted by an unknown mode',
      'option.expires',
      'e',
      ends,
      q,
      { expires: 'until', count: { a: { into: 'n', by: 'streams' } } },
    ],
    [
      'that expires and is counted by transaction among others',
      'option.expires',
      'e',
      ends,
      q,
      { expires: 'until', count: { a: [{ into: 'm', by: 'stream' }, 'n'] } },
    ],
    [
      'that expires and is counted by an undefined mode',
      'option.expires',
      'e',
      ends,
      q,
      { expires: 'until', count: { a: { into: 'n', by: undefined } } },
    ],
    [
      'that expires and is summed by transaction',
      'option.expires',
      'e',
      ends,
      q,
      { expires: 'until', sum: { a: { into: 'n', of: 'w' } } },
    ],
    ['that is counted by transaction in a node that expires', 'option.expires', 'e', brief, q, { count: { a: 'n' } }],
    [
      'that is summed by transaction in a node that expires',
      'option.expires',
      'e',
      brief,
      q,
      { sum: { a: { into: 'n', of: 'w' } } },
    ],
    [
      'that is embedded in a node that expires',
      'option.expires',
      'e',
      brief,
      q,
      { embed: { a: { into: 'list', max: 3 } } },
    ],
    ['with an unknown option', 'option.unknown', 'e', ends, q, { one: 'a', cout: { a: 'n' } }],
    ['with an unknown option of an end', 'option.unknown', 'e', ends, q, { by: { a: { as: 'index', ordr: ['b'] } } }],
    ['with an unknown option of a copy', 'option.unknown', 'e', ends, q, { carry: { x: { from: 'a.id', snyc: 1 } } }],
    ['with an unknown option of a count', 'option.unknown', 'e', ends, q, { count: { a: { into: 'n', were: {} } } }],
    [
      'with an unknown option of one of several counts',
      'option.unknown',
      'e',
      ends,
      q,
      { count: { a: ['m', { into: 'n', were: {} }] } },
    ],
    [
      'with a count that has the option of a sum',
      'option.unknown',
      'e',
      ends,
      q,
      { count: { a: { into: 'n', of: 'w' } } },
    ],
    ['with an unknown option of a sum', 'option.unknown', 'e', ends, q, { sum: { a: { into: 'n', of: 'w', bi: 1 } } }],
    ['with an unknown option of an embed', 'option.unknown', 'e', ends, q, { embed: { a: { into: 'list', mx: 1 } } }],
    ['undirected with an unknown option', 'option.unknown', 'e', pair, q, { undirected: true, onDelte: {} }],
    ['undirected, sorted by a text', 'call.argument', 'e', pair, q, { undirected: true, by: { one: { order: 'q' } } }],
    ['of a tree between two types', 'edge.tree', 'e', ends, q, { tree: true, one: 'a' }],
    ['of a tree without its child end', 'edge.tree', 'e', pair, q, { tree: true }],
    ['undirected between two types', 'edge.undirected', 'e', ends, q, { undirected: true }],
    ['undirected with one of an end', 'edge.undirected', 'e', pair, q, { undirected: true, one: 'one' }],
    [
      'undirected with copies of an end',
      'edge.undirected',
      'e',
      pair,
      q,
      { undirected: true, carry: { x: 'one.fixed' } },
    ],
    [
      'undirected with options of its second end',
      'edge.undirected',
      'e',
      pair,
      q,
      { undirected: true, count: { other: 'n' } },
    ],
    [
      'undirected with options of both ends',
      'edge.undirected',
      'e',
      pair,
      q,
      { undirected: true, by: { one: {}, other: {} } },
    ],
    ['undirected with options of an unknown end', 'edge.end', 'e', pair, q, { undirected: true, by: { third: {} } }],
  ])('an edge is rejected %s', (_, code, name, joined, attributes, options) => {
    expect(codeOf(() => loosely(name, joined, attributes, options))).toBe(code)
  })

  it('an expiring edge is accepted if the stream counts it and maintains its mirror', () => {
    const count = { a: { into: 'n', by: 'stream' } }
    const by = { b: { as: 'mirror' } }
    expect(codeOf(() => loosely('e', ends, q, { expires: 'until', count }))).toBeUndefined()
    expect(codeOf(() => loosely('e', ends, q, { expires: 'until', count, by }))).toBeUndefined()
    expect(codeOf(() => loosely('e', ends, q, { expires: 'until', by }))).toBe('option.expires')
    expect(codeOf(() => loosely('e', brief, q, { count }))).toBeUndefined()
  })
})
