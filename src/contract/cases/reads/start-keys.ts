import type { AttributeValue, Key } from '../../../dynamodb/attribute-value.js'
import type { QueryInput } from '../../../dynamodb/operation-types.js'
import { expectEqual, expectValidationError } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { type PlaceholderValues, toPlaceholders } from '../../fixtures/item-trial.js'
import { binaryValue, numericValue, sharedFixture, stringValue } from '../../fixtures/test-partition.js'
import type { TestBench } from '../../test-bench.js'

const textA = stringValue('a')
const INVALID = 'The provided starting key is invalid'
const NOT_IN_SCHEMA = `${INVALID}: The provided key element does not match the schema`
const OUTSIDE = 'The provided starting key is outside query boundaries based on provided conditions'
const NOT_IN_RANGE = 'The provided starting key does not match the range key predicate'
const AT_MOST_ONE = 'The query can return at most one row and cannot be restarted'

const sharedTables = sharedFixture(async bench => ({
  composite: await bench.sharedTable('composite'),
  hash: await bench.sharedTable('hash'),
}))

/** A query of the partition `a` that must be rejected for its start key. */
async function queryFrom(bench: TestBench, ExclusiveStartKey: Key, more: Partial<QueryInput> = {}): Promise<unknown> {
  return bench.store.query({
    TableName: (await sharedTables(bench)).composite,
    KeyConditionExpression: 'pk = :a',
    ExpressionAttributeValues: { ':a': textA },
    ExclusiveStartKey,
    ...more,
  })
}

const conditionWith = (KeyConditionExpression: string, given: PlaceholderValues): Partial<QueryInput> => ({
  KeyConditionExpression,
  ...toPlaceholders({ ':a': textA, ...given }),
})

/** Values that are invalid for a key of any type. */
const NO_KEYS: AttributeValue[] = [
  { NULL: true },
  { BOOL: true },
  { SS: ['a'] },
  { L: [] },
  { M: {} },
  { M: { deep: { L: [textA] } } },
]

