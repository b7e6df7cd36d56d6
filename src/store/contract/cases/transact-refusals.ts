import { ITEM_BYTES } from '../../../dynamodb/limits.js'
import type { TransactWriteItem } from '../../../dynamodb/operations/transactions.js'
import type { Bench } from '../bench.js'
import { cases, covering } from '../case.js'
import { invalid, refused, same } from '../expect.js'
import { filled } from './measures.js'

const TWICE = 'Transaction request cannot include multiple operations on one item'
const NO_NUMBER = 'The parameter cannot be converted to a numeric value: none'

/** The bad action comes after a good put; it refuses the whole transaction at once, with no list of reasons. */
async function refusesAll(bench: Bench, bad: (TableName: string) => TransactWriteItem, message: string): Promise<void> {
  const TableName = await bench.table('hash')
  const Item = { pk: { S: bench.unique() } }
  const TransactItems = [{ Put: { TableName, Item } }, bad(TableName)]
  const { CancellationReasons } = await invalid(bench.store.transactWriteItems({ TransactItems }), message)
  same([CancellationReasons, await bench.get(TableName, Item)], [undefined, undefined])
}

const someKey = { pk: { S: 'some' } }

export const transactRefusalCases = cases('transactWriteItems', {
  'two actions of any kinds on one item are refused': async bench => {
    const TableName = await bench.table('hash')
    const Key = { pk: { S: bench.unique() } }
    const actions: TransactWriteItem[] = [
      { Put: { TableName, Item: { ...Key, a: { S: 'a' } } } },
      { Update: { TableName, Key, UpdateExpression: 'REMOVE b' } },
      { Delete: { TableName, Key } },
      { ConditionCheck: { TableName, Key, ConditionExpression: 'attribute_exists(zzz)' } },
    ]
    for (const [index, action] of actions.entries()) {
      const TransactItems = [action, actions[(index + 1) % actions.length]!]
      await invalid(bench.store.transactWriteItems({ TransactItems }), TWICE)
    }
    same(await bench.get(TableName, Key), undefined)
  },

  'a table that is not there refuses the whole transaction': async bench => {
    const TableName = await bench.table('hash')
    const Item = { pk: { S: bench.unique() } }
    const TransactItems = [{ Put: { TableName, Item } }, { Put: { TableName: bench.ownName(), Item } }]
    await refused(
      bench.store.transactWriteItems({ TransactItems }),
      'ResourceNotFoundException',
      'Requested resource not found',
    )
    same(await bench.get(TableName, Item), undefined)
  },

  'a table that is not there goes before a condition that fails': async bench => {
    const ConditionExpression = 'attribute_exists(pk)'
    const TransactItems = [
      { Delete: { TableName: await bench.table('hash'), Key: { pk: { S: bench.unique() } }, ConditionExpression } },
      { Delete: { TableName: bench.ownName(), Key: someKey } },
    ]
    await refused(bench.store.transactWriteItems({ TransactItems }), 'ResourceNotFoundException')
  },

  'an entry without an action is refused': bench =>
    refusesAll(
      bench,
      () => ({}),
      'Invalid Request: TransactWriteRequest should contain Delete or Put or Update request',
    ),

  'an entry with two actions is refused': bench =>
    refusesAll(
      bench,
      TableName => ({ Put: { TableName, Item: someKey }, Delete: { TableName, Key: { pk: { S: 'other' } } } }),
      'TransactItems can only contain one of Check, Put, Update or Delete',
    ),

  'an empty key is refused': bench =>
    refusesAll(
      bench,
      TableName => ({ Put: { TableName, Item: { pk: { S: '' } } } }),
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ' +
        'string value. Key: pk',
    ),

  'an item of more than 400 KB is refused': covering(['limit:ITEM_BYTES'], bench =>
    refusesAll(
      bench,
      TableName => ({ Put: { TableName, Item: filled(someKey, ITEM_BYTES + 1) } }),
      'Item size has exceeded the maximum allowed size',
    ),
  ),

  'a number that is none is refused': bench =>
    refusesAll(bench, TableName => ({ Put: { TableName, Item: { ...someKey, n: { N: 'none' } } } }), NO_NUMBER),

  'values are looked at before tables': async bench => {
    const Put = { TableName: bench.ownName(), Item: { ...someKey, n: { N: 'none' } } }
    await invalid(bench.store.transactWriteItems({ TransactItems: [{ Put }] }), NO_NUMBER)
  },

  'a condition that cannot be read is refused': bench =>
    refusesAll(
      bench,
      TableName => ({ ConditionCheck: { TableName, Key: someKey, ConditionExpression: 'a b' } }),
      'Invalid ConditionExpression: Syntax error; token: "b", near: "a b"',
    ),

  'an empty condition is refused': bench =>
    refusesAll(
      bench,
      TableName => ({ Delete: { TableName, Key: someKey, ConditionExpression: '' } }),
      'Invalid ConditionExpression: The expression can not be empty;',
    ),

  'an empty update is refused': bench =>
    refusesAll(
      bench,
      TableName => ({ Update: { TableName, Key: someKey, UpdateExpression: '' } }),
      'Invalid UpdateExpression: The expression can not be empty;',
    ),

  'an update whose paths overlap is refused': bench =>
    refusesAll(
      bench,
      TableName => ({ Update: { TableName, Key: someKey, UpdateExpression: 'REMOVE a, a.b' } }),
      'Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these ' +
        'paths; path one: [a], path two: [a, b]',
    ),

  'a value that is not defined is refused': bench =>
    refusesAll(
      bench,
      TableName => ({ Delete: { TableName, Key: someKey, ConditionExpression: 'a = :a' } }),
      'Invalid ConditionExpression: An expression attribute value used in expression is not defined; ' +
        'attribute value: :a',
    ),

  'values that no expression uses are refused': bench =>
    refusesAll(
      bench,
      TableName => ({
        Update: {
          ...{ TableName, Key: someKey, UpdateExpression: 'REMOVE a' },
          ExpressionAttributeValues: { ':b': { S: 'b' } },
        },
      }),
      'Value provided in ExpressionAttributeValues unused in expressions: keys: {:b}',
    ),

  'names that no expression uses are refused': bench =>
    refusesAll(
      bench,
      TableName => ({
        ConditionCheck: {
          ...{ TableName, Key: someKey, ConditionExpression: 'attribute_exists(a)' },
          ExpressionAttributeNames: { '#b': 'b' },
        },
      }),
      'Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}',
    ),

  'expressions are looked at before tables': async bench => {
    const ConditionCheck = { TableName: bench.ownName(), Key: someKey, ConditionExpression: '' }
    await invalid(
      bench.store.transactWriteItems({ TransactItems: [{ ConditionCheck }] }),
      'Invalid ConditionExpression: The expression can not be empty;',
    )
  },
})
