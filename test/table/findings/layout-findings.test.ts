import { describe, expect, it, test } from 'vitest'
import { type Layout, layout } from '../../../src/layout/layout.js'
import { proveLayout } from '../../../src/layout/proof/layout-proof.js'
import { planCollect } from '../../../src/plan/read/collect.js'
import { withPartitionCounts } from '../../../src/table/findings/few-partitions.js'
import { findings } from '../../../src/table/findings/findings.js'
import {
  boolean,
  counter,
  date,
  edge,
  embedded,
  graph,
  integer,
  node,
  oneOf,
  string,
} from '../../layout/declarations.js'

const user = node('user', { id: string() }, { id: 'id' })
const follows = edge('follows', { from: user, to: user })
const likes = edge('likes', { who: user, what: user })
const chief = edge('chief', { who: user, of: user }, {}, { one: 'who' })
const post = node('post', { no: string() }, { id: 'no', within: user, onDelete: 'leave' })
const social = graph('social', [user, follows, likes, chief, post])
const tenants = graph('social', [user, follows, likes, chief, post], { tenant: true })

const PARTS = {
  follows: { type: 'follows', path: 'from' },
  likes: { type: 'likes', path: 'who' },
  chief: { type: 'chief', path: 'who' },
  post: { type: 'post', path: 'user' },
} as const

/** Every order of the five kinds in a partition. */
function orders(names: readonly string[]): string[][] {
  if (names.length < 2) return [[...names]]
  return names.flatMap(name => orders(names.filter(other => other !== name)).map(rest => [name, ...rest]))
}

function keysOf(order: readonly string[]) {
  const at = (name: string) => `${order.indexOf(name)}`
  return {
    keys: {
      user: { PK: 'U#{id}', SK: `${at('user')}#` },
      follows: { SK: `${at('follows')}#{to}` },
      likes: { SK: `${at('likes')}#{what}` },
      chief: { SK: at('chief') },
      post: { SK: `${at('post')}#{no}` },
    },
  }
}

const laidOut = (order: readonly string[]) => layout(social, keysOf(order))

describe('a collect that custom keys split', () => {
  test.each(
    orders(['user', ...Object.keys(PARTS)])
      .filter((_, at) => at % 5 === 0)
      .map(order => [order.join()]),
  )('a split collect is a finding exactly if its plan has more than one request: %s', joined => {
    const made = laidOut(joined.split(','))
    expect(proveLayout(made)).toEqual([])
    const found = findings(made)
    expect(found.every(({ code, kind }) => code === 'collection.split' && kind === 'user')).toBe(true)
    const told = (words: string) => found.filter(({ message }) => message.includes(words)).length
    for (const [name, part] of Object.entries(PARTS)) {
      const requests = (more = {}) => planCollect(made, 'user', 'u', { part: { ...part, ...more } }).steps.length
      expect(told(` can sort between the node and its ${name}: `), name).toBe(requests() - 1)
      if (requests() > 1 || name === 'chief') continue
      expect(told(`In a partition of user, the node sorts after its ${name}: `), name).toBe(requests({ limit: 3 }) - 1)
      if (requests({ limit: 3 }) > 1) expect(requests({ limit: 3, reverse: true }), name).toBe(1)
    }
  })

  it('the finding for a split collect names the kinds between and the advice', () => {
    const made = laidOut(['follows', 'likes', 'chief', 'user', 'post'])
    expect(findings(made).map(({ message }) => message)).toEqual([
      'In a partition of user, likes and chief can sort between the node and its follows: collect() reads the two by one Query only if it is asked for all of them, and else gets the node by a request of its own. Give them sort keys next to each other.',
      'In a partition of user, chief can sort between the node and its likes: collect() reads the two by one Query only if it is asked for all of them, and else gets the node by a request of its own. Give them sort keys next to each other.',
    ])
    const all = { follows: PARTS.follows, likes: PARTS.likes, chief: PARTS.chief }
    expect(planCollect(made, 'user', 'u', all).steps).toHaveLength(1)
    const behind = findings(laidOut(['post', 'follows', 'user', 'chief', 'likes']))
    expect(behind.map(({ message }) => message)).toContain(
      'In a partition of user, the node sorts after its follows: collect() with a limit reads both by one Query only in reverse, and else gets the node by a request of its own. Give it a sort key before theirs.',
    )
  })

  it('a split collect is found with tenants too, and never for default keys', () => {
    const order = ['likes', 'follows', 'user', 'post', 'chief']
    expect(findings(layout(tenants, keysOf(order)))).toEqual(findings(laidOut(order)))
    expect(findings(layout(social))).toEqual([])
    expect(findings(layout(tenants))).toEqual([])
  })

  it('a split collect is found if a custom key sorts before the default key of the node', () => {
    for (const made of [social, tenants]) {
      const given = layout(made, { keys: { follows: { SK: '!F#{to}' } } })
      const follows = (more = {}) =>
        planCollect(
          given,
          'user',
          'u',
          { part: { ...PARTS.follows, ...more } },
          {
            tenant: made === tenants ? 't' : undefined,
          },
        ).steps.length
      expect([follows(), follows({ limit: 3 }), follows({ limit: 3, reverse: true })]).toEqual([1, 2, 1])
      expect(findings(given).map(({ message }) => message)).toEqual([
        'In a partition of user, the node sorts after its follows: collect() with a limit reads both by one Query only in reverse, and else gets the node by a request of its own. Give it a sort key before theirs.',
      ])
    }
  })

  it('a split collect is not found for a design alone', () => {
    expect(findings(laidOut(['likes', 'follows', 'user', 'post', 'chief']).design)).toEqual([])
  })
})

