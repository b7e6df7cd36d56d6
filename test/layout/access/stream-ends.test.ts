import { describe, expect, it } from 'vitest'
import { PARTITION_KEY_BYTES, SORT_KEY_BYTES } from '../../../src/dynamodb/limits.js'
import { countUtf8Bytes } from '../../../src/dynamodb/size.js'
import { tombstoneKey, tombstoneLocation, tombstonePartition } from '../../../src/layout/items/internal-items.js'
import { itemsOf } from '../../../src/layout/items/items.js'
import { layout } from '../../../src/layout/layout.js'
import { proveLayout } from '../../../src/layout/proof/layout-proof.js'
import { kindByName } from '../../../src/plan/identity.js'
import { valuesOf } from '../../../src/plan/row.js'
import { contributingNamesOf, counterContributionOf } from '../../../src/plan/write/effects/stream-counters.js'
import { counter, date, edge, graph, integer, node, string } from '../declarations.js'

const user = node('user', { id: string(), name: string(), rated: counter(), stars: counter() }, { id: 'id' })
const movie = node('movie', { id: string(), title: string(), fans: counter() }, { id: 'id' })
const attributes = { stars: integer(), at: date(), kind: string().optional() }
const stream = <T extends string>(into: T) => ({ into, by: 'stream' }) as const
// Made from parts, options have no types that are worth having.
const rates = (options: object) => edge('rates', { user, movie }, attributes, options as never)
const made = (options: object) => layout(graph('g', [user, movie, rates(options)]))
const waysOf = (options: object) =>
  made(options).accesses.map(({ name, method, consistent }) => [name, method, consistent] as const)

describe('an end whose edges the stream counts, or copies from', () => {
  it('is read from the table itself, by a mirror where the edge does not lie there', () => {
    expect(waysOf({})).toContainEqual(['movie', 'index', false])
    expect(waysOf({ count: { user: stream('rated') } })).toContainEqual(['movie', 'index', false])
    expect(waysOf({ count: { movie: stream('fans') } })).toContainEqual(['movie', 'mirror', true])
    expect(waysOf({ carry: { t: { from: 'movie.title', sync: 'eventual' } } })).toContainEqual([
      'movie',
      'mirror',
      true,
    ])
    expect(proveLayout(made({ count: { movie: stream('fans') } }))).toEqual([])
  })

  it('has the mirror itself where it is sorted by something of the edge', () => {
    const options = { count: { user: stream('rated') }, by: { user: { order: ['at'] } } }
    expect(waysOf(options)).toEqual([
      ['movie', 'adjacent', true],
      ['user', 'mirror', true],
    ])
  })

  it.each(['index', 'inverted', 'native', 'none'])('is refused where it says %s', as => {
    const options = { count: { movie: stream('fans') }, by: { movie: { as } } }
    expect(() => made(options)).toThrow(
      expect.objectContaining({ code: 'path.way', details: { type: 'rates', name: 'movie' } }),
    )
  })

  it('is refused where both ends sort by something of the edge and neither is a mirror', () => {
    const order = ['at']
    const options = { count: { user: stream('rated') }, by: { user: { order }, movie: { order, as: 'index' } } }
    expect(() => made(options)).toThrow(expect.objectContaining({ code: 'path.way' }))
  })

  it('has a table with a stream; a time to live every table has, for receipts and what is spent', () => {
    const { design } = made({ count: { movie: stream('fans') } })
    expect([design.stream, design.expires]).toEqual(['both', '_expires'])
    expect([made({}).design.stream, made({}).design.expires]).toEqual(['none', '_expires'])
  })
})

describe('a copy that can change', () => {
  it('is not in the key of an item, which would have to move', () => {
    const carried = graph('g', [user, movie, rates({ carry: { t: { from: 'user.name', sync: 'eventual' } } })])
    expect(() => layout(carried, { keys: { rates: { PK: 'user#{user}', SK: 'rates#{movie}#{t}' } } } as never)).toThrow(
      expect.objectContaining({ code: 'key.slot' }),
    )
  })
})

describe('the fingerprint', () => {
  it('is another where a counter is of other edges, or is kept by another', () => {
    const prints = [
      { count: { user: 'rated' } },
      { count: { user: stream('rated') } },
      { count: { user: { into: 'rated', where: { stars: 5 } } } },
      { count: { user: { into: 'rated', where: { stars: [4, 5] } } } },
    ].map(options => made(options).fingerprint)
    expect(new Set(prints).size).toBe(4)
    expect(made({ count: { user: { into: 'rated', by: 'transaction' } } }).fingerprint).toBe(prints[0])
  })
})

