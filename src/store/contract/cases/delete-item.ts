import type { AttributeValue } from '../../../dynamodb/attribute-value.js'
import { REQUEST_NESTING_LEVELS } from '../../../dynamodb/limits.js'
import { cases } from '../case.js'
import { invalid, invalidRequest, refused, same } from '../expect.js'
import { inMap, within } from './measures.js'
import { answered, Trial } from './trial.js'

const ONLY_OLD = 'ReturnValues can only be ALL_OLD or NONE'

/** What DeleteItem does, beside conditions. */
export const deleteItemCases = cases('deleteItem', {
  'a deleted item is gone, and deleting it again is no error': async bench => {
    const trial = await Trial.of(bench, { a: { N: '1' } })
    const { TableName, Key } = trial
    await answered(bench.store.deleteItem({ TableName, Key }), {})
    same(await trial.attributes(), undefined)
    await answered(bench.store.deleteItem({ TableName, Key }), {})
  },
  'only the item with the key is deleted': async bench => {
    const TableName = await bench.table('composite')
    const pk = { S: bench.unique() }
    const kept = { pk, sk: { S: 'kept' } }
    await bench.put(TableName, kept, { pk, sk: { S: 'gone' } })
    await bench.store.deleteItem({ TableName, Key: { pk, sk: { S: 'gone' } } })
    same(await bench.get(TableName, kept), kept)
    same(await bench.get(TableName, { pk, sk: { S: 'gone' } }), undefined)
  },
  'ALL_OLD answers the item that was deleted, and NONE nothing': async bench => {
    const trial = await Trial.of(bench, { a: { N: '1' } })
    const { TableName, Key } = trial
    await answered(bench.store.deleteItem({ TableName, Key, ReturnValues: 'ALL_OLD' }), {
      Attributes: trial.item({ a: { N: '1' } }),
    })
    await answered(bench.store.deleteItem({ TableName, Key, ReturnValues: 'ALL_OLD' }), {})
    await trial.put({})
    await answered(bench.store.deleteItem({ TableName, Key, ReturnValues: 'NONE' }), {})
  },
  'values of a new item or of a part cannot be asked for': async bench => {
    const trial = await Trial.of(bench, {})
    const { TableName, Key } = trial
    for (const ReturnValues of ['ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW'] as const)
      await invalidRequest(bench.store.deleteItem({ TableName, Key, ReturnValues }), ONLY_OLD)
    same(await trial.attributes(), {})
  },
  'the values to return are looked at before the values of the condition': async bench => {
    const trial = await Trial.of(bench)
    const { TableName, Key } = trial
    const wrong = (value: AttributeValue) =>
      bench.store.deleteItem({
        ...{ TableName, Key, ReturnValues: 'ALL_NEW' },
        ConditionExpression: 'a = :v',
        ExpressionAttributeValues: { ':v': value },
      })
    await invalidRequest(wrong({ SS: [] }), ONLY_OLD)
    await invalid(wrong(within(REQUEST_NESTING_LEVELS + 1, inMap)), ONLY_OLD)
  },
  'a condition keeps an item from being deleted': async bench => {
    const trial = await Trial.of(bench, { a: { N: '1' } })
    const remove = (a: string) =>
      bench.store.deleteItem({
        TableName: trial.TableName,
        Key: trial.Key,
        ConditionExpression: 'a = :a',
        ExpressionAttributeValues: { ':a': { N: a } },
      })
    await refused(remove('2'), 'ConditionalCheckFailedException', 'The conditional request failed')
    same(await trial.attributes(), { a: { N: '1' } })
    await answered(remove('1'), {})
    same(await trial.attributes(), undefined)
    await refused(remove('1'), 'ConditionalCheckFailedException')
  },
  'a failed condition shows the item where it is asked to': async bench => {
    const trial = await Trial.of(bench, { a: { N: '1' } })
    const failed = (ReturnValuesOnConditionCheckFailure: 'ALL_OLD' | 'NONE' | undefined) =>
      refused(
        bench.store.deleteItem({
          TableName: trial.TableName,
          Key: trial.Key,
          ConditionExpression: 'attribute_exists(b)',
          ReturnValuesOnConditionCheckFailure,
        }),
        'ConditionalCheckFailedException',
      )
    same((await failed('ALL_OLD')).Item, trial.item({ a: { N: '1' } }))
    same((await failed('NONE')).Item, undefined)
    same((await failed(undefined)).Item, undefined)
  },
  'a key that is not exactly the key of the table is refused': async bench => {
    const TableName = await bench.table('composite')
    const pk = { S: 'a' }
    const sk = { S: 'b' }
    for (const Key of [{}, { pk }, { sk }, { pk, sk, a: sk }, { pk, sk: { N: '1' } }])
      await invalid(bench.store.deleteItem({ TableName, Key }), 'The provided key element does not match the schema')
  },
  'a table that is not there is told as such': async bench => {
    await refused(
      bench.store.deleteItem({ TableName: bench.ownName(), Key: { pk: { S: 'a' } } }),
      'ResourceNotFoundException',
      'Requested resource not found',
    )
  },
  'a delete is checked by itself before its table is looked up, and against its key after': async bench => {
    const TableName = bench.ownName()
    const Key = {}
    await invalidRequest(
      bench.store.deleteItem({ TableName, Key, ReturnValues: 'ALL_NEW', ConditionExpression: '' }),
      ONLY_OLD,
    )
    await invalidRequest(
      bench.store.deleteItem({ TableName, Key, ConditionExpression: '' }),
      'Invalid ConditionExpression: The expression can not be empty;',
    )
    await refused(bench.store.deleteItem({ TableName, Key }), 'ResourceNotFoundException')
  },
  'names and values need an expression': async bench => {
    const { TableName, Key } = await Trial.of(bench)
    await invalidRequest(
      bench.store.deleteItem({ TableName, Key, ExpressionAttributeNames: { '#a': 'a' } }),
      'ExpressionAttributeNames can only be specified when using expressions',
    )
    await invalidRequest(
      bench.store.deleteItem({ TableName, Key, ExpressionAttributeValues: { ':a': { N: '1' } } }),
      'ExpressionAttributeValues can only be specified when using expressions',
    )
  },
})
