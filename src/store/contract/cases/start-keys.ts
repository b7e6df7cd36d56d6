import type { AttributeValue, Key } from '../../../dynamodb/attribute-value.js'
import type { QueryRequest } from '../../../dynamodb/operations/reads.js'
import type { Bench } from '../bench.js'
import { cases } from '../case.js'
import { invalid, same } from '../expect.js'
import { binary, fixture, number, text } from './reading.js'
import { type Given, placeholders } from './trial.js'

const a = text('a')
const INVALID = 'The provided starting key is invalid'
const NOT_IN_SCHEMA = `${INVALID}: The provided key element does not match the schema`
const OUTSIDE = 'The provided starting key is outside query boundaries based on provided conditions'
const NOT_IN_RANGE = 'The provided starting key does not match the range key predicate'
const AT_MOST_ONE = 'The query can return at most one row and cannot be restarted'

const tables = fixture(async bench => ({ composite: await bench.table('composite'), hash: await bench.table('hash') }))

/** A query of the partition `a` that is to be refused for its start key. */
async function restarted(bench: Bench, ExclusiveStartKey: Key, more: Partial<QueryRequest> = {}): Promise<unknown> {
  return bench.store.query({
    TableName: (await tables(bench)).composite,
    KeyConditionExpression: 'pk = :a',
    ExpressionAttributeValues: { ':a': a },
    ExclusiveStartKey,
    ...more,
  })
}

const within = (KeyConditionExpression: string, given: Given): Partial<QueryRequest> => ({
  KeyConditionExpression,
  ...placeholders({ ':a': a, ...given }),
})

/** Values that are no key's, whatever its type. */
const NO_KEYS: AttributeValue[] = [
  { NULL: true },
  { BOOL: true },
  { SS: ['a'] },
  { L: [] },
  { M: {} },
  { M: { deep: { L: [a] } } },
]

const queryStarts = cases('query', {
  'a start key that does not have exactly the attributes of the key is refused': async bench => {
    const short: Key[] = [{}, { pk: a }, { sk: a }, { pk: a, beside: a }, { pk: a, sk: a, beside: a }]
    for (const start of short) await invalid(restarted(bench, start), INVALID)
  },

  'a start key of other types than the key is refused': async bench => {
    const wrong: Key[] = [
      { pk: number(1), sk: a },
      { pk: a, sk: number(1) },
      { pk: binary(1), sk: a },
      ...NO_KEYS.map(value => ({ pk: a, sk: value })),
    ]
    for (const start of wrong) await invalid(restarted(bench, start), INVALID)
  },

  'a start key in an index must have the keys of the index and of the table': async bench => {
    const local = { IndexName: 'byRank' }
    const rank = number(1)
    const wrong: Key[] = [
      { pk: a, sk: a },
      { pk: a, rank },
      { pk: a, sk: a, beside: rank },
      { pk: a, sk: a, rank: a },
      { pk: a, sk: number(1), rank },
      { pk: a, sk: a, rank, group: a },
    ]
    for (const start of wrong) await invalid(restarted(bench, start, local), INVALID)
    const global = { IndexName: 'byGroup', ...within('#g = :a', { '#g': 'group' }) }
    await invalid(restarted(bench, { pk: a, sk: a }, global), INVALID)
    await invalid(restarted(bench, { group: a, rank }, global), INVALID)
    await invalid(restarted(bench, { pk: number(1), sk: a, group: a, rank }, global), INVALID)
  },

  'a start key of another partition is refused': async bench => {
    const b = text('b')
    await invalid(restarted(bench, { pk: b, sk: a }), OUTSIDE)
    await invalid(restarted(bench, { pk: b, sk: a, rank: number(1) }, { IndexName: 'byRank' }), OUTSIDE)
    const global = within('#g = :a', { '#g': 'group' })
    const inGroup = { pk: a, sk: a, group: b }
    await invalid(restarted(bench, inGroup, { ...global, IndexName: 'groupOnly' }), OUTSIDE)
    await invalid(restarted(bench, { ...inGroup, rank: number(1) }, { ...global, IndexName: 'byGroup' }), OUTSIDE)
  },

  'a start key of another partition of a table without a sort key is refused in other words': async bench => {
    const { hash } = await tables(bench)
    await invalid(
      restarted(bench, { pk: text('b') }, { TableName: hash }),
      'The provided exclusive start key is invalid',
    )
  },

  'a query of a table without a sort key has one item at most and no start key': async bench => {
    const { hash } = await tables(bench)
    const pk = text(bench.unique())
    await bench.put(hash, { pk })
    const first = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk }, Limit: 1 }
    const { Items, Count, LastEvaluatedKey } = await bench.store.query({ TableName: hash, ...first })
    same({ Items, Count, LastEvaluatedKey }, { Items: [{ pk }], Count: 1, LastEvaluatedKey: undefined })
    await invalid(
      restarted(bench, { pk }, { TableName: hash, ...first }),
      /^The provided exclusive start key is invalid: ExclusiveStartKey: \{/,
    )
  },

  'a start key outside the condition on the sort key is refused': async bench => {
    const outside: [condition: string, given: Given, sk: string][] = [
      ['sk > :m', { ':m': text('m') }, 'm'],
      ['sk >= :m', { ':m': text('m') }, 'l'],
      ['sk < :m', { ':m': text('m') }, 'm'],
      ['sk <= :m', { ':m': text('m') }, 'n'],
      ['sk = :m', { ':m': text('m') }, 'n'],
      ['sk BETWEEN :m AND :n', { ':m': text('m'), ':n': text('n') }, 'l'],
      ['sk BETWEEN :m AND :n', { ':m': text('m'), ':n': text('n') }, 'o'],
      ['begins_with(sk, :m)', { ':m': text('ab') }, 'aa'],
    ]
    for (const [condition, given, sk] of outside)
      await invalid(restarted(bench, { pk: a, sk: text(sk) }, within(`pk = :a AND ${condition}`, given)), NOT_IN_RANGE)
  },

  'of a start key of another partition the sort key is told first': async bench => {
    const condition = within('pk = :a AND sk > :m', { ':m': text('m') })
    const start = (sk: string) => ({ pk: text('b'), sk: text(sk) })
    await invalid(restarted(bench, start('a'), condition), NOT_IN_RANGE)
    await invalid(restarted(bench, start('z'), condition), AT_MOST_ONE)
  },

  'a start key with an empty key is refused before its partition is compared': async bench => {
    const refusal = (name: string) =>
      'One or more parameter values are not valid. ' +
      `The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`
    await invalid(restarted(bench, { pk: text(''), sk: a }), refusal('pk'))
    await invalid(restarted(bench, { pk: text('b'), sk: text('') }), refusal('sk'))
  },

  'a value in a start key that is none is refused before the table is looked up': async bench => {
    const missing = { TableName: 'there-is-no-such-table' }
    const bad = (sk: object) => restarted(bench, { pk: a, sk: sk as AttributeValue }, missing)
    const invalidValue = (detail: string) => `One or more parameter values were invalid: ${detail}`
    await invalid(bad({ NULL: false }), invalidValue('Null attribute value types must have the value of true'))
    await invalid(bad({ SS: [] }), invalidValue('An string set  may not be empty'))
    await invalid(bad({ SS: ['a', 'a'] }), invalidValue('Input collection ["a", "a"] contains duplicates.'))
    await invalid(bad({ N: 'abc' }), 'The parameter cannot be converted to a numeric value: abc')
    await invalid(
      bad({ S: 'a', N: '1' }),
      `${INVALID}: Supplied AttributeValue has more than one datatypes set, ` +
        'must contain exactly one of the supported datatypes',
    )
    await invalid(
      bad({}),
      `${INVALID}: Supplied AttributeValue is empty, must contain exactly one of the supported datatypes`,
    )
  },

  'a start key is looked at before the key condition': async bench => {
    await invalid(restarted(bench, {}, within('beside = :a', {})), INVALID)
    await invalid(
      restarted(bench, { pk: text('b'), sk: a }, within('beside = :a', {})),
      /missed key schema element: pk/,
    )
  },
})