describe('an item that can exceed the maximum size', () => {
  const pupil = node('pupil', { id: string(), name: string().immutable() }, { id: 'id' })
  const courses = (max: number) => {
    const course = node(
      'course',
      { id: string(), pupils: embedded({ name: string(), since: date(), paid: boolean(), seat: integer() }) },
      { id: 'id' },
    )
    const enrolled = edge(
      'enrolled',
      { pupil, course },
      { since: date(), paid: boolean(), seat: integer() },
      { carry: { name: 'pupil.name' }, embed: { course: { into: 'pupils', max } } },
    )
    return layout(graph('courses', [pupil, course, enrolled]))
  }

  it('an item that is too large with its maximum of embedded entries is a finding', () => {
    expect(findings(courses(3000))).toEqual([])
    expect(findings(courses(4000))).toEqual([
      {
        code: 'item.outgrows',
        rejected: false,
        kind: 'course',
        message:
          'A course can grow to 508 KB, with 4000 entries of pupils whose texts have 32 bytes, and DynamoDB refuses items over 400 KB: lower the bound, or keep the entries as edges.',
      },
    ])
  })

  it('the estimated size of an item sums all embedded entries and uses declared lengths', () => {
    const course = node(
      'course',
      { id: string(), pupils: embedded({ as: oneOf('a', 'bcd') }), guests: embedded({}) },
      { id: 'id' },
    )
    const as = { as: oneOf('a', 'bcd') }
    const enrolled = edge('enrolled', { pupil, course }, as, { embed: { course: { into: 'pupils', max: 5000 } } })
    const visits = edge('visits', { pupil, course }, {}, { embed: { course: { into: 'guests', max: 6000 } } })
    expect(findings(layout(graph('courses', [pupil, course, enrolled])))).toEqual([])
    const [found] = findings(layout(graph('courses', [pupil, course, enrolled, visits])))
    expect(found?.message).toContain(
      '417 KB, with 5000 entries of pupils and 6000 entries of guests whose texts have 32 bytes',
    )
  })
})

