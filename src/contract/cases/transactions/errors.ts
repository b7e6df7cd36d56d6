import { ITEM_BYTES } from '../../../dynamodb/limits.js'
import type { TransactWriteItem } from '../../../dynamodb/operation-types.js'
import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { fillItem } from '../../fixtures/sized-items.js'
import type { TestBench } from '../../test-bench.js'

const DUPLICATE_ITEM = 'Transaction request cannot include multiple operations on one item'
const NOT_A_NUMBER = 'The parameter cannot be converted to a numeric value: none'

/** Asserts that an invalid action after a valid put rejects the whole transaction without cancellation reasons. */
async function expectAllRejected(
  bench: TestBench,
  bad: (TableName: string) => TransactWriteItem,
  message: string,
): Promise<void> {
  const TableName = await bench.sharedTable('hash')
  const Item = { pk: { S: bench.unique() } }
  const TransactItems = [{ Put: { TableName, Item } }, bad(TableName)]
  const { CancellationReasons } = await expectValidationError(
    bench.store.transactWriteItems({ TransactItems }),
    message,
  )
  expectEqual([CancellationReasons, await bench.get(TableName, Item)], [undefined, undefined])
}

const someKey = { pk: { S: 'some' } }

export const transactErrorCases = defineCases('transactWriteItems', {
  'two actions of any kinds on one item are rejected': async bench => {
    const TableName = await bench.sharedTable('hash')
    const Key = { pk: { S: bench.unique() } }
    const actions: TransactWriteItem[] = [
      { Put: { TableName, Item: { ...Key, a: { S: 'a' } } } },
      { Update: { TableName, Key, UpdateExpression: 'REMOVE b' } },
      { Delete: { TableName, Key } },
      { ConditionCheck: { TableName, Key, ConditionExpression: 'attribute_exists(zzz)' } },
    ]
    for (const [index, action] of actions.entries()) {
      const TransactItems = [action, actions[(index + 1) % actions.length]!]
      await expectValidationError(bench.store.transactWriteItems({ TransactItems }), DUPLICATE_ITEM)
    }
    expectEqual(await bench.get(TableName, Key), undefined)
  },

  'a missing table rejects the whole transaction': async bench => {
    const TableName = await bench.sharedTable('hash')
    const Item = { pk: { S: bench.unique() } }
    const TransactItems = [{ Put: { TableName, Item } }, { Put: { TableName: bench.newTableName(), Item } }]
    await expectRejection(
      bench.store.transactWriteItems({ TransactItems }),
      'ResourceNotFoundException',
      'Requested resource not found',
    )
    expectEqual(await bench.get(TableName, Item), undefined)
  },

  'a missing table is reported before a failed condition': async bench => {
    const ConditionExpression = 'attribute_exists(pk)'
    const TransactItems = [
      {
        Delete: { TableName: await bench.sharedTable('hash'), Key: { pk: { S: bench.unique() } }, ConditionExpression },
      },
      { Delete: { TableName: bench.newTableName(), Key: someKey } },
    ]
    await expectRejection(bench.store.transactWriteItems({ TransactItems }), 'ResourceNotFoundException')
  },

  'an entry without an action is rejected': bench =>
    expectAllRejected(
      bench,
      () => ({}),
      'Invalid Request: TransactWriteRequest should contain Delete or Put or Update request',
    ),

  'an entry with two actions is rejected': bench =>
    expectAllRejected(
      bench,
      TableName => ({ Put: { TableName, Item: someKey }, Delete: { TableName, Key: { pk: { S: 'other' } } } }),
      'TransactItems can only contain one of Check, Put, Update or Delete',
    ),

  'an empty key is rejected': bench =>
    expectAllRejected(
      bench,
      TableName => ({ Put: { TableName, Item: { pk: { S: '' } } } }),
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ' +
        'string value. Key: pk',
    ),

  'an item of more than 400 KB is rejected': withCoverage(['limit:ITEM_BYTES'], bench =>
    expectAllRejected(
      bench,
      TableName => ({ Put: { TableName, Item: fillItem(someKey, ITEM_BYTES + 1) } }),
      'Item size has exceeded the maximum allowed size',
    ),
  ),

  'an invalid number is rejected': bench =>
    expectAllRejected(
      bench,
      TableName => ({ Put: { TableName, Item: { ...someKey, n: { N: 'none' } } } }),
      NOT_A_NUMBER,
    ),

  'values are validated before tables are looked up': async bench => {
    const Put = { TableName: bench.newTableName(), Item: { ...someKey, n: { N: 'none' } } }
    await expectValidationError(bench.store.transactWriteItems({ TransactItems: [{ Put }] }), NOT_A_NUMBER)
  },

  'a condition with a syntax error is rejected': bench =>
    expectAllRejected(
      bench,
      TableName => ({ ConditionCheck: { TableName, Key: someKey, ConditionExpression: 'a b' } }),
      'Invalid ConditionExpression: Syntax error; token: "b", near: "a b"',
    ),

  'an empty condition is rejected': bench =>
    expectAllRejected(
      bench,
      TableName => ({ Delete: { TableName, Key: someKey, ConditionExpression: '' } }),
      'Invalid ConditionExpression: The expression can not be empty;',
    ),

  'an empty update is rejected': bench =>
    expectAllRejected(
      bench,
      TableName => ({ Update: { TableName, Key: someKey, UpdateExpression: '' } }),
      'Invalid UpdateExpression: The expression can not be empty;',
    ),

  'an update whose paths overlap is rejected': bench =>
    expectAllRejected(
      bench,
      TableName => ({ Update: { TableName, Key: someKey, UpdateExpression: 'REMOVE a, a.b' } }),
      'Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these ' +
        'paths; path one: [a], path two: [a, b]',
    ),

  'an undefined value is rejected': bench =>
    expectAllRejected(
      bench,
      TableName => ({ Delete: { TableName, Key: someKey, ConditionExpression: 'a = :a' } }),
      'Invalid ConditionExpression: An expression attribute value used in expression is not defined; ' +
        'attribute value: :a',
    ),

  'values that no expression uses are rejected': bench =>
    expectAllRejected(
      bench,
      TableName => ({
        Update: {
          ...{ TableName, Key: someKey, UpdateExpression: 'REMOVE a' },
          ExpressionAttributeValues: { ':b': { S: 'b' } },
        },
      }),
      'Value provided in ExpressionAttributeValues unused in expressions: keys: {:b}',
    ),

  'names that no expression uses are rejected': bench =>
    expectAllRejected(
      bench,
      TableName => ({
        ConditionCheck: {
          ...{ TableName, Key: someKey, ConditionExpression: 'attribute_exists(a)' },
          ExpressionAttributeNames: { '#b': 'b' },
        },
      }),
      'Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}',
    ),

  'expressions are validated before tables are looked up': async bench => {
    const ConditionCheck = { TableName: bench.newTableName(), Key: someKey, ConditionExpression: '' }
    await expectValidationError(
      bench.store.transactWriteItems({ TransactItems: [{ ConditionCheck }] }),
      'Invalid ConditionExpression: The expression can not be empty;',
    )
  },
})
