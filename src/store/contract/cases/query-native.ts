import type { Item } from '../../../dynamodb/attribute-value.js'
import type { QueryAnswer, QueryRequest } from '../../../dynamodb/operations/reads.js'
import type { Bench } from '../bench.js'
import { cases, covering } from '../case.js'
import { invalid, same } from '../expect.js'
import { allItems, fixture, listed, number, query, settles, text } from './reading.js'
import { type Given, placeholders } from './trial.js'

/** Items of the table `native`, of two countries of this run's own, and queries of its index `place`. */
class Places {
  private constructor(
    private readonly bench: Bench,
    readonly TableName: string,
    readonly country: string,
    readonly items: readonly Item[],
  ) {}

  static async of(bench: Bench): Promise<Places> {
    const TableName = await bench.table('native')
    const country = bench.unique('country')
    const item = (sk: string, of: string, year: number, state?: string, zip?: number): Item => ({
      pk: text(country),
      sk: text(sk),
      country: text(of),
      year: number(year),
      ...(state !== undefined && { state: text(state) }),
      ...(zip !== undefined && { zip: number(zip) }),
    })
    const items = [
      item('1', country, 2020, 'bay', -3),
      item('2', country, 2020, 'bay', 20),
      item('3', country, 2020, 'bay', 100),
      item('4', country, 2020, 'bern', 1),
      item('5', country, 2020, 'nord', 7),
      item('6', country, 2021, 'bay', 20),
      item('7', `${country}2`, 2020, 'bay', 20),
      item('8', country, 2020, 'bay'),
      item('9', country, 2020, undefined, 20),
    ]
    await bench.put(TableName, ...items)
    return new Places(bench, TableName, country, items)
  }

  request(KeyConditionExpression: string, given: Given, more: Partial<QueryRequest> = {}): QueryRequest {
    const { TableName } = this
    return { TableName, IndexName: 'place', KeyConditionExpression, ...placeholders(given), ...more }
  }

  query(condition: string, given: Given, more: Partial<QueryRequest> = {}): Promise<QueryAnswer> {
    return query(this.bench.store, this.request(condition, given, more))
  }

  /** The year 2020 of the country, and a condition on the rest of the key. */
  in2020(condition = '', given: Given = {}, more: Partial<QueryRequest> = {}): Promise<QueryAnswer> {
    const all = `country = :c AND #y = :y${condition && ` AND ${condition}`}`
    return this.query(all, { '#y': 'year', ':c': text(this.country), ':y': number(2020), ...given }, more)
  }
}

const places = fixture(Places.of)

const STATE = { '#s': 'state' }

