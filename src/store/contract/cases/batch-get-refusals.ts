import { BATCH_GET_KEYS } from '../../../dynamodb/limits.js'
import type { KeysAndAttributes } from '../../../dynamodb/operations/batches.js'
import type { Bench } from '../bench.js'
import { cases, covering } from '../case.js'
import { invalid, refused } from '../expect.js'
import { times } from './measures.js'

const SCHEMA_MISMATCH = 'The provided key element does not match the schema'
const DUPLICATES = 'Provided list of item keys contains duplicates'
const NOT_FOUND = 'Requested resource not found'

const keyed = (...keys: string[]): KeysAndAttributes => ({ Keys: keys.map(S => ({ pk: { S } })) })

async function invalidRead(bench: Bench, read: KeysAndAttributes, message: string): Promise<void> {
  const table = await bench.table('hash')
  await invalid(bench.store.batchGetItem({ RequestItems: { [table]: read } }), message)
}

export const batchGetRefusalCases = cases('batchGetItem', {
  'more than 100 keys of one table are refused': covering(['limit:BATCH_GET_KEYS'], async bench => {
    const table = await bench.table('hash')
    await invalid(
      bench.store.batchGetItem({ RequestItems: { [table]: keyed(...times(BATCH_GET_KEYS + 1, String)) } }),
      `1 validation error detected: Value at 'RequestItems.${table}.member.Keys' failed to satisfy constraint: ` +
        'Member must have length less than or equal to 100',
    )
  }),

  'more than 100 keys over all tables are refused': covering(['limit:BATCH_GET_KEYS'], async bench => {
    const [text, number] = [await bench.table('hash'), await bench.table('hashN')]
    const RequestItems = {
      [text]: keyed(...times(BATCH_GET_KEYS, String)),
      [number]: { Keys: [{ pk: { N: '1' } }] },
    }
    await invalid(bench.store.batchGetItem({ RequestItems }), 'Too many items requested for the BatchGetItem call')
  }),

  'a key given twice is refused': bench => invalidRead(bench, keyed('same', 'other', 'same'), DUPLICATES),

  'a key given twice is refused before its table is looked up': async bench => {
    const RequestItems = { [bench.ownName()]: keyed('same', 'same') }
    await invalid(bench.store.batchGetItem({ RequestItems }), DUPLICATES)
  },

  'a table that is not there refuses the whole batch': async bench => {
    const RequestItems = { [await bench.table('hash')]: keyed('some'), [bench.ownName()]: keyed('some') }
    await refused(bench.store.batchGetItem({ RequestItems }), 'ResourceNotFoundException', NOT_FOUND)
  },

  'a key by other names is refused': bench => invalidRead(bench, { Keys: [{ id: { S: 'some' } }] }, SCHEMA_MISMATCH),

  'a key with more than the key is refused': bench =>
    invalidRead(bench, { Keys: [{ pk: { S: 'some' }, sk: { S: 'more' } }] }, SCHEMA_MISMATCH),

  'a key without its sort key is refused': async bench => {
    const table = await bench.table('composite')
    await invalid(bench.store.batchGetItem({ RequestItems: { [table]: keyed('some') } }), SCHEMA_MISMATCH)
  },

  'a key of another type is refused': bench => invalidRead(bench, { Keys: [{ pk: { N: '1' } }] }, SCHEMA_MISMATCH),

  'an empty key is refused': bench =>
    invalidRead(
      bench,
      keyed(''),
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ' +
        'string value. Key: pk',
    ),

  'one bad key refuses the good ones too': async bench => {
    const table = await bench.table('hash')
    const pk = bench.unique()
    await bench.put(table, { pk: { S: pk } })
    await invalidRead(bench, { Keys: [{ pk: { S: pk } }, { pk: { N: '1' } }] }, SCHEMA_MISMATCH)
  },

  'a number that is none is refused before its table is looked up': async bench => {
    const RequestItems = { [bench.ownName()]: { Keys: [{ pk: { N: 'one' } }] } }
    await invalid(
      bench.store.batchGetItem({ RequestItems }),
      'The parameter cannot be converted to a numeric value: one',
    )
  },

  'a projection that cannot be read is refused before its table is looked up': async bench => {
    const RequestItems = { [bench.ownName()]: { ...keyed('some'), ProjectionExpression: 'a b' } }
    await invalid(
      bench.store.batchGetItem({ RequestItems }),
      'Invalid ProjectionExpression: Syntax error; token: "b", near: "a b"',
    )
  },

  'an empty projection is refused': bench =>
    invalidRead(
      bench,
      { ...keyed('some'), ProjectionExpression: '' },
      'Invalid ProjectionExpression: The expression can not be empty;',
    ),

  'a projection with a name that is not defined is refused': bench =>
    invalidRead(
      bench,
      { ...keyed('some'), ProjectionExpression: '#a' },
      'Invalid ProjectionExpression: An expression attribute name used in the document path is not defined; ' +
        'attribute name: #a',
    ),

  'a projection whose paths overlap is refused': bench =>
    invalidRead(
      bench,
      { ...keyed('some'), ProjectionExpression: 'a, a.b' },
      'Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these ' +
        'paths; path one: [a], path two: [a, b]',
    ),

  'names that no projection uses are refused': bench =>
    invalidRead(
      bench,
      { ...keyed('some'), ProjectionExpression: 'a', ExpressionAttributeNames: { '#b': 'b' } },
      'Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}',
    ),

  'names without a projection are refused, with AttributesToGet or without': async bench => {
    const expected = 'ExpressionAttributeNames can only be specified when using expressions'
    const named = { ...keyed('some'), ExpressionAttributeNames: { '#b': 'b' } }
    await invalidRead(bench, named, expected)
    await invalidRead(bench, { ...named, AttributesToGet: ['a'] }, expected)
  },

  'a projection beside AttributesToGet is refused': bench =>
    invalidRead(
      bench,
      { ...keyed('some'), ProjectionExpression: 'a', AttributesToGet: ['a'] },
      'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: ' +
        '{AttributesToGet} Expression parameters: {ProjectionExpression}',
    ),

  'a projection of one table beside AttributesToGet of another is refused': async bench => {
    const RequestItems = {
      [await bench.table('hash')]: { ...keyed('some'), ProjectionExpression: 'a' },
      [await bench.table('hashN')]: { Keys: [{ pk: { N: '1' } }], AttributesToGet: ['a'] },
    }
    await invalid(
      bench.store.batchGetItem({ RequestItems }),
      'Can not use both expression and non-expression parameters in the same request: Non-expression parameters: ' +
        '{AttributesToGet} Expression parameters: {ProjectionExpression}',
    )
  },
})
