import type { AttributeValue } from '../../../dynamodb/attribute-value.js'
import type { QueryRequest } from '../../../dynamodb/operations/reads.js'
import type { Bench } from '../bench.js'
import { cases } from '../case.js'
import { invalid, refused } from '../expect.js'
import { binary, number, text } from './reading.js'
import { type Given, placeholders } from './trial.js'

const pk = text('nobody')
const NOT_OF_THE_TYPE = 'One or more parameter values were invalid: Condition parameter type does not match schema type'

/** A query of a shared table that is to be refused. */
async function asked(
  bench: Bench,
  table: Parameters<Bench['table']>[0],
  KeyConditionExpression: string,
  given: Given,
  more: Partial<QueryRequest> = {},
): Promise<unknown> {
  return bench.store.query({
    TableName: await bench.table(table),
    KeyConditionExpression,
    ...placeholders(given),
    ...more,
  })
}

/** Each condition is refused with its message. */
async function allRefused(bench: Bench, conditions: [condition: string, given: Given, message: string][]) {
  for (const [condition, given, message] of conditions)
    await invalid(asked(bench, 'composite', condition, given), message)
}

/** What the service says of conditions that are not on keys, from their text alone. */
const formRefusals = cases('query', {
  'a query needs a key condition': async bench => {
    const TableName = await bench.table('composite')
    await invalid(
      bench.store.query({ TableName }),
      'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
    )
  },

  'names and values without an expression are told before that there is no key condition, and before the starting key':
    async bench => {
      const request = { TableName: await bench.table('composite'), ExclusiveStartKey: { pk: {} as AttributeValue } }
      const values = { ExpressionAttributeValues: { ':a': pk } }
      await invalid(
        bench.store.query({ ...request, ...values, ExpressionAttributeNames: { '#a': 'a' } }),
        'ExpressionAttributeNames can only be specified when using expressions',
      )
      const message =
        'ExpressionAttributeValues can only be specified when using expressions: ' +
        'FilterExpression and KeyConditionExpression are null'
      await invalid(bench.store.query({ ...request, ...values }), message)
      await invalid(bench.store.query({ ...request, ...values, ProjectionExpression: 'a' }), message)
    },

  'an empty key condition is refused': async bench => {
    const message = 'Invalid KeyConditionExpression: The expression can not be empty;'
    await invalid(asked(bench, 'composite', '', { ':v': pk }), message)
  },

  'a key condition takes only conditions that all hold, and operators that find a range': async bench => {
    const refusal = (operator: string) => `Invalid operator used in KeyConditionExpression: ${operator}`
    await allRefused(bench, [
      ['pk = :a OR sk = :b', { ':a': pk, ':b': pk }, refusal('OR')],
      ['NOT pk = :a', { ':a': pk }, refusal('NOT')],
      ['pk <> :a', { ':a': pk }, refusal('<>')],
      ['pk IN (:a)', { ':a': pk }, refusal('IN')],
      ['contains(pk, :a)', { ':a': pk }, refusal('contains')],
      ['attribute_exists(pk)', {}, refusal('attribute_exists')],
      ['pk = :a AND attribute_not_exists(sk)', { ':a': pk }, refusal('attribute_not_exists')],
    ])
  },

  'a key condition compares an attribute with values, the attribute first where it matters': async bench => {
    const refusal = (detail: string) => `Invalid condition in KeyConditionExpression: ${detail}`
    const first = (operator: string) => refusal(`${operator} operator must have the key attribute as its first operand`)
    await allRefused(bench, [
      ['pk = sk', {}, refusal('Multiple attribute names used in one condition')],
      [':a = :b', { ':a': pk, ':b': pk }, refusal('No key attribute specified')],
      [':a BETWEEN sk AND :b', { ':a': pk, ':b': pk }, first('BETWEEN')],
      ['begins_with(:a, sk)', { ':a': pk }, first('begins_with')],
      ['size(pk) = :a', { ':a': number(1) }, 'KeyConditionExpressions cannot contain nested operations'],
    ])
  },

  'a key condition cannot reach into an attribute': async bench => {
    const message =
      'Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes'
    await allRefused(bench, [
      ['pk = :a AND sk.part = :a', { ':a': pk }, message],
      ['pk = :a AND sk[0] = :a', { ':a': pk }, message],
      ['pk = :a AND begins_with(sk.part, :a)', { ':a': pk }, message],
      ['pk = :a AND sk[0] BETWEEN :a AND :a', { ':a': pk }, message],
      ['pk = :a AND :a < sk.part', { ':a': pk }, message],
      ['pk.part > :a', { ':a': pk }, message],
      ['extra.part = :a', { ':a': pk }, message],
    ])
  },

  'a key has one condition at most': async bench => {
    const message = 'Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key'
    await allRefused(bench, [
      ['pk = :a AND pk = :b', { ':a': pk, ':b': pk }, message],
      ['pk = :a AND sk > :a AND sk < :b', { ':a': pk, ':b': pk }, message],
    ])
  },

  'redundant parentheses in a key condition are refused': async bench => {
    const message = 'Invalid KeyConditionExpression: The expression has redundant parentheses;'
    await allRefused(bench, [
      ['((pk = :a))', { ':a': pk }, message],
      ['pk = :a AND ((sk = :a))', { ':a': pk }, message],
    ])
  },

  'the name of begins_with is in lower case': async bench => {
    const message = 'Invalid KeyConditionExpression: Invalid function name; function: BEGINS_WITH'
    await invalid(asked(bench, 'composite', 'pk = :a AND BEGINS_WITH(sk, :a)', { ':a': pk }), message)
  },

  'the bounds of a key condition come in order and are of one type': async bench => {
    const bounds = (requires: string, lower: string, upper: string) =>
      `Invalid KeyConditionExpression: The BETWEEN operator requires ${requires}; ` +
      `lower bound operand: AttributeValue: {${lower}}, upper bound operand: AttributeValue: {${upper}}`
    const condition = 'pk = :p AND sk BETWEEN :a AND :b'
    const inOrder = 'upper bound to be greater than or equal to lower bound'
    const ofOneType = 'same data type for lower and upper bounds'
    await allRefused(bench, [
      [condition, { ':p': pk, ':a': text('b'), ':b': text('a') }, bounds(inOrder, 'S:b', 'S:a')],
      [condition, { ':p': pk, ':a': number(10), ':b': number(9) }, bounds(inOrder, 'N:10', 'N:9')],
      [condition, { ':p': pk, ':a': text('b'), ':b': number(1) }, bounds(ofOneType, 'S:b', 'N:1')],
    ])
  },

  'an operand that its operator cannot take is refused before the table is looked up': async bench => {
    const query = (condition: string, value: AttributeValue) =>
      bench.store.query({
        TableName: 'there-is-no-such-table',
        KeyConditionExpression: `pk = :pk AND ${condition}`,
        ExpressionAttributeValues: { ':pk': pk, ':v': value },
      })
    const refusal = (operator: string, type: string) =>
      'Invalid KeyConditionExpression: Incorrect operand type for operator or function; ' +
      `operator or function: ${operator}, operand type: ${type}`
    await invalid(query('begins_with(sk, :v)', number(1)), refusal('begins_with', 'N'))
    await invalid(query('sk < :v', { BOOL: true }), refusal('<', 'BOOL'))
    await invalid(query(':v >= sk', { M: {} }), refusal('>=', 'M'))
    await invalid(query('sk BETWEEN :v AND :v', { SS: ['a'] }), refusal('BETWEEN', 'SS'))
  },

  'what a key condition names must be given, and what is given must be used': async bench => {
    const invalidCondition = (detail: string) => `Invalid KeyConditionExpression: ${detail}`
    const value = 'An expression attribute value used in expression is not defined; attribute value: :b'
    const name = 'An expression attribute name used in the document path is not defined; attribute name: #s'
    await allRefused(bench, [
      ['pk = :a AND sk = :b', { ':a': pk }, invalidCondition(value)],
      ['pk = :a AND #s = :a', { ':a': pk }, invalidCondition(name)],
      [
        'pk = :a',
        { ':a': pk, ':b': pk },
        'Value provided in ExpressionAttributeValues unused in expressions: keys: {:b}',
      ],
      [
        'pk = :a',
        { ':a': pk, '#s': 'sk' },
        'Value provided in ExpressionAttributeNames unused in expressions: keys: {#s}',
      ],
      ['status = :a', { ':a': pk }, invalidCondition('Attribute name is a reserved keyword; reserved keyword: status')],
    ])
  },
})

