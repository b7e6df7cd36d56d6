import type { AttributeValue } from '../../../dynamodb/attribute-value.js'
import { REQUEST_NESTING_LEVELS } from '../../../dynamodb/limits.js'
import { expectEqual, expectInvalidRequest, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { expectOutput, ItemTrial } from '../../fixtures/item-trial.js'
import { nestValue, wrapInMap } from '../../fixtures/sized-items.js'

const ONLY_OLD = 'ReturnValues can only be ALL_OLD or NONE'

/** Cases of DeleteItem, without conditions. */
export const deleteItemCases = defineCases('deleteItem', {
  'a deleted item is gone, and deleting it again succeeds': async bench => {
    const trial = await ItemTrial.of(bench, { a: { N: '1' } })
    const { TableName, Key } = trial
    await expectOutput(bench.store.deleteItem({ TableName, Key }), {})
    expectEqual(await trial.readAttributes(), undefined)
    await expectOutput(bench.store.deleteItem({ TableName, Key }), {})
  },
  'only the item with the key is deleted': async bench => {
    const TableName = await bench.sharedTable('composite')
    const pk = { S: bench.unique() }
    const kept = { pk, sk: { S: 'kept' } }
    await bench.put(TableName, kept, { pk, sk: { S: 'gone' } })
    await bench.store.deleteItem({ TableName, Key: { pk, sk: { S: 'gone' } } })
    expectEqual(await bench.get(TableName, kept), kept)
    expectEqual(await bench.get(TableName, { pk, sk: { S: 'gone' } }), undefined)
  },
  'ALL_OLD returns the deleted item, and NONE returns nothing': async bench => {
    const trial = await ItemTrial.of(bench, { a: { N: '1' } })
    const { TableName, Key } = trial
    await expectOutput(bench.store.deleteItem({ TableName, Key, ReturnValues: 'ALL_OLD' }), {
      Attributes: trial.item({ a: { N: '1' } }),
    })
    await expectOutput(bench.store.deleteItem({ TableName, Key, ReturnValues: 'ALL_OLD' }), {})
    await trial.put({})
    await expectOutput(bench.store.deleteItem({ TableName, Key, ReturnValues: 'NONE' }), {})
  },
  'ReturnValues of new or updated attributes are rejected': async bench => {
    const trial = await ItemTrial.of(bench, {})
    const { TableName, Key } = trial
    for (const ReturnValues of ['ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW'] as const)
      await expectInvalidRequest(bench.store.deleteItem({ TableName, Key, ReturnValues }), ONLY_OLD)
    expectEqual(await trial.readAttributes(), {})
  },
  'ReturnValues is validated before the values of the condition': async bench => {
    const trial = await ItemTrial.of(bench)
    const { TableName, Key } = trial
    const wrong = (value: AttributeValue) =>
      bench.store.deleteItem({
        ...{ TableName, Key, ReturnValues: 'ALL_NEW' },
        ConditionExpression: 'a = :v',
        ExpressionAttributeValues: { ':v': value },
      })
    await expectInvalidRequest(wrong({ SS: [] }), ONLY_OLD)
    await expectValidationError(wrong(nestValue(REQUEST_NESTING_LEVELS + 1, wrapInMap)), ONLY_OLD)
  },
  'a failed condition prevents the delete': async bench => {
    const trial = await ItemTrial.of(bench, { a: { N: '1' } })
    const remove = (a: string) =>
      bench.store.deleteItem({
        TableName: trial.TableName,
        Key: trial.Key,
        ConditionExpression: 'a = :a',
        ExpressionAttributeValues: { ':a': { N: a } },
      })
    await expectRejection(remove('2'), 'ConditionalCheckFailedException', 'The conditional request failed')
    expectEqual(await trial.readAttributes(), { a: { N: '1' } })
    await expectOutput(remove('1'), {})
    expectEqual(await trial.readAttributes(), undefined)
    await expectRejection(remove('1'), 'ConditionalCheckFailedException')
  },
  'a failed condition returns the item on request': async bench => {
    const trial = await ItemTrial.of(bench, { a: { N: '1' } })
    const failed = (ReturnValuesOnConditionCheckFailure: 'ALL_OLD' | 'NONE' | undefined) =>
      expectRejection(
        bench.store.deleteItem({
          TableName: trial.TableName,
          Key: trial.Key,
          ConditionExpression: 'attribute_exists(b)',
          ReturnValuesOnConditionCheckFailure,
        }),
        'ConditionalCheckFailedException',
      )
    expectEqual((await failed('ALL_OLD')).Item, trial.item({ a: { N: '1' } }))
    expectEqual((await failed('NONE')).Item, undefined)
    expectEqual((await failed(undefined)).Item, undefined)
  },
  'a key that is not exactly the key of the table is rejected': async bench => {
    const TableName = await bench.sharedTable('composite')
    const pk = { S: 'a' }
    const sk = { S: 'b' }
    for (const Key of [{}, { pk }, { sk }, { pk, sk, a: sk }, { pk, sk: { N: '1' } }])
      await expectValidationError(
        bench.store.deleteItem({ TableName, Key }),
        'The provided key element does not match the schema',
      )
  },
  'a missing table is reported': async bench => {
    await expectRejection(
      bench.store.deleteItem({ TableName: bench.newTableName(), Key: { pk: { S: 'a' } } }),
      'ResourceNotFoundException',
      'Requested resource not found',
    )
  },
  'a delete is validated before its table is looked up, and its key afterwards': async bench => {
    const TableName = bench.newTableName()
    const Key = {}
    await expectInvalidRequest(
      bench.store.deleteItem({ TableName, Key, ReturnValues: 'ALL_NEW', ConditionExpression: '' }),
      ONLY_OLD,
    )
    await expectInvalidRequest(
      bench.store.deleteItem({ TableName, Key, ConditionExpression: '' }),
      'Invalid ConditionExpression: The expression can not be empty;',
    )
    await expectRejection(bench.store.deleteItem({ TableName, Key }), 'ResourceNotFoundException')
  },
  'names and values without an expression are rejected': async bench => {
    const { TableName, Key } = await ItemTrial.of(bench)
    await expectInvalidRequest(
      bench.store.deleteItem({ TableName, Key, ExpressionAttributeNames: { '#a': 'a' } }),
      'ExpressionAttributeNames can only be specified when using expressions',
    )
    await expectInvalidRequest(
      bench.store.deleteItem({ TableName, Key, ExpressionAttributeValues: { ':a': { N: '1' } } }),
      'ExpressionAttributeValues can only be specified when using expressions',
    )
  },
})
