import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeTemplate } from '../../../src/layout/keys/encode-template.js'
import type { KeyTemplate, KeyTemplateOptions } from '../../../src/layout/keys/template.js'
import { layout } from '../../../src/layout/layout.js'
import { characterSetOf, toAutomaton } from '../../../src/layout/proof/automaton.js'
import { keyAutomatonOf } from '../../../src/layout/proof/key-automata.js'
import { assertLayout, proveLayout } from '../../../src/layout/proof/layout-proof.js'
import { type KeyQuery, type KeySpace, proveKeySpaces } from '../../../src/layout/proof/prove.js'
import { findSharedText } from '../../../src/layout/proof/text-search.js'
import { edge, graph, node, string } from '../declarations.js'
import { made, named, sample, settle, tuplesOf } from '../keys/templates.js'
import { KINDS, part } from '../keys/value-kinds.js'

type Sources = Readonly<Record<string, readonly [partition: string, sort: string]>>

/** A table of these kinds. The tails of its templates are escaped as in a layout. */
function table(sources: Sources, options: Partial<KeyTemplateOptions> = {}): KeySpace {
  const kinds = Object.keys(sources)
  const settled = (side: 0 | 1) => settle(kinds.map(kind => made(sources[kind]![side], options)))
  const [partitions, sorts] = [settled(0), settled(1)]
  return {
    name: 'the table',
    unique: true,
    kinds: kinds.map((kind, index) => ({ kind, partition: partitions[index]!, sort: sorts[index]! })),
    queries: [],
  }
}

/** A table of these kinds, and a read of one kind that gives `slotCount` slots of its sort key. */
function read(space: KeySpace, kind: string, slotCount: number): KeySpace {
  const { partition, sort } = space.kinds.find(one => one.kind === kind)!
  const query: KeyQuery = { path: `${kind}.by`, kinds: [kind], partition, sort, slotCount }
  return { ...space, queries: [...space.queries, query] }
}

const found = (space: KeySpace) => proveKeySpaces([space]).map(({ code, details }) => [code, ...details.kinds])

describe('the proof of the sample tables', () => {
  const seeds: Record<string, Sources> = {
    'movies, actors and roles': {
      movie: ['MOVIE#{movie}', 'MOVIE#{movie}'],
      actor: ['ACTOR#{actor}', 'ACTOR#{actor}'],
      role: ['MOVIE#{movie}', 'ACTOR#{actor}'],
    },
    'users and followings': {
      user: ['USER#{name}', 'USER#{name}'],
      follow: ['USER#{follower}', 'FOLLOWING#{followee}'],
    },
    'customers and orders': {
      customer: ['CUSTOMER#{id}', 'CUSTOMER#{id}'],
      order: ['CUSTOMER#{customer}', 'ORDER#{no}'],
    },
    'students, classes and homes': {
      student: ['STUDENT#{student}', 'STUDENT#{student}'],
      takes: ['STUDENT#{student}', 'TEACHER#{teacher}#CLASS#{class}'],
      home: ['STUDENT#{student}', 'HOME#{country}#{state}#{city}'],
    },
    'invoices, customers and bills': {
      customer: ['C#{id}', 'C#{id}'],
      invoice: ['I#{invoice}', 'root'],
      bill: ['B#{bill}', 'B#{bill}'],
      billedTo: ['I#{invoice}', 'C#{customer}'],
      contains: ['I#{invoice}', 'B#{bill}'],
    },
    'state, city and zip': { shop: ['{country}', '{state}#{city}#{zip}'] },
  }

  test.each(Object.entries(seeds))(
    'the proof accepts the sample table %s with every kind read alone, encoded and raw',
    (_, sources) => {
      for (const raw of [false, true]) {
        const space = Object.keys(sources).reduce((all, kind) => read(all, kind, 0), table(sources, { raw }))
        expect(proveKeySpaces([space])).toEqual([])
      }
    },
  )

  test('the proof accepts the inverted index of the bills with a constant sort key', () => {
    const { kinds } = table(seeds['invoices, customers and bills']!)
    const turned = kinds.map(({ kind, partition, sort }) => ({ kind, partition: sort, sort: partition }))
    const index: KeySpace = { name: 'GSI_1', unique: false, kinds: turned, queries: [] }
    expect(found(read(index, 'billedTo', 0))).toEqual([])
  })
})

