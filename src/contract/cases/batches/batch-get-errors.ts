import { BATCH_GET_KEYS } from '../../../dynamodb/limits.js'
import type { KeysAndAttributes } from '../../../dynamodb/operation-types.js'
import { expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { createMany } from '../../fixtures/sized-items.js'
import type { TestBench } from '../../test-bench.js'

const SCHEMA_MISMATCH = 'The provided key element does not match the schema'
const DUPLICATES = 'Provided list of item keys contains duplicates'
const NOT_FOUND = 'Requested resource not found'

const keysRequest = (...keys: string[]): KeysAndAttributes => ({ Keys: keys.map(S => ({ pk: { S } })) })

async function expectInvalidRead(bench: TestBench, read: KeysAndAttributes, message: string): Promise<void> {
  const table = await bench.sharedTable('hash')
  await expectValidationError(bench.store.batchGetItem({ RequestItems: { [table]: read } }), message)
}

export const batchGetErrorCases = defineCases('batchGetItem', {
  'more than 100 keys of one table are rejected': withCoverage(['limit:BATCH_GET_KEYS'], async bench => {
    const table = await bench.sharedTable('hash')
    await expectValidationError(
      bench.store.batchGetItem({ RequestItems: { [table]: keysRequest(...createMany(BATCH_GET_KEYS + 1, String)) } }),
      `1 validation error detected: Value at 'RequestItems.${table}.member.Keys' failed to satisfy constraint: ` +
        'Member must have length less than or equal to 100',
    )
  }),

  'more than 100 keys over all tables are rejected': withCoverage(['limit:BATCH_GET_KEYS'], async bench => {
    const [text, number] = [await bench.sharedTable('hash'), await bench.sharedTable('hashN')]
    const RequestItems = {
      [text]: keysRequest(...createMany(BATCH_GET_KEYS, String)),
      [number]: { Keys: [{ pk: { N: '1' } }] },
    }
    await expectValidationError(
      bench.store.batchGetItem({ RequestItems }),
      'Too many items requested for the BatchGetItem call',
    )
  }),

  'a duplicate key is rejected': bench => expectInvalidRead(bench, keysRequest('same', 'other', 'same'), DUPLICATES),

  'a duplicate key is rejected before the table is looked up': async bench => {
    const RequestItems = { [bench.newTableName()]: keysRequest('same', 'same') }
    await expectValidationError(bench.store.batchGetItem({ RequestItems }), DUPLICATES)
  },

  'a missing table rejects the whole batch': async bench => {
    const RequestItems = {
      [await bench.sharedTable('hash')]: keysRequest('some'),
      [bench.newTableName()]: keysRequest('some'),
    }
    await expectRejection(bench.store.batchGetItem({ RequestItems }), 'ResourceNotFoundException', NOT_FOUND)
  },

  'a key with other attribute names is rejected': bench =>
    expectInvalidRead(bench, { Keys: [{ id: { S: 'some' } }] }, SCHEMA_MISMATCH),

  'a key with additional attributes is rejected': bench =>
    expectInvalidRead(bench, { Keys: [{ pk: { S: 'some' }, sk: { S: 'more' } }] }, SCHEMA_MISMATCH),

  'a key without its sort key is rejected': async bench => {
    const table = await bench.sharedTable('composite')
    await expectValidationError(
      bench.store.batchGetItem({ RequestItems: { [table]: keysRequest('some') } }),
      SCHEMA_MISMATCH,
    )
  },

  'a key of another type is rejected': bench =>
    expectInvalidRead(bench, { Keys: [{ pk: { N: '1' } }] }, SCHEMA_MISMATCH),

  'an empty key is rejected': bench =>
    expectInvalidRead(
      bench,
      keysRequest(''),
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ' +
        'string value. Key: pk',
    ),

  'one invalid key rejects the whole batch': async bench => {
    const table = await bench.sharedTable('hash')
    const pk = bench.unique()
    await bench.put(table, { pk: { S: pk } })
    await expectInvalidRead(bench, { Keys: [{ pk: { S: pk } }, { pk: { N: '1' } }] }, SCHEMA_MISMATCH)
  },

  'an invalid number is rejected before the table is looked up': async bench => {
    const RequestItems = { [bench.newTableName()]: { Keys: [{ pk: { N: 'one' } }] } }
    await expectValidationError(
      bench.store.batchGetItem({ RequestItems }),
      'The parameter cannot be converted to a numeric value: one',
    )
  },

  'a projection with a syntax error is rejected before the table is looked up': async bench => {
    const RequestItems = { [bench.newTableName()]: { ...keysRequest('some'), ProjectionExpression: 'a b' } }
    await expectValidationError(
      bench.store.batchGetItem({ RequestItems }),
      'Invalid ProjectionExpression: Syntax error; token: "b", near: "a b"',
    )
  },

  'an empty projection is rejected': bench =>
    expectInvalidRead(
      bench,
      { ...keysRequest('some'), ProjectionExpression: '' },
      'Invalid ProjectionExpression: The expression can not be empty;',
    ),

  'a projection with a name that is not defined is rejected': bench =>
    expectInvalidRead(
      bench,
      { ...keysRequest('some'), ProjectionExpression: '#a' },
      'Invalid ProjectionExpression: An expression attribute name used in the document path is not defined; ' +
        'attribute name: #a',
    ),

  'a projection whose paths overlap is rejected': bench =>
    expectInvalidRead(
      bench,
      { ...keysRequest('some'), ProjectionExpression: 'a, a.b' },
      'Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these ' +
        'paths; path one: [a], path two: [a, b]',
    ),

  'names that no projection uses are rejected': bench =>
    expectInvalidRead(
      bench,
      { ...keysRequest('some'), ProjectionExpression: 'a', ExpressionAttributeNames: { '#b': 'b' } },
      'Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}',
    ),

  'names without a projection are rejected, with AttributesToGet or without': async bench => {
    const expected = 'ExpressionAttributeNames can only be specified when using expressions'
    const named = { ...keysRequest('some'), ExpressionAttributeNames: { '#b': 'b' } }
    await expectInvalidRead(bench, named, expected)
    await expectInvalidRead(bench, { ...named, AttributesToGet: ['a'] }, expected)
  },

  'a projection together with AttributesToGet is rejected': bench =>
    expectInvalidRead(
      bench,
      { ...keysRequest('some'), ProjectionExpression: 'a', AttributesToGet: ['a'] },
      'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: ' +
        '{AttributesToGet} Expression parameters: {ProjectionExpression}',
    ),

  'a projection of one table together with AttributesToGet of another is rejected': async bench => {
    const RequestItems = {
      [await bench.sharedTable('hash')]: { ...keysRequest('some'), ProjectionExpression: 'a' },
      [await bench.sharedTable('hashN')]: { Keys: [{ pk: { N: '1' } }], AttributesToGet: ['a'] },
    }
    await expectValidationError(
      bench.store.batchGetItem({ RequestItems }),
      'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: ' +
        '{AttributesToGet} Expression parameters: {ProjectionExpression}',
    )
  },
})