export const queryNativeCases = cases('query', {
  'an index of several key attributes takes all of its partition, and orders by its sort parts from the left':
    async bench => {
      const found = await places(bench)
      const Items = found.items.slice(0, 5)
      await settles(bench, () => found.in2020(), { Items, Count: 5, ScannedCount: 5 })
      const reverse = async () => (await found.in2020('', {}, { ScanIndexForward: false })).Items
      await settles(bench, reverse, [...Items].reverse())
    },

  'an index has up to four attributes in each part of its key': covering(['limit:INDEX_KEY_PARTS'], async bench => {
    const partition = ['p1', 'p2', 'p3', 'p4']
    const sort = ['s1', 's2', 's3', 's4']
    const TableName = await bench.ownTable({
      AttributeDefinitions: ['pk', ...partition, ...sort].map(name => ({ AttributeName: name, AttributeType: 'S' })),
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'eight',
          KeySchema: [
            ...partition.map(name => ({ AttributeName: name, KeyType: 'HASH' as const })),
            ...sort.map(name => ({ AttributeName: name, KeyType: 'RANGE' as const })),
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    })
    const item = (pk: string, last: string): Item => ({
      ...Object.fromEntries([...partition, ...sort].map(name => [name, text(name)])),
      pk: text(pk),
      s4: text(last),
    })
    const items = [item('1', 'a'), item('2', 'b'), item('3', 'c')]
    await bench.put(TableName, ...items)
    const equal = [...partition, ...sort.slice(0, 3)]
    const given = Object.fromEntries(equal.map(name => [`:${name}`, text(name)]))
    const read = () =>
      query(bench.store, {
        TableName,
        IndexName: 'eight',
        KeyConditionExpression: `${equal.map(name => `${name} = :${name}`).join(' AND ')} AND s4 > :a`,
        ExpressionAttributeValues: { ...given, ':a': text('a') },
      })
    await settles(bench, read, { Items: items.slice(1), Count: 2, ScannedCount: 2 })
  }),

  'conditions on sort parts go from the left, a range on the last of them': async bench => {
    const found = await places(bench)
    const sorts = async (condition: string, given: Given) => listed(await found.in2020(condition, given))
    const bay = { ...STATE, ':s': text('bay') }
    await settles(bench, () => sorts('#s = :s', bay), ['1', '2', '3'])
    await settles(bench, () => sorts('#s > :s', bay), ['4', '5'])
    await settles(bench, () => sorts('#s <= :s', bay), ['1', '2', '3'])
    await settles(bench, () => sorts('begins_with(#s, :s)', { ...STATE, ':s': text('b') }), ['1', '2', '3', '4'])
    await settles(bench, () => sorts('#s BETWEEN :s AND :t', { ...bay, ':t': text('bern') }), ['1', '2', '3', '4'])
    await settles(bench, () => sorts('#s = :s AND zip = :z', { ...bay, ':z': number(20) }), ['2'])
    await settles(bench, () => sorts('#s = :s AND zip < :z', { ...bay, ':z': number(20) }), ['1'])
    await settles(bench, () => sorts('#s = :s AND zip >= :z', { ...bay, ':z': number(20) }), ['2', '3'])
    const between = { ...bay, ':z': number(-3), ':w': number(20) }
    await settles(bench, () => sorts('#s = :s AND zip BETWEEN :z AND :w', between), ['1', '2'])
  },

  'conditions on several key attributes may come in any order': async bench => {
    const found = await places(bench)
    const given = { '#y': 'year', '#s': 'state', ':c': text(found.country), ':y': number(2020), ':s': text('bay') }
    const condition = 'zip > :z AND #s = :s AND #y = :y AND country = :c'
    await settles(bench, async () => listed(await found.query(condition, { ...given, ':z': number(0) })), ['2', '3'])
  },

  'every part of the partition needs an equality': async bench => {
    const found = await places(bench)
    const missing = (names: string) =>
      `HASH key attributes ${names} must have equality conditions specified in the query`
    const country = text(found.country)
    const year = { '#y': 'year', ':y': number(2020) }
    await invalid(found.query('country = :c', { ':c': country }), missing('year'))
    await invalid(found.query('#y = :y', year), missing('country'))
    await invalid(found.query('#s = :s', { ...STATE, ':s': text('bay') }), missing('country, year'))
    await invalid(found.query('country = :c AND #y > :y', { ':c': country, ...year }), missing('year'))
    await invalid(
      found.query('begins_with(country, :c) AND #y >= :y', { ':c': country, ...year }),
      missing('country, year'),
    )
    await invalid(found.query('pk = :c AND sk = :c', { ':c': country }), missing('country, year'))
  },

  'a sort part with a condition needs equalities on those to its left': async bench => {
    const found = await places(bench)
    const message =
      'RANGE key attributes state must have equality conditions specified in the query ' +
      'because a condition is present on key attribute zip'
    await invalid(found.in2020('zip = :z', { ':z': number(1) }), message)
    await invalid(found.in2020('#s > :s AND zip = :z', { ...STATE, ':s': text('a'), ':z': number(1) }), message)
    await invalid(
      found.in2020('zip < :z AND begins_with(#s, :s)', { ...STATE, ':s': text('a'), ':z': number(1) }),
      message,
    )
  },

  'a condition beside several key attributes is refused, as are more than there are': async bench => {
    const found = await places(bench)
    await invalid(found.in2020('sk = :k', { ':k': text('1') }), 'Query condition missed key schema element: state')
    const state = { ...STATE, ':s': text('bay'), ':k': text('1') }
    await invalid(found.in2020('#s = :s AND sk = :k', state), 'Query condition missed key schema element: zip')
    await invalid(
      found.in2020('#s = :s AND zip = :z AND sk = :k', { ...state, ':z': number(1) }),
      'The number of query conditions (5) exceeds the number of key attributes defined in the schema (4)',
    )
  },

  'each of several key attributes is compared with its own type': async bench => {
    const found = await places(bench)
    const message = 'One or more parameter values were invalid: Condition parameter type does not match schema type'
    const country = text(found.country)
    await invalid(found.query('country = :c AND #y = :c', { '#y': 'year', ':c': country }), message)
    await invalid(found.in2020('#s = :n', { ...STATE, ':n': number(1) }), message)
    await invalid(found.in2020('#s = :s AND zip > :s', { ...STATE, ':s': text('bay') }), message)
  },

  'a filter cannot name any of several key attributes, and can name the keys of the table': async bench => {
    const found = await places(bench)
    const refusal = (name: string) =>
      `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`
    await invalid(found.in2020('', {}, { FilterExpression: 'zip = :y' }), refusal('zip'))
    await invalid(found.in2020('', STATE, { FilterExpression: '#s <> :c' }), refusal('state'))
    await invalid(found.in2020('', {}, { FilterExpression: '#y = :y' }), refusal('year'))
    const filtered = () => found.in2020('', { ':k': text('2') }, { FilterExpression: 'sk = :k' })
    await settles(bench, filtered, { Items: [found.items[1]], Count: 1, ScannedCount: 5 })
  },

  'paging over several key attributes visits every item once, from a key of all of them': async bench => {
    const found = await places(bench)
    const five = found.items.slice(0, 5)
    const [first] = five as [Item]
    const page = () => found.in2020('', {}, { Limit: 1 })
    await settles(bench, page, { Items: [first], Count: 1, ScannedCount: 1, LastEvaluatedKey: first })
    for (const Limit of [1, 2, 3])
      await settles(bench, () => allItems(start => found.in2020('', {}, { Limit, ...start })), five)
  },

  'a start key within several key attributes must fit the condition on each': async bench => {
    const found = await places(bench)
    const position = found.items[1]!
    const restart = (changed: Item, condition = '', given: Given = {}) =>
      found.in2020(condition, given, { ExclusiveStartKey: { ...position, ...changed } })
    const atMostOne = 'The query can return at most one row and cannot be restarted'
    const outside = 'The provided starting key is outside query boundaries based on provided conditions'
    const notInRange = 'The provided starting key does not match the range key predicate'
    const bay = { ...STATE, ':s': text('bay') }
    await settles(bench, async () => listed(await restart({})), ['3', '4', '5'])
    await invalid(restart({ country: text('other') }), atMostOne)
    await invalid(restart({ year: number(1) }), outside)
    await invalid(restart({ year: number(1) }, '#s = :s', bay), atMostOne)
    await invalid(restart({ state: text('x') }, '#s = :s', bay), notInRange)
    await invalid(restart({ zip: number(1) }, '#s = :s AND zip > :z', { ...bay, ':z': number(2) }), notInRange)
    const { zip: _, ...short } = position
    await invalid(found.in2020('', {}, { ExclusiveStartKey: short }), 'The provided starting key is invalid')
    await invalid(restart({ zip: text('1') }), 'The provided starting key is invalid')
  },

  'an index of several key attributes has only the items that have them all': async bench => {
    const found = await Places.of(bench)
    const { store } = bench
    const { TableName, country } = found
    await settles(bench, async () => listed(await found.in2020()), ['1', '2', '3', '4', '5'])
    await store.updateItem({
      TableName,
      Key: { pk: text(country), sk: text('8') },
      UpdateExpression: 'SET zip = :z',
      ExpressionAttributeValues: { ':z': number(0) },
    })
    await store.updateItem({
      TableName,
      Key: { pk: text(country), sk: text('3') },
      UpdateExpression: 'REMOVE #y',
      ExpressionAttributeNames: { '#y': 'year' },
    })
    await settles(bench, async () => listed(await found.in2020()), ['1', '8', '2', '4', '5'])
    same(await bench.get(TableName, { pk: text(country), sk: text('9') }), found.items[8])
  },
})
