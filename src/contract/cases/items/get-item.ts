import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { expectOutput, ItemTrial } from '../../fixtures/item-trial.js'

const NO_MATCH = 'The provided key element does not match the schema'

/** What GetItem does, beside projections and capacity. */
export const getItemCases = defineCases('getItem', {
  'an item is answered whole, and nothing else': async bench => {
    const trial = await ItemTrial.of(bench, { a: { N: '1' }, b: { L: [{ S: 'x' }] } })
    const { TableName, Key } = trial
    await expectOutput(bench.store.getItem({ TableName, Key, ConsistentRead: true }), {
      Item: { ...Key, a: { N: '1' }, b: { L: [{ S: 'x' }] } },
    })
  },
  'an item that is not there leaves the answer empty': async bench => {
    const { TableName, Key } = await ItemTrial.of(bench)
    await expectOutput(bench.store.getItem({ TableName, Key }), {})
    await expectOutput(bench.store.getItem({ TableName, Key, ConsistentRead: true }), {})
    await expectOutput(bench.store.getItem({ TableName, Key, ProjectionExpression: 'a' }), {})
  },
  'an eventually consistent read answers the item in time': async bench => {
    const { TableName, Key } = await ItemTrial.of(bench, { a: { N: '1' } })
    for (const ConsistentRead of [false, undefined])
      await bench.eventually(async () => {
        const { Item } = await bench.store.getItem({ TableName, Key, ConsistentRead })
        expectEqual(Item, { ...Key, a: { N: '1' } })
      })
  },
  'a key that is not exactly the key of the table is refused': async bench => {
    const TableName = await bench.sharedTable('composite')
    const pk = { S: 'a' }
    const sk = { S: 'b' }
    for (const Key of [
      {},
      { pk },
      { sk },
      { pk, a: sk },
      { pk, sk, a: sk },
      { pk: { N: '1' }, sk },
      { pk, sk: { B: Uint8Array.of(1) } },
    ])
      await expectValidationError(bench.store.getItem({ TableName, Key }), NO_MATCH)
    await expectValidationError(bench.store.getItem({ TableName, Key: { pk: { NULL: true }, sk } }), NO_MATCH)
    await expectValidationError(bench.store.getItem({ TableName, Key: { pk: { SS: ['a'] }, sk } }), NO_MATCH)
  },
  'a key with a value that cannot be is refused before it is compared with the table': async bench => {
    const TableName = await bench.sharedTable('hash')
    await expectValidationError(
      bench.store.getItem({ TableName, Key: { other: { N: 'x' } } }),
      'The parameter cannot be converted to a numeric value: x',
    )
    await expectValidationError(
      bench.store.getItem({ TableName, Key: { other: { SS: [] } } }),
      'One or more parameter values were invalid: An string set  may not be empty',
    )
  },
  'a table that is not there is told as such': async bench => {
    await expectRejection(
      bench.store.getItem({ TableName: bench.newTableName(), Key: { pk: { S: 'a' } } }),
      'ResourceNotFoundException',
      'Requested resource not found',
    )
  },
  'a get is checked by itself before its table is looked up, and against its key after': async bench => {
    const TableName = bench.newTableName()
    await expectValidationError(
      bench.store.getItem({ TableName, Key: {}, ProjectionExpression: 'a,' }),
      'Invalid ProjectionExpression: Syntax error; token: "<EOF>", near: ","',
    )
    await expectRejection(bench.store.getItem({ TableName, Key: {} }), 'ResourceNotFoundException')
  },
  'names need a projection, and are not empty': async bench => {
    const { TableName, Key } = await ItemTrial.of(bench)
    await expectValidationError(
      bench.store.getItem({ TableName, Key, ExpressionAttributeNames: { '#a': 'a' } }),
      'ExpressionAttributeNames can only be specified when using expressions',
    )
    await expectValidationError(
      bench.store.getItem({ TableName, Key, ProjectionExpression: 'a', ExpressionAttributeNames: {} }),
      'ExpressionAttributeNames must not be empty',
    )
  },
  'values for expressions, of which it has none that takes any, are not looked at': async bench => {
    const { TableName, Key } = await ItemTrial.of(bench, { a: { S: 'x' } })
    const beside = { ExpressionAttributeValues: { ':unused': { S: 'a' } } }
    await expectOutput(bench.store.getItem({ TableName, Key, ...beside }), { Item: { ...Key, a: { S: 'x' } } })
  },
})
