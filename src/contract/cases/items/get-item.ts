import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { expectOutput, ItemTrial } from '../../fixtures/item-trial.js'

const NO_MATCH = 'The provided key element does not match the schema'

/** Cases of GetItem, without projections and capacity. */
export const getItemCases = defineCases('getItem', {
  'a get returns the whole item and nothing else': async bench => {
    const trial = await ItemTrial.of(bench, { a: { N: '1' }, b: { L: [{ S: 'x' }] } })
    const { TableName, Key } = trial
    await expectOutput(bench.store.getItem({ TableName, Key, ConsistentRead: true }), {
      Item: { ...Key, a: { N: '1' }, b: { L: [{ S: 'x' }] } },
    })
  },
  'a get of a missing item returns an empty response': async bench => {
    const { TableName, Key } = await ItemTrial.of(bench)
    await expectOutput(bench.store.getItem({ TableName, Key }), {})
    await expectOutput(bench.store.getItem({ TableName, Key, ConsistentRead: true }), {})
    await expectOutput(bench.store.getItem({ TableName, Key, ProjectionExpression: 'a' }), {})
  },
  'an eventually consistent read returns the item eventually': async bench => {
    const { TableName, Key } = await ItemTrial.of(bench, { a: { N: '1' } })
    for (const ConsistentRead of [false, undefined])
      await bench.eventually(async () => {
        const { Item } = await bench.store.getItem({ TableName, Key, ConsistentRead })
        expectEqual(Item, { ...Key, a: { N: '1' } })
      })
  },
  'a key that is not exactly the key of the table is rejected': async bench => {
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
  "a key with an invalid value is rejected before the comparison with the table's key": async bench => {
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
  'a missing table is reported': async bench => {
    await expectRejection(
      bench.store.getItem({ TableName: bench.newTableName(), Key: { pk: { S: 'a' } } }),
      'ResourceNotFoundException',
      'Requested resource not found',
    )
  },
  'a get is validated before its table is looked up, and its key afterwards': async bench => {
    const TableName = bench.newTableName()
    await expectValidationError(
      bench.store.getItem({ TableName, Key: {}, ProjectionExpression: 'a,' }),
      'Invalid ProjectionExpression: Syntax error; token: "<EOF>", near: ","',
    )
    await expectRejection(bench.store.getItem({ TableName, Key: {} }), 'ResourceNotFoundException')
  },
  'names without a projection and empty names are rejected': async bench => {
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
  'expression values are ignored': async bench => {
    const { TableName, Key } = await ItemTrial.of(bench, { a: { S: 'x' } })
    const unusedValues = { ExpressionAttributeValues: { ':unused': { S: 'a' } } }
    await expectOutput(bench.store.getItem({ TableName, Key, ...unusedValues }), { Item: { ...Key, a: { S: 'x' } } })
  },
})
