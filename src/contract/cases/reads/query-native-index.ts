import type { Item } from '../../../dynamodb/attribute-value.js'
import type { QueryInput, QueryOutput } from '../../../dynamodb/operation-types.js'
import { expectEqual, expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { type PlaceholderValues, toPlaceholders } from '../../fixtures/item-trial.js'
import {
  attributeOfItems,
  expectEventually,
  numericValue,
  readAllItems,
  runQuery,
  sharedFixture,
  stringValue,
} from '../../fixtures/test-partition.js'
import type { TestBench } from '../../test-bench.js'

/** Items of the table `native`, of two countries unique to this run, and queries of its index `place`. */
class NativeIndexItems {
  private constructor(
    private readonly bench: TestBench,
    readonly TableName: string,
    readonly country: string,
    readonly items: readonly Item[],
  ) {}

  static async of(bench: TestBench): Promise<NativeIndexItems> {
    const TableName = await bench.sharedTable('native')
    const country = bench.unique('country')
    const item = (sk: string, of: string, year: number, state?: string, zip?: number): Item => ({
      pk: stringValue(country),
      sk: stringValue(sk),
      country: stringValue(of),
      year: numericValue(year),
      ...(state !== undefined && { state: stringValue(state) }),
      ...(zip !== undefined && { zip: numericValue(zip) }),
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
    return new NativeIndexItems(bench, TableName, country, items)
  }

  request(KeyConditionExpression: string, given: PlaceholderValues, more: Partial<QueryInput> = {}): QueryInput {
    const { TableName } = this
    return { TableName, IndexName: 'place', KeyConditionExpression, ...toPlaceholders(given), ...more }
  }

  query(condition: string, given: PlaceholderValues, more: Partial<QueryInput> = {}): Promise<QueryOutput> {
    return runQuery(this.bench.store, this.request(condition, given, more))
  }

  /** The year 2020 of the country, with a condition on the rest of the key. */
  query2020(condition = '', given: PlaceholderValues = {}, more: Partial<QueryInput> = {}): Promise<QueryOutput> {
    const all = `country = :c AND #y = :y${condition && ` AND ${condition}`}`
    return this.query(all, { '#y': 'year', ':c': stringValue(this.country), ':y': numericValue(2020), ...given }, more)
  }
}

const sharedPlaces = sharedFixture(NativeIndexItems.of)

const STATE = { '#s': 'state' }

export const queryNativeCases = defineCases('query', {
  'a multi-attribute index requires its whole partition key and sorts by its sort attributes from the left':
    async bench => {
      const found = await sharedPlaces(bench)
      const Items = found.items.slice(0, 5)
      await expectEventually(bench, () => found.query2020(), { Items, Count: 5, ScannedCount: 5 })
      const reverse = async () => (await found.query2020('', {}, { ScanIndexForward: false })).Items
      await expectEventually(bench, reverse, [...Items].reverse())
    },

  'an index has up to four attributes in each part of its key': withCoverage(['limit:INDEX_KEY_PARTS'], async bench => {
    const partition = ['p1', 'p2', 'p3', 'p4']
    const sort = ['s1', 's2', 's3', 's4']
    const TableName = await bench.createOwnTable({
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
      ...Object.fromEntries([...partition, ...sort].map(name => [name, stringValue(name)])),
      pk: stringValue(pk),
      s4: stringValue(last),
    })
    const items = [item('1', 'a'), item('2', 'b'), item('3', 'c')]
    await bench.put(TableName, ...items)
    const equal = [...partition, ...sort.slice(0, 3)]
    const given = Object.fromEntries(equal.map(name => [`:${name}`, stringValue(name)]))
    const read = () =>
      runQuery(bench.store, {
        TableName,
        IndexName: 'eight',
        KeyConditionExpression: `${equal.map(name => `${name} = :${name}`).join(' AND ')} AND s4 > :a`,
        ExpressionAttributeValues: { ...given, ':a': stringValue('a') },
      })
    await expectEventually(bench, read, { Items: items.slice(1), Count: 2, ScannedCount: 2 })
  }),

  'conditions on sort attributes go from the left, with a range only on the last': async bench => {
    const found = await sharedPlaces(bench)
    const sorts = async (condition: string, given: PlaceholderValues) =>
      attributeOfItems(await found.query2020(condition, given))
    const bay = { ...STATE, ':s': stringValue('bay') }
    await expectEventually(bench, () => sorts('#s = :s', bay), ['1', '2', '3'])
    await expectEventually(bench, () => sorts('#s > :s', bay), ['4', '5'])
    await expectEventually(bench, () => sorts('#s <= :s', bay), ['1', '2', '3'])
    await expectEventually(bench, () => sorts('begins_with(#s, :s)', { ...STATE, ':s': stringValue('b') }), [
      '1',
      '2',
      '3',
      '4',
    ])
    await expectEventually(bench, () => sorts('#s BETWEEN :s AND :t', { ...bay, ':t': stringValue('bern') }), [
      '1',
      '2',
      '3',
      '4',
    ])
    await expectEventually(bench, () => sorts('#s = :s AND zip = :z', { ...bay, ':z': numericValue(20) }), ['2'])
    await expectEventually(bench, () => sorts('#s = :s AND zip < :z', { ...bay, ':z': numericValue(20) }), ['1'])
    await expectEventually(bench, () => sorts('#s = :s AND zip >= :z', { ...bay, ':z': numericValue(20) }), ['2', '3'])
    const between = { ...bay, ':z': numericValue(-3), ':w': numericValue(20) }
    await expectEventually(bench, () => sorts('#s = :s AND zip BETWEEN :z AND :w', between), ['1', '2'])
  },

  'conditions on several key attributes can have any order': async bench => {
    const found = await sharedPlaces(bench)
    const given = {
      '#y': 'year',
      '#s': 'state',
      ':c': stringValue(found.country),
      ':y': numericValue(2020),
      ':s': stringValue('bay'),
    }
    const condition = 'zip > :z AND #s = :s AND #y = :y AND country = :c'
    await expectEventually(
      bench,
      async () => attributeOfItems(await found.query(condition, { ...given, ':z': numericValue(0) })),
      ['2', '3'],
    )
  },

  'every partition attribute requires an equality': async bench => {
    const found = await sharedPlaces(bench)
    const missing = (names: string) =>
      `HASH key attributes ${names} must have equality conditions specified in the query`
    const country = stringValue(found.country)
    const year = { '#y': 'year', ':y': numericValue(2020) }
    await expectValidationError(found.query('country = :c', { ':c': country }), missing('year'))
    await expectValidationError(found.query('#y = :y', year), missing('country'))
    await expectValidationError(
      found.query('#s = :s', { ...STATE, ':s': stringValue('bay') }),
      missing('country, year'),
    )
    await expectValidationError(found.query('country = :c AND #y > :y', { ':c': country, ...year }), missing('year'))
    await expectValidationError(
      found.query('begins_with(country, :c) AND #y >= :y', { ':c': country, ...year }),
      missing('country, year'),
    )
    await expectValidationError(found.query('pk = :c AND sk = :c', { ':c': country }), missing('country, year'))
  },

  'a condition on a sort attribute requires equalities on those to its left': async bench => {
    const found = await sharedPlaces(bench)
    const message =
      'RANGE key attributes state must have equality conditions specified in the query ' +
      'because a condition is present on key attribute zip'
    await expectValidationError(found.query2020('zip = :z', { ':z': numericValue(1) }), message)
    await expectValidationError(
      found.query2020('#s > :s AND zip = :z', { ...STATE, ':s': stringValue('a'), ':z': numericValue(1) }),
      message,
    )
    await expectValidationError(
      found.query2020('zip < :z AND begins_with(#s, :s)', { ...STATE, ':s': stringValue('a'), ':z': numericValue(1) }),
      message,
    )
  },

  'conditions on other attributes than a multi-attribute key, and extra conditions, are rejected': async bench => {
    const found = await sharedPlaces(bench)
    await expectValidationError(
      found.query2020('sk = :k', { ':k': stringValue('1') }),
      'Query condition missed key schema element: state',
    )
    const state = { ...STATE, ':s': stringValue('bay'), ':k': stringValue('1') }
    await expectValidationError(
      found.query2020('#s = :s AND sk = :k', state),
      'Query condition missed key schema element: zip',
    )
    await expectValidationError(
      found.query2020('#s = :s AND zip = :z AND sk = :k', { ...state, ':z': numericValue(1) }),
      'The number of query conditions (5) exceeds the number of key attributes defined in the schema (4)',
    )
  },

  'each attribute of a multi-attribute key is compared by its own type': async bench => {
    const found = await sharedPlaces(bench)
    const message = 'One or more parameter values were invalid: Condition parameter type does not match schema type'
    const country = stringValue(found.country)
    await expectValidationError(found.query('country = :c AND #y = :c', { '#y': 'year', ':c': country }), message)
    await expectValidationError(found.query2020('#s = :n', { ...STATE, ':n': numericValue(1) }), message)
    await expectValidationError(
      found.query2020('#s = :s AND zip > :s', { ...STATE, ':s': stringValue('bay') }),
      message,
    )
  },

  'a filter cannot use an attribute of a multi-attribute key, but can use the keys of the table': async bench => {
    const found = await sharedPlaces(bench)
    const refusal = (name: string) =>
      `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`
    await expectValidationError(found.query2020('', {}, { FilterExpression: 'zip = :y' }), refusal('zip'))
    await expectValidationError(found.query2020('', STATE, { FilterExpression: '#s <> :c' }), refusal('state'))
    await expectValidationError(found.query2020('', {}, { FilterExpression: '#y = :y' }), refusal('year'))
    const filtered = () => found.query2020('', { ':k': stringValue('2') }, { FilterExpression: 'sk = :k' })
    await expectEventually(bench, filtered, { Items: [found.items[1]], Count: 1, ScannedCount: 5 })
  },

  'paging over a multi-attribute key visits every item once': async bench => {
    const found = await sharedPlaces(bench)
    const five = found.items.slice(0, 5)
    const [first] = five as [Item]
    const page = () => found.query2020('', {}, { Limit: 1 })
    await expectEventually(bench, page, { Items: [first], Count: 1, ScannedCount: 1, LastEvaluatedKey: first })
    for (const Limit of [1, 2, 3])
      await expectEventually(bench, () => readAllItems(start => found.query2020('', {}, { Limit, ...start })), five)
  },

  'a start key of a multi-attribute index must match the condition on each attribute': async bench => {
    const found = await sharedPlaces(bench)
    const position = found.items[1]!
    const restart = (changed: Item, condition = '', given: PlaceholderValues = {}) =>
      found.query2020(condition, given, { ExclusiveStartKey: { ...position, ...changed } })
    const atMostOne = 'The query can return at most one row and cannot be restarted'
    const outside = 'The provided starting key is outside query boundaries based on provided conditions'
    const notInRange = 'The provided starting key does not match the range key predicate'
    const bay = { ...STATE, ':s': stringValue('bay') }
    await expectEventually(bench, async () => attributeOfItems(await restart({})), ['3', '4', '5'])
    await expectValidationError(restart({ country: stringValue('other') }), atMostOne)
    await expectValidationError(restart({ year: numericValue(1) }), outside)
    await expectValidationError(restart({ year: numericValue(1) }, '#s = :s', bay), atMostOne)
    await expectValidationError(restart({ state: stringValue('x') }, '#s = :s', bay), notInRange)
    await expectValidationError(
      restart({ zip: numericValue(1) }, '#s = :s AND zip > :z', { ...bay, ':z': numericValue(2) }),
      notInRange,
    )
    const { zip: _, ...short } = position
    await expectValidationError(
      found.query2020('', {}, { ExclusiveStartKey: short }),
      'The provided starting key is invalid',
    )
    await expectValidationError(restart({ zip: stringValue('1') }), 'The provided starting key is invalid')
  },

  'a multi-attribute index contains only items with all key attributes': async bench => {
    const found = await NativeIndexItems.of(bench)
    const { store } = bench
    const { TableName, country } = found
    await expectEventually(bench, async () => attributeOfItems(await found.query2020()), ['1', '2', '3', '4', '5'])
    await store.updateItem({
      TableName,
      Key: { pk: stringValue(country), sk: stringValue('8') },
      UpdateExpression: 'SET zip = :z',
      ExpressionAttributeValues: { ':z': numericValue(0) },
    })
    await store.updateItem({
      TableName,
      Key: { pk: stringValue(country), sk: stringValue('3') },
      UpdateExpression: 'REMOVE #y',
      ExpressionAttributeNames: { '#y': 'year' },
    })
    await expectEventually(bench, async () => attributeOfItems(await found.query2020()), ['1', '8', '2', '4', '5'])
    expectEqual(await bench.get(TableName, { pk: stringValue(country), sk: stringValue('9') }), found.items[8])
  },
})
