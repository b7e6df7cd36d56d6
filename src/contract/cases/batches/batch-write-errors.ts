import { BATCH_WRITE_ITEMS, ITEM_BYTES } from '../../../dynamodb/limits.js'
import type { WriteRequest } from '../../../dynamodb/operation-types.js'
import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { createMany, fillItem } from '../../fixtures/sized-items.js'
import type { TestBench } from '../../test-bench.js'

const SCHEMA_MISMATCH = 'The provided key element does not match the schema'
const DUPLICATES = 'Provided list of item keys contains duplicates'
const NOT_ONE =
  'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes'
const EMPTY_KEY =
  'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk'

const putRequest = (Item: NonNullable<WriteRequest['PutRequest']>['Item']): WriteRequest => ({ PutRequest: { Item } })
const deleteRequest = (Key: NonNullable<WriteRequest['DeleteRequest']>['Key']): WriteRequest => ({
  DeleteRequest: { Key },
})

/** The invalid write follows a valid one, which must not be applied. */
async function expectInvalidWrite(
  bench: TestBench,
  bad: WriteRequest,
  message: string,
  kind: 'hash' | 'composite' = 'hash',
): Promise<void> {
  const table = await bench.sharedTable(kind)
  const key = { pk: { S: bench.unique() }, ...(kind === 'composite' ? { sk: { S: 'a' } } : {}) }
  await expectValidationError(
    bench.store.batchWriteItem({ RequestItems: { [table]: [putRequest(key), bad] } }),
    message,
  )
  expectEqual(await bench.get(table, key), undefined)
}

export const batchWriteErrorCases = defineCases('batchWriteItem', {
  'more than 25 writes in one table are rejected': withCoverage(['limit:BATCH_WRITE_ITEMS'], async bench => {
    const table = await bench.sharedTable('hash')
    const writes = createMany(BATCH_WRITE_ITEMS + 1, index => putRequest({ pk: { S: `over-${index}` } }))
    await expectValidationError(
      bench.store.batchWriteItem({ RequestItems: { [table]: writes } }),
      /^1 validation error detected: Value '\{.+\}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: \[Member must have length less than or equal to 25, Member must have length greater than or equal to 1\]$/s,
    )
    expectEqual(await bench.get(table, { pk: { S: 'over-0' } }), undefined)
  }),

  'more than 25 writes over all tables are rejected': withCoverage(['limit:BATCH_WRITE_ITEMS'], async bench => {
    const [text, number] = [await bench.sharedTable('hash'), await bench.sharedTable('hashN')]
    const pk = bench.unique()
    const RequestItems = {
      [text]: createMany(BATCH_WRITE_ITEMS, index => putRequest({ pk: { S: `${pk}-${index}` } })),
      [number]: [putRequest({ pk: { N: '1' } })],
    }
    await expectValidationError(
      bench.store.batchWriteItem({ RequestItems }),
      'Too many items requested for the BatchWriteItem call',
    )
    expectEqual(await bench.get(text, { pk: { S: `${pk}-0` } }), undefined)
  }),

  'two puts of one item are rejected': async bench => {
    const table = await bench.sharedTable('hash')
    const pk = { S: bench.unique() }
    const RequestItems = { [table]: [putRequest({ pk, a: { S: 'a' } }), putRequest({ pk, b: { S: 'b' } })] }
    await expectValidationError(bench.store.batchWriteItem({ RequestItems }), DUPLICATES)
    expectEqual(await bench.get(table, { pk }), undefined)
  },

  'a put and a delete of one item are rejected': async bench => {
    const table = await bench.sharedTable('hash')
    const pk = { S: bench.unique() }
    await expectValidationError(
      bench.store.batchWriteItem({ RequestItems: { [table]: [putRequest({ pk }), deleteRequest({ pk })] } }),
      DUPLICATES,
    )
    expectEqual(await bench.get(table, { pk }), undefined)
  },

  'a missing table rejects the whole batch': async bench => {
    const table = await bench.sharedTable('hash')
    const pk = { S: bench.unique() }
    const RequestItems = { [table]: [putRequest({ pk })], [bench.newTableName()]: [putRequest({ pk })] }
    await expectRejection(
      bench.store.batchWriteItem({ RequestItems }),
      'ResourceNotFoundException',
      'Requested resource not found',
    )
    expectEqual(await bench.get(table, { pk }), undefined)
  },

  'a put without its key rejects the whole batch': bench =>
    expectInvalidWrite(bench, putRequest({ a: { S: 'a' } }), SCHEMA_MISMATCH),

  'a put with a wrong key type rejects the whole batch': bench =>
    expectInvalidWrite(bench, putRequest({ pk: { N: '1' } }), SCHEMA_MISMATCH),

  'a put without its sort key rejects the whole batch': bench =>
    expectInvalidWrite(bench, putRequest({ pk: { S: 'some' } }), SCHEMA_MISMATCH, 'composite'),

  'a put with an empty key rejects the whole batch': bench =>
    expectInvalidWrite(bench, putRequest({ pk: { S: '' } }), EMPTY_KEY),

  'a put with a wrong index key type rejects the whole batch': bench =>
    expectInvalidWrite(
      bench,
      putRequest({ pk: { S: 'some' }, sk: { S: 'a' }, local: { N: '1' } }),
      'One or more parameter values were invalid: Type mismatch for Index Key local Expected: S Actual: N ' +
        'IndexName: byLocal',
      'composite',
    ),

  'a delete with other key attributes rejects the whole batch': bench =>
    expectInvalidWrite(bench, deleteRequest({ id: { S: 'some' } }), SCHEMA_MISMATCH),

  'a delete with additional attributes rejects the whole batch': bench =>
    expectInvalidWrite(bench, deleteRequest({ pk: { S: 'some' }, a: { S: 'a' } }), SCHEMA_MISMATCH),

  'a delete with an empty key rejects the whole batch': bench =>
    expectInvalidWrite(bench, deleteRequest({ pk: { S: '' } }), EMPTY_KEY),

  'a write that is neither a put nor a delete rejects the whole batch': bench => expectInvalidWrite(bench, {}, NOT_ONE),

  'a write that is both a put and a delete rejects the whole batch': bench =>
    expectInvalidWrite(bench, { ...putRequest({ pk: { S: 'one' } }), ...deleteRequest({ pk: { S: 'two' } }) }, NOT_ONE),

  'an item of more than 400 KB rejects the whole batch': withCoverage(['limit:ITEM_BYTES'], bench =>
    expectInvalidWrite(
      bench,
      putRequest(fillItem({ pk: { S: 'large' } }, ITEM_BYTES + 1)),
      'Item size has exceeded the maximum allowed size',
    ),
  ),

  'an invalid number rejects the whole batch': bench =>
    expectInvalidWrite(
      bench,
      putRequest({ pk: { S: 'some' }, number: { N: 'none' } }),
      'The parameter cannot be converted to a numeric value: none',
    ),

  'values are validated before tables are looked up': async bench => {
    const RequestItems = { [bench.newTableName()]: [putRequest({ pk: { S: 'some' }, number: { N: 'none' } })] }
    await expectValidationError(
      bench.store.batchWriteItem({ RequestItems }),
      'The parameter cannot be converted to a numeric value: none',
    )
  },
})
