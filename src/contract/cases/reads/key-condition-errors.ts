import type { AttributeValue } from '../../../dynamodb/attribute-value.js'
import type { QueryInput } from '../../../dynamodb/operation-types.js'
import { expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { type PlaceholderValues, toPlaceholders } from '../../fixtures/item-trial.js'
import { binaryValue, numericValue, stringValue } from '../../fixtures/test-partition.js'
import type { TestBench } from '../../test-bench.js'

const pk = stringValue('nobody')
const WRONG_PARAMETER_TYPE =
  'One or more parameter values were invalid: Condition parameter type does not match schema type'

/** A query of a shared table that must be rejected. */
async function queryWith(
  bench: TestBench,
  table: Parameters<TestBench['sharedTable']>[0],
  KeyConditionExpression: string,
  given: PlaceholderValues,
  more: Partial<QueryInput> = {},
): Promise<unknown> {
  return bench.store.query({
    TableName: await bench.sharedTable(table),
    KeyConditionExpression,
    ...toPlaceholders(given),
    ...more,
  })
}

/** Asserts that each condition is rejected with its message. */
async function expectAllInvalid(
  bench: TestBench,
  conditions: [condition: string, given: PlaceholderValues, message: string][],
) {
  for (const [condition, given, message] of conditions)
    await expectValidationError(queryWith(bench, 'composite', condition, given), message)
}

/** Cases of errors that follow from the text of the condition alone. */
const formErrors = defineCases('query', {
  'a query without a key condition is rejected': async bench => {
    const TableName = await bench.sharedTable('composite')
    await expectValidationError(
      bench.store.query({ TableName }),
      'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
    )
  },

  'names and values without an expression are reported before a missing key condition and the start key':
    async bench => {
      const request = {
        TableName: await bench.sharedTable('composite'),
        ExclusiveStartKey: { pk: {} as AttributeValue },
      }
      const values = { ExpressionAttributeValues: { ':a': pk } }
      await expectValidationError(
        bench.store.query({ ...request, ...values, ExpressionAttributeNames: { '#a': 'a' } }),
        'ExpressionAttributeNames can only be specified when using expressions',
      )
      const message =
        'ExpressionAttributeValues can only be specified when using expressions: ' +
        'FilterExpression and KeyConditionExpression are null'
      await expectValidationError(bench.store.query({ ...request, ...values }), message)
      await expectValidationError(bench.store.query({ ...request, ...values, ProjectionExpression: 'a' }), message)
    },

  'an empty key condition is rejected': async bench => {
    const message = 'Invalid KeyConditionExpression: The expression can not be empty;'
    await expectValidationError(queryWith(bench, 'composite', '', { ':v': pk }), message)
  },

  'a key condition accepts only AND and operators that select a range': async bench => {
    const refusal = (operator: string) => `Invalid operator used in KeyConditionExpression: ${operator}`
    await expectAllInvalid(bench, [
      ['pk = :a OR sk = :b', { ':a': pk, ':b': pk }, refusal('OR')],
      ['NOT pk = :a', { ':a': pk }, refusal('NOT')],
      ['pk <> :a', { ':a': pk }, refusal('<>')],
      ['pk IN (:a)', { ':a': pk }, refusal('IN')],
      ['contains(pk, :a)', { ':a': pk }, refusal('contains')],
      ['attribute_exists(pk)', {}, refusal('attribute_exists')],
      ['pk = :a AND attribute_not_exists(sk)', { ':a': pk }, refusal('attribute_not_exists')],
    ])
  },

  'a key condition compares an attribute with values, with the attribute first where order matters': async bench => {
    const refusal = (detail: string) => `Invalid condition in KeyConditionExpression: ${detail}`
    const first = (operator: string) => refusal(`${operator} operator must have the key attribute as its first operand`)
    await expectAllInvalid(bench, [
      ['pk = sk', {}, refusal('Multiple attribute names used in one condition')],
      [':a = :b', { ':a': pk, ':b': pk }, refusal('No key attribute specified')],
      [':a BETWEEN sk AND :b', { ':a': pk, ':b': pk }, first('BETWEEN')],
      ['begins_with(:a, sk)', { ':a': pk }, first('begins_with')],
      ['size(pk) = :a', { ':a': numericValue(1) }, 'KeyConditionExpressions cannot contain nested operations'],
    ])
  },

  'a key condition with a path into an attribute is rejected': async bench => {
    const message =
      'Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes'
    await expectAllInvalid(bench, [
      ['pk = :a AND sk.part = :a', { ':a': pk }, message],
      ['pk = :a AND sk[0] = :a', { ':a': pk }, message],
      ['pk = :a AND begins_with(sk.part, :a)', { ':a': pk }, message],
      ['pk = :a AND sk[0] BETWEEN :a AND :a', { ':a': pk }, message],
      ['pk = :a AND :a < sk.part', { ':a': pk }, message],
      ['pk.part > :a', { ':a': pk }, message],
      ['extra.part = :a', { ':a': pk }, message],
    ])
  },

  'two conditions on one key are rejected': async bench => {
    const message = 'Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key'
    await expectAllInvalid(bench, [
      ['pk = :a AND pk = :b', { ':a': pk, ':b': pk }, message],
      ['pk = :a AND sk > :a AND sk < :b', { ':a': pk, ':b': pk }, message],
    ])
  },

  'redundant parentheses in a key condition are rejected': async bench => {
    const message = 'Invalid KeyConditionExpression: The expression has redundant parentheses;'
    await expectAllInvalid(bench, [
      ['((pk = :a))', { ':a': pk }, message],
      ['pk = :a AND ((sk = :a))', { ':a': pk }, message],
    ])
  },

  'begins_with in other case is rejected': async bench => {
    const message = 'Invalid KeyConditionExpression: Invalid function name; function: BEGINS_WITH'
    await expectValidationError(queryWith(bench, 'composite', 'pk = :a AND BEGINS_WITH(sk, :a)', { ':a': pk }), message)
  },

  'bounds of a key condition that are out of order or of different types are rejected': async bench => {
    const bounds = (requires: string, lower: string, upper: string) =>
      `Invalid KeyConditionExpression: The BETWEEN operator requires ${requires}; ` +
      `lower bound operand: AttributeValue: {${lower}}, upper bound operand: AttributeValue: {${upper}}`
    const condition = 'pk = :p AND sk BETWEEN :a AND :b'
    const inOrder = 'upper bound to be greater than or equal to lower bound'
    const ofOneType = 'same data type for lower and upper bounds'
    await expectAllInvalid(bench, [
      [condition, { ':p': pk, ':a': stringValue('b'), ':b': stringValue('a') }, bounds(inOrder, 'S:b', 'S:a')],
      [condition, { ':p': pk, ':a': numericValue(10), ':b': numericValue(9) }, bounds(inOrder, 'N:10', 'N:9')],
      [condition, { ':p': pk, ':a': stringValue('b'), ':b': numericValue(1) }, bounds(ofOneType, 'S:b', 'N:1')],
    ])
  },

  'an invalid operand is rejected before the table is looked up': async bench => {
    const query = (condition: string, value: AttributeValue) =>
      bench.store.query({
        TableName: 'there-is-no-such-table',
        KeyConditionExpression: `pk = :pk AND ${condition}`,
        ExpressionAttributeValues: { ':pk': pk, ':v': value },
      })
    const refusal = (operator: string, type: string) =>
      'Invalid KeyConditionExpression: Incorrect operand type for operator or function; ' +
      `operator or function: ${operator}, operand type: ${type}`
    await expectValidationError(query('begins_with(sk, :v)', numericValue(1)), refusal('begins_with', 'N'))
    await expectValidationError(query('sk < :v', { BOOL: true }), refusal('<', 'BOOL'))
    await expectValidationError(query(':v >= sk', { M: {} }), refusal('>=', 'M'))
    await expectValidationError(query('sk BETWEEN :v AND :v', { SS: ['a'] }), refusal('BETWEEN', 'SS'))
  },

  'undefined and unused names and values of a key condition are rejected': async bench => {
    const invalidCondition = (detail: string) => `Invalid KeyConditionExpression: ${detail}`
    const value = 'An expression attribute value used in expression is not defined; attribute value: :b'
    const name = 'An expression attribute name used in the document path is not defined; attribute name: #s'
    await expectAllInvalid(bench, [
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

/** Cases of errors that depend on the key of the table or index. */
const keyErrors = defineCases('query', {
  'a missing table or index is reported before errors of the key': async bench => {
    const request = { KeyConditionExpression: 'extra > :a', ExpressionAttributeValues: { ':a': pk } }
    await expectRejection(
      bench.store.query({ TableName: 'there-is-no-such-table', ...request }),
      'ResourceNotFoundException',
      'Requested resource not found',
    )
    const TableName = await bench.sharedTable('composite')
    const message = 'The table does not have the specified index: missing'
    await expectValidationError(
      bench.store.query({ TableName, IndexName: 'missing', ...request, ExclusiveStartKey: {} }),
      message,
    )
  },

  'a missing condition on the partition key is rejected': async bench => {
    const message = 'Query condition missed key schema element: pk'
    await expectAllInvalid(bench, [
      ['sk = :a', { ':a': pk }, message],
      ['extra = :a', { ':a': pk }, message],
      ['sk = :a AND extra = :a', { ':a': pk }, message],
    ])
    const inverted = { IndexName: 'inverted' }
    const missed = 'Query condition missed key schema element: sk'
    await expectValidationError(queryWith(bench, 'composite', 'pk = :a', { ':a': pk }, inverted), missed)
  },

  'a second condition on another attribute than the sort key is rejected': async bench => {
    const message = 'Query condition missed key schema element: sk'
    await expectValidationError(queryWith(bench, 'composite', 'pk = :a AND extra = :a', { ':a': pk }), message)
    const local = { IndexName: 'byLocal' }
    const missed = 'Query condition missed key schema element: local'
    await expectValidationError(queryWith(bench, 'composite', 'pk = :a AND sk = :a', { ':a': pk }, local), missed)
  },

  'the partition key supports only =': async bench => {
    const message = 'Query key condition not supported'
    const conditions = ['pk < :a', 'pk >= :a', ':a > pk', 'pk BETWEEN :a AND :a', 'begins_with(pk, :a)']
    for (const condition of conditions) {
      await expectValidationError(queryWith(bench, 'composite', condition, { ':a': pk }), message)
      await expectValidationError(queryWith(bench, 'hash', condition, { ':a': pk }), message)
    }
    await expectValidationError(queryWith(bench, 'composite', 'pk > :a AND sk = :a', { ':a': pk }), message)
  },

  'more conditions than key attributes are rejected': async bench => {
    const message = (given: number, defined: number) =>
      `The number of query conditions (${given}) exceeds the number of key attributes defined in the schema (${defined})`
    const given = { ':a': pk }
    await expectValidationError(
      queryWith(bench, 'composite', 'pk = :a AND sk = :a AND extra = :a', given),
      message(3, 2),
    )
    await expectValidationError(queryWith(bench, 'hash', 'pk = :a AND extra = :a', given), message(2, 1))
    const byGroup = { IndexName: 'groupOnly' }
    await expectValidationError(
      queryWith(bench, 'composite', '#g = :a AND pk = :a', { ...given, '#g': 'group' }, byGroup),
      message(2, 1),
    )
  },

  'values of a key condition with a wrong type are rejected': async bench => {
    const wrong = (table: Parameters<TestBench['sharedTable']>[0], condition: string, given: PlaceholderValues) =>
      expectValidationError(queryWith(bench, table, condition, given), WRONG_PARAMETER_TYPE)
    await wrong('composite', 'pk = :a', { ':a': numericValue(1) })
    await wrong('hashN', 'pk = :a', { ':a': stringValue('1') })
    await wrong('hashB', 'pk = :a', { ':a': stringValue('1') })
    await wrong('composite', 'pk = :p AND sk = :a', { ':p': pk, ':a': { BOOL: true } })
    await wrong('composite', 'pk = :p AND sk > :a', { ':p': pk, ':a': binaryValue(1) })
    await wrong('compositeN', 'pk = :p AND begins_with(sk, :a)', { ':p': pk, ':a': stringValue('1') })
    await wrong('compositeB', 'pk = :p AND sk BETWEEN :a AND :a', { ':p': pk, ':a': stringValue('1') })
  },

  'a wrong value type is reported before an unsupported operator on the partition key': async bench => {
    await expectValidationError(
      queryWith(bench, 'composite', 'pk > :a', { ':a': numericValue(1) }),
      WRONG_PARAMETER_TYPE,
    )
  },

  'a key condition on an empty key is rejected': async bench => {
    const refusal = (kind: string, name: string) =>
      'One or more parameter values are not valid. ' +
      `The AttributeValue for a key attribute cannot contain an empty ${kind} value. Key: ${name}`
    const empty = { ':p': pk, ':a': stringValue('') }
    await expectValidationError(
      queryWith(bench, 'composite', 'pk = :a', { ':a': stringValue('') }),
      refusal('string', 'pk'),
    )
    await expectValidationError(queryWith(bench, 'composite', 'pk = :p AND sk = :a', empty), refusal('string', 'sk'))
    await expectValidationError(queryWith(bench, 'composite', 'pk = :p AND sk > :a', empty), refusal('string', 'sk'))
    await expectValidationError(
      queryWith(bench, 'composite', 'pk = :p AND begins_with(sk, :a)', empty),
      refusal('string', 'sk'),
    )
    await expectValidationError(queryWith(bench, 'hashB', 'pk = :a', { ':a': binaryValue() }), refusal('binary', 'pk'))
  },

  'a key condition on an empty key of a global index is rejected': async bench => {
    const given = { '#g': 'group', ':a': stringValue('') }
    await expectValidationError(
      queryWith(bench, 'composite', '#g = :a', given, { IndexName: 'groupOnly' }),
      'One or more parameter values are not valid. A value specified for a secondary index key is not supported. ' +
        'The AttributeValue for a key attribute cannot contain an empty string value. ' +
        'IndexName: groupOnly, IndexKey: group',
    )
  },
})

/** Cases of rejected key conditions, with the service's messages. */
export const keyConditionErrorCases = [...formErrors, ...keyErrors]