/** What it says once it knows the key. */
const keyRefusals = cases('query', {
  'a table or an index that is not there is told before anything about its key': async bench => {
    const request = { KeyConditionExpression: 'beside > :a', ExpressionAttributeValues: { ':a': pk } }
    await refused(
      bench.store.query({ TableName: 'there-is-no-such-table', ...request }),
      'ResourceNotFoundException',
      'Requested resource not found',
    )
    const TableName = await bench.table('composite')
    const message = 'The table does not have the specified index: missing'
    await invalid(bench.store.query({ TableName, IndexName: 'missing', ...request, ExclusiveStartKey: {} }), message)
  },

  'the partition key must have a condition': async bench => {
    const message = 'Query condition missed key schema element: pk'
    await allRefused(bench, [
      ['sk = :a', { ':a': pk }, message],
      ['beside = :a', { ':a': pk }, message],
      ['sk = :a AND beside = :a', { ':a': pk }, message],
    ])
    const inverted = { IndexName: 'inverted' }
    const missed = 'Query condition missed key schema element: sk'
    await invalid(asked(bench, 'composite', 'pk = :a', { ':a': pk }, inverted), missed)
  },

  'a second condition can only be on the sort key': async bench => {
    const message = 'Query condition missed key schema element: sk'
    await invalid(asked(bench, 'composite', 'pk = :a AND beside = :a', { ':a': pk }), message)
    const local = { IndexName: 'byLocal' }
    const missed = 'Query condition missed key schema element: local'
    await invalid(asked(bench, 'composite', 'pk = :a AND sk = :a', { ':a': pk }, local), missed)
  },

  'the partition key is found by = alone': async bench => {
    const message = 'Query key condition not supported'
    const conditions = ['pk < :a', 'pk >= :a', ':a > pk', 'pk BETWEEN :a AND :a', 'begins_with(pk, :a)']
    for (const condition of conditions) {
      await invalid(asked(bench, 'composite', condition, { ':a': pk }), message)
      await invalid(asked(bench, 'hash', condition, { ':a': pk }), message)
    }
    await invalid(asked(bench, 'composite', 'pk > :a AND sk = :a', { ':a': pk }), message)
  },

  'there are no more conditions than the key has attributes': async bench => {
    const message = (given: number, defined: number) =>
      `The number of query conditions (${given}) exceeds the number of key attributes defined in the schema (${defined})`
    const given = { ':a': pk }
    await invalid(asked(bench, 'composite', 'pk = :a AND sk = :a AND beside = :a', given), message(3, 2))
    await invalid(asked(bench, 'hash', 'pk = :a AND beside = :a', given), message(2, 1))
    const byGroup = { IndexName: 'groupOnly' }
    await invalid(asked(bench, 'composite', '#g = :a AND pk = :a', { ...given, '#g': 'group' }, byGroup), message(2, 1))
  },

  'the values of a key condition are of the types of the keys': async bench => {
    const wrong = (table: Parameters<Bench['table']>[0], condition: string, given: Given) =>
      invalid(asked(bench, table, condition, given), NOT_OF_THE_TYPE)
    await wrong('composite', 'pk = :a', { ':a': number(1) })
    await wrong('hashN', 'pk = :a', { ':a': text('1') })
    await wrong('hashB', 'pk = :a', { ':a': text('1') })
    await wrong('composite', 'pk = :p AND sk = :a', { ':p': pk, ':a': { BOOL: true } })
    await wrong('composite', 'pk = :p AND sk > :a', { ':p': pk, ':a': binary(1) })
    await wrong('compositeN', 'pk = :p AND begins_with(sk, :a)', { ':p': pk, ':a': text('1') })
    await wrong('compositeB', 'pk = :p AND sk BETWEEN :a AND :a', { ':p': pk, ':a': text('1') })
  },

  'the type of a value is told before an operator that a partition key does not take': async bench => {
    await invalid(asked(bench, 'composite', 'pk > :a', { ':a': number(1) }), NOT_OF_THE_TYPE)
  },

  'a key condition cannot be on an empty key': async bench => {
    const refusal = (kind: string, name: string) =>
      'One or more parameter values are not valid. ' +
      `The AttributeValue for a key attribute cannot contain an empty ${kind} value. Key: ${name}`
    const empty = { ':p': pk, ':a': text('') }
    await invalid(asked(bench, 'composite', 'pk = :a', { ':a': text('') }), refusal('string', 'pk'))
    await invalid(asked(bench, 'composite', 'pk = :p AND sk = :a', empty), refusal('string', 'sk'))
    await invalid(asked(bench, 'composite', 'pk = :p AND sk > :a', empty), refusal('string', 'sk'))
    await invalid(asked(bench, 'composite', 'pk = :p AND begins_with(sk, :a)', empty), refusal('string', 'sk'))
    await invalid(asked(bench, 'hashB', 'pk = :a', { ':a': binary() }), refusal('binary', 'pk'))
  },

  'a key condition cannot be on an empty key of a global index': async bench => {
    const given = { '#g': 'group', ':a': text('') }
    await invalid(
      asked(bench, 'composite', '#g = :a', given, { IndexName: 'groupOnly' }),
      'One or more parameter values are not valid. A value specified for a secondary index key is not supported. ' +
        'The AttributeValue for a key attribute cannot contain an empty string value. ' +
        'IndexName: groupOnly, IndexKey: group',
    )
  },
})

/** Key conditions that are refused, in the service's words. */
export const keyConditionRefusalCases = [...formRefusals, ...keyRefusals]