describe('a partition key with few values', () => {
  it('the number of partition key values is the product of its choices, shards and other parts', () => {
    const user = node(
      'user',
      { id: string(), plan: oneOf('free', 'paid'), active: boolean(), city: string() },
      {
        id: 'id',
        by: { plan: { in: ['plan', 'active'], shards: 3 }, city: { in: ['city'] }, all: { order: ['city'] } },
      },
    )
    const indexes = withPartitionCounts(layout(graph('users', [user])))
    const few = indexes.map(({ serves, distinctPartitions, shards }) => ({ serves, distinctPartitions, shards }))
    expect(few).toEqual([
      { serves: ['user.by.plan'], distinctPartitions: 12, shards: 3 },
      { serves: ['user.by.city'], distinctPartitions: undefined, shards: undefined },
      { serves: ['user.by.all'], distinctPartitions: 1, shards: 1 },
    ])
  })

  const rated = (stars: ReturnType<typeof integer>) => {
    const film = node('film', { id: string(), stars }, { id: 'id', by: { stars: { in: ['stars'] } } })
    return findings(layout(graph('films', [film]))).map(({ code, index }) => ({ code, index }))
  }

  it('a partition key with a small range of integers is a finding', () => {
    expect(rated(integer({ min: 1, max: 5 }))).toEqual([{ code: 'index.partitions.few', index: 'GSI1' }])
    expect(rated(integer({ min: -5, max: 4 }))).toHaveLength(1)
    for (const many of [integer({ min: 1, max: 50 }), integer({ min: 1 }), integer({ max: 5 }), integer()])
      expect(rated(many)).toEqual([])
  })

  it('the finding for few partition key values names the path with the fewest', () => {
    const attributes = { id: string(), plan: oneOf('free', 'paid'), points: counter() }
    const by = { plan: { in: ['plan'] }, rank: { order: ['points'], as: 'native' } } as const
    const user = node('user', attributes, { id: 'id', by })
    const knows = edge('knows', { one: user, other: user }, {}, { count: { one: 'points' } })
    const made = layout(graph('users', [user, knows]))
    expect(made.design.indexes[0]?.serves).toEqual(['user.by.plan', 'knows.by.other'])
    const [plan, rank] = findings(made).map(({ message }) => message)
    expect(plan).toMatch(/^The partition key of the index GSI1 has 2 values for user\.by\.plan, each one partition/)
    expect(plan).toMatch(/ Give user\.by\.plan shards\.$/)
    expect(rank).toMatch(/ Give user\.by\.rank 'in' an attribute of more values\.$/)
  })

  const partitions = (made: Layout) =>
    withPartitionCounts(made).map(({ name, distinctPartitions }) => `${name} ${distinctPartitions}`)

  it('few partition key values are counted by the key and not by the parts of the read', () => {
    const attributes = { id: string(), name: string(), plan: oneOf('free', 'paid') }
    const user = node('user', attributes, { id: 'id', by: { name: { in: ['plan', 'name'] } } })
    const given = (GSI1PK: string, GSI1SK: string) =>
      partitions(layout(graph('users', [user]), { keys: { user: { GSI1PK, GSI1SK } } } as never))
    expect(given('ALL', '{plan}#{name}#{id}')).toEqual(['GSI1 1'])
    expect(given('P#{plan}', '{name}#{id}')).toEqual(['GSI1 2'])
    expect(given('P#{plan}#{name}', '{id}')).toEqual(['GSI1 undefined'])
  })

  it('few partition key values are found for an end with few nodes and for a native index with tenants', () => {
    const country = node('country', { code: oneOf('CH', 'DE') }, { id: 'code' })
    const lives = edge('lives', { user, country })
    expect(partitions(layout(graph('lives', [user, country, lives])))).toEqual(['GSI1 2'])
    const native = { plan: { in: ['plan'], as: 'native' } } as const
    const member = node('member', { id: string(), plan: oneOf('free', 'paid') }, { id: 'id', by: native })
    expect(partitions(layout(graph('members', [member], { tenant: true })))).toEqual(['member_plan 2'])
    const tenant = node('flat', { id: string(), tenant: boolean() }, { id: 'id', by: { let: { in: ['tenant'] } } })
    expect(partitions(layout(graph('flats', [tenant])))).toEqual(['GSI1 2'])
  })
})

it('a constant sort key under an inverted index is a finding also with tenants', () => {
  const follows = edge('follows', { from: user, to: user }, {}, { by: { to: { as: 'inverted' } } })
  const [found, ...others] = findings(layout(graph('social', [user, follows], { tenant: true })))
  expect(others).toEqual([])
  expect(found).toMatchObject({ code: 'index.inverted.constant', kind: 'user', index: 'inverted' })
  expect(found?.message).toContain('Every user of a tenant has the sort key #, so all of them are in one partition')
})

