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
// Untyped, because the options are composed from parts.
const rates = (options: object) => edge('rates', { user, movie }, attributes, options as never)
const made = (options: object) => layout(graph('g', [user, movie, rates(options)]))
const waysOf = (options: object) =>
  made(options).accesses.map(({ name, method, consistent }) => [name, method, consistent] as const)

describe('an end with data derived by the stream', () => {
  it('an end with stream counters is read from the table, if necessary by a mirror', () => {
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

  it('an end with stream counters and a custom order gets the mirror', () => {
    const options = { count: { user: stream('rated') }, by: { user: { order: ['at'] } } }
    expect(waysOf(options)).toEqual([
      ['movie', 'adjacent', true],
      ['user', 'mirror', true],
    ])
  })

  it.each(['index', 'inverted', 'native', 'none'])('an end with stream counters is rejected with access %s', as => {
    const options = { count: { movie: stream('fans') }, by: { movie: { as } } }
    expect(() => made(options)).toThrow(
      expect.objectContaining({ code: 'path.way', details: { type: 'rates', name: 'movie' } }),
    )
  })

  it('stream counters at two ends with custom orders are rejected without a mirror', () => {
    const order = ['at']
    const options = { count: { user: stream('rated') }, by: { user: { order }, movie: { order, as: 'index' } } }
    expect(() => made(options)).toThrow(expect.objectContaining({ code: 'path.way' }))
  })

  it('stream counters need a stream, and every table has a TTL', () => {
    const { design } = made({ count: { movie: stream('fans') } })
    expect([design.stream, design.expires]).toEqual(['both', '_expires'])
    expect([made({}).design.stream, made({}).design.expires]).toEqual(['none', '_expires'])
  })
})

describe('a mutable copy', () => {
  it('a mutable copy is rejected in a key, because the item would have to move', () => {
    const carried = graph('g', [user, movie, rates({ carry: { t: { from: 'user.name', sync: 'eventual' } } })])
    expect(() => layout(carried, { keys: { rates: { PK: 'user#{user}', SK: 'rates#{movie}#{t}' } } } as never)).toThrow(
      expect.objectContaining({ code: 'key.slot' }),
    )
  })
})

describe('the fingerprint', () => {
  it('the fingerprint changes with the filter and the mode of a counter', () => {
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

describe('the contribution of an edge item to its node', () => {
  const both = made({
    count: { user: stream('rated'), movie: { ...stream('fans'), where: { stars: [4, 5], kind: 'film' } } },
    sum: { user: { ...stream('stars'), of: 'stars' } },
  })
  const added = (kind: string, row: object) => {
    const example = { rates: [{ user: 'u', movie: 'm', at: new Date(0), ...row }] }
    const { item } = itemsOf(both, example).find(each => each.kind === kind)!
    return counterContributionOf(both, kindByName(both, kind), valuesOf(both, kindByName(both, kind), item))
  }

  it("an edge item counts at the end where it is stored, if it matches the counter's filter", () => {
    expect(added('rates', { stars: 5, kind: 'film' })).toEqual({ rated: { N: '1' }, stars: { N: '5' } })
    expect(added('rates.movie', { stars: 5, kind: 'film' })).toEqual({ fans: { N: '1' } })
    expect(added('rates.movie', { stars: 3, kind: 'film' })).toEqual({})
    expect(added('rates.movie', { stars: 5 })).toEqual({})
    expect(added('rates', { stars: 0 })).toEqual({ rated: { N: '1' } })
  })

  it('the contribution of an edge depends on the summed attribute and on the filter', () => {
    expect(contributingNamesOf(both, kindByName(both, 'rates'))).toEqual(['stars'])
    expect(contributingNamesOf(both, kindByName(both, 'rates.movie'))).toEqual(['stars', 'kind'])
  })

  it('a self-loop on an undirected edge is counted twice', () => {
    const knows = edge('knows', { one: user, other: user }, {}, { undirected: true, count: { one: stream('rated') } })
    const loops = layout(graph('g', [user, knows]))
    const values = (one: string, other: string) => ({ one: { S: one }, other: { S: other } })
    expect(counterContributionOf(loops, kindByName(loops, 'knows'), values('a', 'a'))).toEqual({ rated: { N: '2' } })
    for (const kind of ['knows', 'knows.other'])
      expect(counterContributionOf(loops, kindByName(loops, kind), values('a', 'b'))).toEqual({ rated: { N: '1' } })
  })

  it('each item of an undirected self-loop is counted once if the mirror has a custom key', () => {
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

describe('an undirected edge with a custom order', () => {
  const at = { at: date() }
  const knows = (options: object) =>
    edge('knows', { one: user, other: user }, at, { undirected: true, ...options } as { undirected: true })

  it('a stream counter of an undirected edge with a custom order is rejected with usable advice', () => {
    const made = (options: object) => () => layout(graph('g', [user, knows(options)]))
    const advice = "drop 'order' and 'as' of by.one, or count by transaction"
    expect(made({ by: { one: { order: ['at'] } }, count: { one: stream('rated') } })).toThrow(advice)
    expect(made({ by: { one: { as: 'index' } }, count: { one: stream('rated') } })).toThrow(advice)
    expect(made({ count: { one: stream('rated') } })).not.toThrow()
    expect(made({ by: { one: { order: ['at'] } }, count: { one: 'rated' } })).not.toThrow()
  })
})

describe('filtered counters', () => {
  it('a filtered counter counts the edges that have one of the values', () => {
    const some = made({ count: { user: { into: 'rated', where: { stars: [4, 5] } } } })
    const rows = [3, 4, 5].map(stars => ({ user: 'u', movie: `m${stars}`, stars, at: new Date(0) }))
    const [item] = itemsOf(some, { user: [{ id: 'u', name: 'U' }], rates: rows })
    expect(item!.item.rated).toEqual({ N: '2' })
  })
})

describe('a path that is sorted by a counter', () => {
  it('a path sorted by a counter uses an index of the counter, which contains every new node', () => {
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

  it('the key of a tombstone begins with the prefix that is queried for its side item', () => {
    const [at, side] = [key('user#a', '#'), key('user#a', 'rates#b')]
    const { partition, prefix } = tombstoneLocation(users, at, side)
    const made = tombstoneKey(users, at, side, 'mark')
    expect(made).toEqual(key('$gone#user$#a##', 'rates$#b#mark'))
    expect([made.PK!.S, made.SK!.S!.startsWith(prefix)]).toEqual([partition, true])
    expect(tombstonePartition(users, at)).toBe(partition)
  })

  it("the key of a tombstone fits into a sort key for any length of the node's and the side item's keys", () => {
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