const queryStarts = defineCases('query', {
  'a start key without exactly the key attributes is rejected': async bench => {
    const short: Key[] = [
      {},
      { pk: textA },
      { sk: textA },
      { pk: textA, extra: textA },
      { pk: textA, sk: textA, extra: textA },
    ]
    for (const start of short) await expectValidationError(queryFrom(bench, start), INVALID)
  },

  'a start key with other types than the key is rejected': async bench => {
    const wrong: Key[] = [
      { pk: numericValue(1), sk: textA },
      { pk: textA, sk: numericValue(1) },
      { pk: binaryValue(1), sk: textA },
      ...NO_KEYS.map(value => ({ pk: textA, sk: value })),
    ]
    for (const start of wrong) await expectValidationError(queryFrom(bench, start), INVALID)
  },

  'a start key in an index must have the keys of the index and of the table': async bench => {
    const local = { IndexName: 'byRank' }
    const rank = numericValue(1)
    const wrong: Key[] = [
      { pk: textA, sk: textA },
      { pk: textA, rank },
      { pk: textA, sk: textA, extra: rank },
      { pk: textA, sk: textA, rank: textA },
      { pk: textA, sk: numericValue(1), rank },
      { pk: textA, sk: textA, rank, group: textA },
    ]
    for (const start of wrong) await expectValidationError(queryFrom(bench, start, local), INVALID)
    const global = { IndexName: 'byGroup', ...conditionWith('#g = :a', { '#g': 'group' }) }
    await expectValidationError(queryFrom(bench, { pk: textA, sk: textA }, global), INVALID)
    await expectValidationError(queryFrom(bench, { group: textA, rank }, global), INVALID)
    await expectValidationError(
      queryFrom(bench, { pk: numericValue(1), sk: textA, group: textA, rank }, global),
      INVALID,
    )
  },

  'a start key of another partition is rejected': async bench => {
    const b = stringValue('b')
    await expectValidationError(queryFrom(bench, { pk: b, sk: textA }), OUTSIDE)
    await expectValidationError(
      queryFrom(bench, { pk: b, sk: textA, rank: numericValue(1) }, { IndexName: 'byRank' }),
      OUTSIDE,
    )
    const global = conditionWith('#g = :a', { '#g': 'group' })
    const inGroup = { pk: textA, sk: textA, group: b }
    await expectValidationError(queryFrom(bench, inGroup, { ...global, IndexName: 'groupOnly' }), OUTSIDE)
    await expectValidationError(
      queryFrom(bench, { ...inGroup, rank: numericValue(1) }, { ...global, IndexName: 'byGroup' }),
      OUTSIDE,
    )
  },

  'a start key of another partition of a table without a sort key is rejected with a different message':
    async bench => {
      const { hash } = await sharedTables(bench)
      await expectValidationError(
        queryFrom(bench, { pk: stringValue('b') }, { TableName: hash }),
        'The provided exclusive start key is invalid',
      )
    },

  'a start key in a query of a table without a sort key is rejected': async bench => {
    const { hash } = await sharedTables(bench)
    const pk = stringValue(bench.unique())
    await bench.put(hash, { pk })
    const first = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk }, Limit: 1 }
    const { Items, Count, LastEvaluatedKey } = await bench.store.query({ TableName: hash, ...first })
    expectEqual({ Items, Count, LastEvaluatedKey }, { Items: [{ pk }], Count: 1, LastEvaluatedKey: undefined })
    await expectValidationError(
      queryFrom(bench, { pk }, { TableName: hash, ...first }),
      /^The provided exclusive start key is invalid: ExclusiveStartKey: \{/,
    )
  },

  'a start key outside the condition on the sort key is rejected': async bench => {
    const outside: [condition: string, given: PlaceholderValues, sk: string][] = [
      ['sk > :m', { ':m': stringValue('m') }, 'm'],
      ['sk >= :m', { ':m': stringValue('m') }, 'l'],
      ['sk < :m', { ':m': stringValue('m') }, 'm'],
      ['sk <= :m', { ':m': stringValue('m') }, 'n'],
      ['sk = :m', { ':m': stringValue('m') }, 'n'],
      ['sk BETWEEN :m AND :n', { ':m': stringValue('m'), ':n': stringValue('n') }, 'l'],
      ['sk BETWEEN :m AND :n', { ':m': stringValue('m'), ':n': stringValue('n') }, 'o'],
      ['begins_with(sk, :m)', { ':m': stringValue('ab') }, 'aa'],
    ]
    for (const [condition, given, sk] of outside)
      await expectValidationError(
        queryFrom(bench, { pk: textA, sk: stringValue(sk) }, conditionWith(`pk = :a AND ${condition}`, given)),
        NOT_IN_RANGE,
      )
  },

  'errors of the sort key are reported before a start key of another partition': async bench => {
    const condition = conditionWith('pk = :a AND sk > :m', { ':m': stringValue('m') })
    const start = (sk: string) => ({ pk: stringValue('b'), sk: stringValue(sk) })
    await expectValidationError(queryFrom(bench, start('a'), condition), NOT_IN_RANGE)
    await expectValidationError(queryFrom(bench, start('z'), condition), AT_MOST_ONE)
  },

  'a start key with an empty key is rejected before its partition is compared': async bench => {
    const refusal = (name: string) =>
      'One or more parameter values are not valid. ' +
      `The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`
    await expectValidationError(queryFrom(bench, { pk: stringValue(''), sk: textA }), refusal('pk'))
    await expectValidationError(queryFrom(bench, { pk: stringValue('b'), sk: stringValue('') }), refusal('sk'))
  },

  'an invalid value in a start key is rejected before the table is looked up': async bench => {
    const missing = { TableName: 'there-is-no-such-table' }
    const bad = (sk: object) => queryFrom(bench, { pk: textA, sk: sk as AttributeValue }, missing)
    const invalidValue = (detail: string) => `One or more parameter values were invalid: ${detail}`
    await expectValidationError(
      bad({ NULL: false }),
      invalidValue('Null attribute value types must have the value of true'),
    )
    await expectValidationError(bad({ SS: [] }), invalidValue('An string set  may not be empty'))
    await expectValidationError(
      bad({ SS: ['a', 'a'] }),
      invalidValue('Input collection ["a", "a"] contains duplicates.'),
    )
    await expectValidationError(bad({ N: 'abc' }), 'The parameter cannot be converted to a numeric value: abc')
    await expectValidationError(
      bad({ S: 'a', N: '1' }),
      `${INVALID}: Supplied AttributeValue has more than one datatypes set, ` +
        'must contain exactly one of the supported datatypes',
    )
    await expectValidationError(
      bad({}),
      `${INVALID}: Supplied AttributeValue is empty, must contain exactly one of the supported datatypes`,
    )
  },

  'a start key is validated before the key condition': async bench => {
    await expectValidationError(queryFrom(bench, {}, conditionWith('extra = :a', {})), INVALID)
    await expectValidationError(
      queryFrom(bench, { pk: stringValue('b'), sk: textA }, conditionWith('extra = :a', {})),
      /missed key schema element: pk/,
    )
  },
})