describe('what an item adds to its node', () => {
  const both = made({
    count: { user: stream('rated'), movie: { ...stream('fans'), where: { stars: [4, 5], kind: 'film' } } },
    sum: { user: { ...stream('stars'), of: 'stars' } },
  })
  const added = (kind: string, row: object) => {
    const example = { rates: [{ user: 'u', movie: 'm', at: new Date(0), ...row }] }
    const { item } = itemsOf(both, example).find(each => each.kind === kind)!
    return counterContributionOf(both, kindByName(both, kind), valuesOf(both, kindByName(both, kind), item))
  }

  it('is of the end where it lies, if it is what the counter is of', () => {
    expect(added('rates', { stars: 5, kind: 'film' })).toEqual({ rated: { N: '1' }, stars: { N: '5' } })
    expect(added('rates.movie', { stars: 5, kind: 'film' })).toEqual({ fans: { N: '1' } })
    expect(added('rates.movie', { stars: 3, kind: 'film' })).toEqual({})
    expect(added('rates.movie', { stars: 5 })).toEqual({})
    expect(added('rates', { stars: 0 })).toEqual({ rated: { N: '1' } })
  })

  it('is decided by what is summed and what is asked of it', () => {
    expect(contributingNamesOf(both, kindByName(both, 'rates'))).toEqual(['stars'])
    expect(contributingNamesOf(both, kindByName(both, 'rates.movie'))).toEqual(['stars', 'kind'])
  })

  it('is twice of an undirected edge of a node with itself', () => {
    const knows = edge('knows', { one: user, other: user }, {}, { undirected: true, count: { one: stream('rated') } })
    const loops = layout(graph('g', [user, knows]))
    const values = (one: string, other: string) => ({ one: { S: one }, other: { S: other } })
    expect(counterContributionOf(loops, kindByName(loops, 'knows'), values('a', 'a'))).toEqual({ rated: { N: '2' } })
    for (const kind of ['knows', 'knows.other'])
      expect(counterContributionOf(loops, kindByName(loops, kind), values('a', 'b'))).toEqual({ rated: { N: '1' } })
  })

  it('is once of each of its items where its mirror is given another key', () => {
    const knows = edge('knows', { one: user, other: user }, {}, { undirected: true, count: { one: stream('rated') } })
    const apart = layout(graph('g', [user, knows]), { keys: { knows: { mirror: { SK: 'KNOWN#{one}' } } } })
    const items = itemsOf(apart, { user: [{ id: 'a', name: 'A' }], knows: [{ one: 'a', other: 'a' }] })
    expect(items.map(({ kind, item }) => [kind, item.SK?.S])).toEqual([
      ['user', '#'],
      ['knows', 'knows#a'],
      ['knows.other', 'KNOWN#a'],
    ])
    expect(items[0]!.item.rated).toEqual({ N: '2' })
    for (const kind of ['knows', 'knows.other'])
      expect(counterContributionOf(apart, kindByName(apart, kind), { one: { S: 'a' }, other: { S: 'a' } })).toEqual({
        rated: { N: '1' },
      })
  })
})

describe('an undirected edge in an order of its own', () => {
  const at = { at: date() }
  const knows = (options: object) =>
    edge('knows', { one: user, other: user }, at, { undirected: true, ...options } as { undirected: true })

  it('is refused a counter by the stream, with advice that can be followed', () => {
    const made = (options: object) => () => layout(graph('g', [user, knows(options)]))
    const advice = "drop 'order' and 'as' of by.one, or count by transaction"
    expect(made({ by: { one: { order: ['at'] } }, count: { one: stream('rated') } })).toThrow(advice)
    expect(made({ by: { one: { as: 'index' } }, count: { one: stream('rated') } })).toThrow(advice)
    expect(made({ count: { one: stream('rated') } })).not.toThrow()
    expect(made({ by: { one: { order: ['at'] } }, count: { one: 'rated' } })).not.toThrow()
  })
})

describe('counters of some edges', () => {
  it('are of those that have one of the values', () => {
    const some = made({ count: { user: { into: 'rated', where: { stars: [4, 5] } } } })
    const rows = [3, 4, 5].map(stars => ({ user: 'u', movie: `m${stars}`, stars, at: new Date(0) }))
    const [item] = itemsOf(some, { user: [{ id: 'u', name: 'U' }], rates: rows })
    expect(item!.item.rated).toEqual({ N: '2' })
  })
})

describe('a path that is sorted by a counter', () => {
  it('is an index of the counter itself, in which every node is from the beginning', () => {
    const team = node(
      'team',
      { id: string(), league: string(), points: counter() },
      { id: 'id', by: { rank: { in: ['league'], order: ['points'] } } },
    )
    const ranked = layout(graph('g', [team]))
    expect(ranked.design.indexes).toMatchObject([
      { name: 'team_rank', partition: ['_type', 'league'], sort: ['points', 'id'] },
    ])
    expect(ranked.design.attributes).toMatchObject({ points: 'N' })
    const [item] = itemsOf(ranked, { team: [{ id: 't', league: 'x' }] })
    expect(item!.item).toMatchObject({ points: { N: '0' }, id: { S: 't' }, league: { S: 'x' } })
  })
})

describe('the key of a tombstone', () => {
  const users = layout(graph('g', [user]))
  const key = (partition: string, sort: string) => ({ PK: { S: partition }, SK: { S: sort } })

  it('begins with what is looked for beside a side item', () => {
    const [at, side] = [key('user#a', '#'), key('user#a', 'rates#b')]
    const { partition, prefix } = tombstoneLocation(users, at, side)
    const made = tombstoneKey(users, at, side, 'mark')
    expect(made).toEqual(key('$gone#user$#a##', 'rates$#b#mark'))
    expect([made.PK!.S, made.SK!.S!.startsWith(prefix)]).toEqual([partition, true])
    expect(tombstonePartition(users, at)).toBe(partition)
  })

  it('fits, however long those of the node and of the side item are, as what an inverted index sorts by too', () => {
    for (const partitionBytes of [SORT_KEY_BYTES / 2, PARTITION_KEY_BYTES])
      for (const tenant of [undefined, 'ü#'.repeat(100)]) {
        const long = key('#'.repeat(partitionBytes), 's'.repeat(SORT_KEY_BYTES))
        const made = tombstoneKey(users, { ...long, SK: { S: '#' } }, long, 'm'.repeat(40), tenant)
        expect(countUtf8Bytes(made.PK!.S!)).toBeLessThanOrEqual(SORT_KEY_BYTES)
        expect(countUtf8Bytes(made.SK!.S!)).toBeLessThanOrEqual(SORT_KEY_BYTES)
        expect(made).not.toEqual(tombstoneKey(users, long, long, 'm'.repeat(40), tenant))
      }
  })
})