it('a partition that can exceed 10 GB with a local index is one finding with all its kinds', () => {
  const order = { by: { order: ['at'], as: 'local' } } as const
  const sold = node(
    'order',
    { no: string(), at: date() },
    { id: 'no', within: user, onDelete: 'leave', by: { date: order.by } },
  )
  const made = layout(graph('shop', [user, sold, follows]))
  const [found, ...others] = findings(made).filter(({ code }) => code === 'collection.outgrows')
  expect(found?.message).toMatch(/^A partition user#\{id\} can hold any number of order, follows, /)
  expect(others).toEqual([])
})

describe('an index that lacks rows of its path', () => {
  const by = { at: { in: ['place'] }, noted: { in: ['place'], order: ['note'] } } as const
  const attributes = { id: string(), place: string(), note: string().optional() }
  const thing = node('thing', attributes, { id: 'id', by })
  const given = (GSI1SK: string) =>
    layout(graph('things', [thing]), { keys: { thing: { GSI1PK: 'AT#{place}', GSI1SK } } } as never)

  it('a path whose index omits rows without an unrequested attribute is a finding', () => {
    expect(findings(given('{note}#{id}'))).toEqual([
      {
        code: 'index.sparse',
        rejected: false,
        index: 'GSI1',
        message:
          'thing.by.at reads the index GSI1, which omits rows without note. Give the path an index without it, or sort it by that if they are to be left out.',
      },
    ])
  })

  it('a path is not sparse if every row is in its index or if it is sorted by the optional attribute', () => {
    expect(findings(given('{id}'))).toEqual([])
    expect(findings(layout(graph('things', [thing])))).toEqual([])
  })
})

describe('an index whose entries do not identify their items', () => {
  const place = { in: ['place'], order: ['at'], as: 'item' } as const
  const thing = node('thing', { id: string(), place: string(), at: string() }, { id: 'id', by: { place } })
  const friends = edge('friends', { one: user, other: user }, {}, { undirected: true, by: { one: { as: 'index' } } })
  const untold = (project: 'all' | 'keys' | string[], raw?: true, tenant = false) => {
    const keys = {
      user: { PK: 'U#{id}', SK: 'U' },
      thing: {
        PK: 'T#{id}',
        SK: 'T',
        'by.place': { PK: 'T#{id}', SK: 'P#{place}', GSI1PK: 'P#{place}', GSI1SK: '{at}' },
      },
      friends: { PK: 'U#{one}', SK: 'F#{other}', GSI1PK: 'U#{other}', GSI1SK: 'F#{one}' },
    }
    const indexes = { GSI1: { keys: ['GSI1PK', 'GSI1SK'], project } }
    const made = layout(graph('things', [user, thing, friends], { tenant }), { raw, keys, indexes } as never)
    return findings(made).filter(({ code }) => code === 'index.untold')
  }

  it('an index with raw keys that does not project the id is a finding', () => {
    expect(untold('keys', true).map(({ message }) => message)).toEqual([
      'thing.by.place reads the index GSI1, whose entries lack id, which raw keys do not show either: it cannot be read. Project them too, or all.',
      'friends.by.other reads the index GSI1, whose entries lack one and other, which raw keys do not show either: it cannot be read. Project them too, or all.',
    ])
    expect(untold(['id', 'one'], true)).toMatchObject([
      { index: 'GSI1', message: expect.stringContaining('lack other,') },
    ])
    expect(untold(['id', 'one', 'other'], true, true)).toHaveLength(2)
  })

  it('an index whose keys or projection contain the id is not a finding', () => {
    for (const project of ['all', 'keys', ['at']] as const) expect(untold(project as 'all')).toEqual([])
    expect(untold('keys', undefined, true)).toEqual([])
    expect(untold('all', true, true)).toEqual([])
    expect(untold(['id', 'one', 'other'], true)).toEqual([])
    expect(untold(['tenant', 'id', 'one', 'other'], true, true)).toEqual([])
  })

  it('a facet index without the expiry attribute is a finding', () => {
    const lent = node(
      'lent',
      { id: string(), until: date(), at: string() },
      {
        id: 'id',
        expires: 'until',
        by: { at: { in: ['at'], as: 'item' } },
      },
    )
    const told = (project: 'all' | 'keys' | string[]) =>
      findings(layout(graph('things', [lent]), { indexes: { GSI1: { keys: ['GSI1PK', 'GSI1SK'], project } } }))
        .filter(({ code }) => code === 'index.untold')
        .map(({ message }) => message)
    expect(told('keys')).toEqual([
      'lent.by.at reads the index GSI1, whose entries lack their expiry: a lent that is created again is found by its old values until TTL deletes them. Project _expires too, or all.',
    ])
    expect([...told('all'), ...told(['_expires'])]).toEqual([])
  })
})