const scanStarts = defineCases('scan', {
  'a scan rejects a start key that is not a key of its table': async bench => {
    const { composite: TableName } = await sharedTables(bench)
    const from = (ExclusiveStartKey: Key) => bench.store.scan({ TableName, ExclusiveStartKey })
    const wrong = [
      {},
      { pk: textA },
      { pk: textA, extra: textA },
      { pk: textA, sk: textA, extra: textA },
      { pk: textA, sk: numericValue(1) },
    ]
    for (const start of wrong) await expectValidationError(from(start as Key), NOT_IN_SCHEMA)
    const { hash } = await sharedTables(bench)
    await expectValidationError(
      bench.store.scan({ TableName: hash, ExclusiveStartKey: { pk: numericValue(1) } }),
      NOT_IN_SCHEMA,
    )
    await expectValidationError(
      from({ pk: stringValue(''), sk: textA }),
      'One or more parameter values are not valid. ' +
        'The AttributeValue for a key attribute cannot contain an empty string value. Key: pk',
    )
  },

  'a scan of an index rejects a start key that is not a key of the index': async bench => {
    const { composite: TableName } = await sharedTables(bench)
    const from = (ExclusiveStartKey: Key, IndexName = 'byRank') =>
      bench.store.scan({ TableName, IndexName, ExclusiveStartKey })
    const rank = numericValue(1)
    for (const start of [
      {},
      { pk: textA, sk: textA },
      { pk: textA, sk: textA, extra: rank },
      { pk: textA, sk: textA, rank, extra: textA },
    ])
      await expectValidationError(from(start as Key), INVALID)
    await expectValidationError(from({ pk: textA, sk: textA, rank: textA }), INVALID)
    await expectValidationError(from({ pk: textA, sk: numericValue(1), rank }), INVALID)
    await expectValidationError(from({ pk: textA, extra: textA, group: textA, rank }, 'byGroup'), INVALID)
  },

  'an invalid value in the start key of a scan is rejected before the table is looked up': async bench => {
    const bad = (pk: object) =>
      bench.store.scan({ TableName: 'there-is-no-such-table', ExclusiveStartKey: { pk: pk as AttributeValue } })
    await expectValidationError(
      bad({ NULL: false }),
      `${INVALID}: One or more parameter values were invalid: Null attribute value types must have the value of true`,
    )
    await expectValidationError(bad({ N: 'abc' }), 'The parameter cannot be converted to a numeric value: abc')
  },
})

/** Cases of rejected start keys, with the service's messages. */
export const startKeyCases = [...queryStarts, ...scanStarts]