describe('collisions', () => {
  const users = table({ user: ['USER#{name}', 'USER#{name}'], follow: ['USER#{from}', 'USER#{to}'] })

  test('a collision of a user with the edge from a user to itself is found with example values', () => {
    const [finding] = proveKeySpaces([users])
    expect(finding).toMatchObject({
      code: 'key.collision',
      details: {
        kinds: ['user', 'follow'],
        example: {
          texts: ['USER#a', 'USER#a'],
          left: { name: 'a' },
          right: { from: 'a', to: 'a' },
          isCertain: true,
        },
      },
    })
    expect(finding!.message).toBe(
      'the table: items of user and follow can have the same key, because "USER#a" / "USER#a" is name "a" as user and from "a", to "a" as follow; begin one of the keys differently.',
    )
  })

  test('a collision is thrown with its code, both kinds and the example', () => {
    const user = node('user', { name: string() }, { id: 'name' })
    const follow = edge('follow', { from: user, to: user })
    const keys = {
      user: { PK: 'USER#{name}', SK: 'USER#{name}' },
      follow: { PK: 'USER#{from}', SK: 'USER#{to}' },
    } as const
    expect(() => assertLayout(layout(graph('users', [user, follow]), { keys }))).toThrow(
      expect.objectContaining({
        code: 'key.collision',
        details: expect.objectContaining({ kinds: ['user', 'follow'] }),
      }),
    )
  })

  test('a shared key in an index is not a collision', () => {
    expect(proveKeySpaces([{ ...users, unique: false }])).toEqual([])
  })

  test('a collision of a slot with a constant is found', () => {
    expect(found(table({ a: ['A#{x}', 'root'], b: ['A#{x}', '{y}'] }))).toEqual([['key.collision', 'a', 'b']])
  })

  test('a collision of an unescaped last part with a longer template is found', () => {
    const kinds = (sorts: KeyTemplate[]) =>
      ['a', 'b'].map((kind, index) => ({ kind, partition: made('P'), sort: sorts[index]! }))
    const sorts = [made('A#{x}'), made('A#{x}#B#{y}')]
    const space = { name: 'the table', unique: true, queries: [] }
    expect(found({ ...space, kinds: kinds(sorts) })).toEqual([['key.collision', 'a', 'b']])
    expect(found({ ...space, kinds: kinds(settle(sorts)) })).toEqual([])
  })

  test('a collision of some values of two choices is found', () => {
    const space = (values: string[]) => ({
      ...table({}),
      kinds: [
        { kind: 'a', partition: made('P'), sort: made('{word}#{x}', {}, { word: part('oneOf', { values }) }) },
        { kind: 'b', partition: made('P'), sort: made('C#{x}') },
      ],
    })
    expect(found(space(['A', 'B']))).toEqual([])
    expect(found(space(['A', 'C']))).toEqual([['key.collision', 'a', 'b']])
  })

  test('a collision without agreeing values is marked as uncertain', () => {
    const [finding] = proveKeySpaces([table({ a: ['X#{v}', '{v}'], b: ['X#1', '2'] })])
    expect(finding).toMatchObject({ code: 'key.collision', details: { example: { isCertain: false } } })
  })
})

describe('ambiguous keys', () => {
  test('adjacent slots of a raw template are ambiguous', () => {
    expect(found(table({ a: ['{x}{y}', 'root'] }, { raw: true }))).toEqual([['key.ambiguous', 'a', 'a']])
  })

  test('adjacent slots are not ambiguous if the first has a fixed length', () => {
    const sort = made('{n}{y}', { raw: true }, { n: part('integer', { range: { min: 0, max: 999 } }) })
    expect(found({ ...table({}), kinds: [{ kind: 'a', partition: made('P'), sort }] })).toEqual([])
  })

  test('encoded templates are never ambiguous', () => {
    for (const kind of ['string', 'number', 'date', 'boolean', 'binary', 'ulid'] as const) {
      const sort = made('A#{x}#{y}#B', {}, { x: part(kind), y: part(kind) })
      expect(found(read({ ...table({}), kinds: [{ kind, partition: made('P'), sort }] }, kind, 0))).toEqual([])
    }
  })
})

describe('mixed reads', () => {
  const school = table({
    student: ['STUDENT#{student}', 'STUDENT#{student}'],
    takes: ['STUDENT#{student}', '{teacher}#CLASS#{class}'],
  })

  test('a read that can return another kind of the partition is found', () => {
    expect(found(read(school, 'takes', 0))).toEqual([['key.mixed', 'takes', 'student']])
  })

  test('a read whose given part excludes the other kind is accepted', () => {
    expect(found(read(school, 'student', 1))).toEqual([])
  })

  test('a read whose open range ends at the key of another kind is found', () => {
    expect(found(read(table({ a: ['P', 'A#{x}'], b: ['P', 'A$'] }), 'a', 0))).toEqual([['key.mixed', 'a', 'b']])
    expect(found(read(table({ a: ['P', 'A#{x}'], b: ['P', 'A%'] }), 'a', 0))).toEqual([])
  })

  test('a read whose given part is a prefix of another value is found', () => {
    const space = { ...table({}), kinds: [{ kind: 'a', partition: made('P'), sort: made('{x}{y}', { raw: true }) }] }
    expect(found(read(space, 'a', 1))).toContainEqual(['key.mixed', 'a', 'a'])
  })

  test('a read of a partition without the other kind is accepted', () => {
    expect(found(read(table({ a: ['A#{x}', '{y}'], b: ['B#{x}', '{y}'] }), 'a', 0))).toEqual([])
  })
})