const scanStarts = cases('scan', {
  'a scan cannot start at what is not a key of its table': async bench => {
    const { composite: TableName } = await tables(bench)
    const from = (ExclusiveStartKey: Key) => bench.store.scan({ TableName, ExclusiveStartKey })
    const wrong = [{}, { pk: a }, { pk: a, beside: a }, { pk: a, sk: a, beside: a }, { pk: a, sk: number(1) }]
    for (const start of wrong) await invalid(from(start as Key), NOT_IN_SCHEMA)
    const { hash } = await tables(bench)
    await invalid(bench.store.scan({ TableName: hash, ExclusiveStartKey: { pk: number(1) } }), NOT_IN_SCHEMA)
    await invalid(
      from({ pk: text(''), sk: a }),
      'One or more parameter values are not valid. ' +
        'The AttributeValue for a key attribute cannot contain an empty string value. Key: pk',
    )
  },

  'a scan of an index cannot start at what is not a place in it': async bench => {
    const { composite: TableName } = await tables(bench)
    const from = (ExclusiveStartKey: Key, IndexName = 'byRank') =>
      bench.store.scan({ TableName, IndexName, ExclusiveStartKey })
    const rank = number(1)
    for (const start of [{}, { pk: a, sk: a }, { pk: a, sk: a, beside: rank }, { pk: a, sk: a, rank, beside: a }])
      await invalid(from(start as Key), INVALID)
    await invalid(from({ pk: a, sk: a, rank: a }), INVALID)
    await invalid(from({ pk: a, sk: number(1), rank }), INVALID)
    await invalid(from({ pk: a, beside: a, group: a, rank }, 'byGroup'), INVALID)
  },

  'a value in the start key of a scan that is none is refused before the table is looked up': async bench => {
    const bad = (pk: object) =>
      bench.store.scan({ TableName: 'there-is-no-such-table', ExclusiveStartKey: { pk: pk as AttributeValue } })
    await invalid(
      bad({ NULL: false }),
      `${INVALID}: One or more parameter values were invalid: Null attribute value types must have the value of true`,
    )
    await invalid(bad({ N: 'abc' }), 'The parameter cannot be converted to a numeric value: abc')
  },
})

/** Start keys that are refused, in the service's words. */
export const startKeyCases = [...queryStarts, ...scanStarts]