describe('the texts that the proof covers', () => {
  const exact = (text: string) =>
    toAutomaton({ all: Array.from(text, one => ({ one: characterSetOf(one), owner: undefined })) })
  const drawn = sample.chain(one => tuplesOf(one, 1).map(([tuple]) => ({ one, values: named(tuple!) })))

  test('the proof covers every key of an encoded template', () => {
    fc.assert(
      fc.property(drawn, ({ one, values }) => {
        fc.pre(one.template.literals.join('') !== '')
        const text = encodeTemplate(one.template, values)
        expect(findSharedText(keyAutomatonOf(one.template), exact(text))?.text).toBe(text)
      }),
    )
  })

  test.each(Object.entries(KINDS))(
    'the proof covers every key of a raw template with a %s, folded or not',
    (_, { part, values }) => {
      fc.assert(
        fc.property(values, fc.constantFrom(undefined, 'upper', 'lower'), (value, fold) => {
          const template = made('A#{x}', { raw: true, fold }, { x: part })
          const text = encodeTemplate(template, { x: value })
          expect(findSharedText(keyAutomatonOf(template), exact(text))?.text).toBe(text)
        }),
      )
    },
  )
})

describe('the layout of a graph', () => {
  const user = node('user', { id: string() }, { id: 'id' })
  const knows = edge('knows', { one: user, other: user }, {}, { undirected: true })
  const undirected = graph('people', [user, knows, edge('likes', { who: user, whom: user })])
  const codes = (mirror: object) =>
    proveLayout(layout(undirected, { keys: { knows: { mirror } } } as never)).map(({ code, details }) => [
      code,
      ...details.kinds,
    ])

  test('the proof accepts mirrors of undirected edges with swapped keys or custom keys', () => {
    expect(codes({})).toEqual([])
    expect(codes({ PK: 'user#{other}', SK: 'knows#{one}' })).toEqual([])
    expect(codes({ PK: 'user#{other}', SK: 'KNOWN#{one}' })).toEqual([])
    expect(codes({ PK: 'user#{other}', SK: 'likes#{one}' })).toContainEqual(['key.collision', 'knows.other', 'likes'])
    // One read returns both halves, and each half has its own keys.
    expect(codes({ PK: 'user#{other}', SK: 'knows#{one}#B' })).toContainEqual(['key.mixed', 'knows', 'knows.other'])
  })

  test('the proof accepts an inverted index with tenants', () => {
    const options = { by: { followee: { as: 'inverted' } } } as const
    const follow = edge('follow', { follower: user, followee: user }, {}, options)
    expect(proveLayout(layout(graph('people', [user, follow], { tenant: true })))).toEqual([])
  })

  test('the proof accepts an end named tenant', () => {
    const by = { tenant: { as: 'none' } } as const
    const lets = edge('lets', { owner: user, tenant: user }, {}, { by })
    const sells = edge('sells', { owner: user, to: user }, { what: string() }, { key: ['what'] })
    const keys = {
      lets: { PK: 'user#{owner}', SK: 'deal#{tenant}#let' },
      sells: { PK: 'user#{owner}', SK: 'deal#{to}#sold#{what}' },
    } as const
    const findings = proveLayout(layout(graph('deals', [user, lets, sells]), { keys }))
    expect(findings.map(({ message }) => message).join()).toContain(
      'lets.by.owner: its read in the table can also return sells',
    )
  })

  test('the proof accepts a local index and an index with one key attribute', () => {
    const order = { no: string(), a: string(), b: string() }
    const owned = node('order', order, { id: 'no', within: user, by: { ab: { as: 'local', order: ['a', 'b'] } } })
    const bill = node('bill', order, { id: 'no', within: user, by: { ab: { as: 'local', order: ['a', 'b'] } } })
    const local = (raw: boolean, orders: string, bills: string) =>
      proveLayout(
        layout(graph('shop', [user, owned, bill]), {
          raw,
          keys: {
            user: { PK: 'U#{id}', SK: 'U' },
            order: { PK: 'U#{user}', SK: 'O#{no}', LSI1SK: orders },
            bill: { PK: 'U#{user}', SK: 'B#{no}', LSI1SK: bills },
          },
        } as never),
      ).map(({ code, details }) => [code, details.space, ...details.kinds])
    expect(local(false, 'O#{a}#{b}#{no}', 'B#{a}#{b}#{no}')).toEqual([])
    expect(local(false, '{a}#{b}#{no}', '{a}#{b}#{no}')).toEqual([
      ['key.mixed', 'the index LSI1', 'order', 'bill'],
      ['key.mixed', 'the index LSI1', 'bill', 'order'],
    ])
    // A read of a: 'x' would also return the rows of a: 'xy'.
    expect(local(true, 'O#{a}{b}#{no}', 'B#{a}#{b}#{no}')).toEqual([
      ['key.ambiguous', 'the index LSI1', 'order', 'order'],
      ['key.mixed', 'the index LSI1', 'order', 'order'],
    ])
    const single = node('order', order, { id: 'no', by: { ab: { in: ['a', 'b'] } } })
    const made = layout(graph('shop', [single]), {
      raw: true,
      indexes: { byAb: { keys: ['X'] } },
      keys: { order: { PK: 'O#{no}', SK: 'O', X: '{a}{b}' } },
    })
    expect(proveLayout(made).map(({ code }) => code)).toEqual(['key.ambiguous'])
  })
})
