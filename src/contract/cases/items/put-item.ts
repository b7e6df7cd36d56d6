import type { Item } from '../../../dynamodb/attribute-value.js'
import { expectEqual, expectInvalidRequest, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { expectOutput, ItemTrial } from '../../fixtures/item-trial.js'

/** Cases of PutItem, without the common behavior of conditions and values. */
export const putItemCases = defineCases('putItem', {
  'a put item can be read, and the response is empty': async bench => {
    const trial = await ItemTrial.of(bench)
    const { TableName } = trial
    await expectOutput(bench.store.putItem({ TableName, Item: trial.item({ a: { N: '1' } }) }), {})
    expectEqual(await trial.readAttributes(), { a: { N: '1' } })
  },
  'a put replaces the whole item': async bench => {
    const trial = await ItemTrial.of(bench, { a: { N: '1' }, b: { N: '2' } })
    await trial.put({ c: { N: '3' } })
    expectEqual(await trial.readAttributes(), { c: { N: '3' } })
    await trial.put({})
    expectEqual(await trial.readAttributes(), {})
  },
  'items with one partition key and different sort keys are different items': async bench => {
    const TableName = await bench.sharedTable('composite')
    const pk = { S: bench.unique() }
    const one = { pk, sk: { S: 'one' }, a: { N: '1' } }
    const two = { pk, sk: { S: 'two' }, a: { N: '2' } }
    await bench.put(TableName, one, two)
    expectEqual(await bench.get(TableName, { pk, sk: { S: 'one' } }), one)
    expectEqual(await bench.get(TableName, { pk, sk: { S: 'two' } }), two)
  },
  'ALL_OLD returns the replaced item, and NONE returns nothing': async bench => {
    const trial = await ItemTrial.of(bench)
    const { TableName } = trial
    const put = (a: string, ReturnValues: 'ALL_OLD' | 'NONE') =>
      bench.store.putItem({ TableName, Item: trial.item({ a: { S: a } }), ReturnValues })
    await expectOutput(put('first', 'ALL_OLD'), {})
    await expectOutput(put('second', 'ALL_OLD'), { Attributes: trial.item({ a: { S: 'first' } }) })
    await expectOutput(put('third', 'NONE'), {})
    await expectOutput(put('fourth', 'ALL_OLD'), { Attributes: trial.item({ a: { S: 'third' } }) })
  },
  'ReturnValues of new or updated attributes of a put are rejected': async bench => {
    const trial = await ItemTrial.of(bench)
    const { TableName } = trial
    for (const ReturnValues of ['ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW'] as const)
      await expectInvalidRequest(
        bench.store.putItem({ TableName, Item: trial.item(), ReturnValues }),
        'ReturnValues can only be ALL_OLD or NONE',
      )
    expectEqual(await trial.readAttributes(), undefined)
  },
  'a failed condition prevents a put from replacing the item': async bench => {
    const trial = await ItemTrial.of(bench)
    const { TableName } = trial
    const create = (a: string) =>
      bench.store.putItem({
        TableName,
        Item: trial.item({ a: { S: a } }),
        ConditionExpression: 'attribute_not_exists(pk)',
      })
    await expectOutput(create('first'), {})
    await expectRejection(create('second'), 'ConditionalCheckFailedException', 'The conditional request failed')
    expectEqual(await trial.readAttributes(), { a: { S: 'first' } })
  },
  'a failed condition returns the item on request': async bench => {
    const trial = await ItemTrial.of(bench, { a: { N: '1' } })
    const failed = (ReturnValuesOnConditionCheckFailure: 'ALL_OLD' | 'NONE' | undefined) =>
      expectRejection(
        bench.store.putItem({
          TableName: trial.TableName,
          Item: trial.item({ a: { N: '2' } }),
          ConditionExpression: 'attribute_exists(b)',
          ReturnValuesOnConditionCheckFailure,
          ReturnValues: 'ALL_OLD',
        }),
        'ConditionalCheckFailedException',
      )
    expectEqual((await failed('ALL_OLD')).Item, trial.item({ a: { N: '1' } }))
    expectEqual((await failed('NONE')).Item, undefined)
    expectEqual((await failed(undefined)).Item, undefined)
    await bench.store.deleteItem({ TableName: trial.TableName, Key: trial.Key })
    expectEqual((await failed('ALL_OLD')).Item, undefined)
  },
  'an item without its key is rejected, and the partition key is checked first': async bench => {
    const TableName = await bench.sharedTable('composite')
    const missing = (name: string) => `One or more parameter values were invalid: Missing the key ${name} in the item`
    await expectValidationError(bench.store.putItem({ TableName, Item: { a: { S: 'a' } } }), missing('pk'))
    await expectValidationError(bench.store.putItem({ TableName, Item: {} }), missing('pk'))
    await expectValidationError(bench.store.putItem({ TableName, Item: { sk: { S: 'a' } } }), missing('pk'))
    await expectValidationError(bench.store.putItem({ TableName, Item: { pk: { S: 'a' } } }), missing('sk'))
  },
  'a key in an item has the type that the table declares': async bench => {
    const TableName = await bench.sharedTable('composite')
    const mismatch = (name: string, actual: string) =>
      `One or more parameter values were invalid: Type mismatch for key ${name} expected: S actual: ${actual}`
    const sk = { S: 'a' }
    await expectValidationError(bench.store.putItem({ TableName, Item: { pk: { N: '1' }, sk } }), mismatch('pk', 'N'))
    await expectValidationError(
      bench.store.putItem({ TableName, Item: { pk: { SS: ['a'] }, sk } }),
      mismatch('pk', 'SS'),
    )
    await expectValidationError(
      bench.store.putItem({ TableName, Item: { pk: { NULL: true }, sk } }),
      mismatch('pk', 'NULL'),
    )
    await expectValidationError(
      bench.store.putItem({ TableName, Item: { pk: { S: 'a' }, sk: { B: Uint8Array.of(1) } } }),
      mismatch('sk', 'B'),
    )
  },
  'a missing table is reported': async bench => {
    await expectRejection(
      bench.store.putItem({ TableName: bench.newTableName(), Item: { pk: { S: 'a' } } }),
      'ResourceNotFoundException',
      'Requested resource not found',
    )
  },
  'a put is validated before its table is looked up, and its key afterwards': async bench => {
    const TableName = bench.newTableName()
    await expectInvalidRequest(
      bench.store.putItem({ TableName, Item: { pk: { N: 'x' } } }),
      'The parameter cannot be converted to a numeric value: x',
    )
    await expectInvalidRequest(
      bench.store.putItem({ TableName, Item: {}, ReturnValues: 'ALL_NEW' }),
      'ReturnValues can only be ALL_OLD or NONE',
    )
    await expectInvalidRequest(
      bench.store.putItem({ TableName, Item: {}, ConditionExpression: 'a =' }),
      'Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "="',
    )
    await expectRejection(bench.store.putItem({ TableName, Item: {} }), 'ResourceNotFoundException')
  },
  'the values of an item are checked before its expressions': async bench => {
    const trial = await ItemTrial.of(bench)
    await expectInvalidRequest(
      bench.store.putItem({
        TableName: trial.TableName,
        Item: trial.item({ a: { SS: [] } }),
        ConditionExpression: '',
        ReturnValues: 'ALL_NEW',
      }),
      'One or more parameter values were invalid: An string set  may not be empty',
    )
  },
  'the key of an item is checked before its condition is evaluated': async bench => {
    const trial = await ItemTrial.of(bench)
    await expectValidationError(
      bench.store.putItem({
        TableName: trial.TableName,
        Item: { a: { N: '1' } },
        ConditionExpression: 'attribute_exists(a)',
      }),
      'One or more parameter values were invalid: Missing the key pk in the item',
    )
  },
  'names and values without an expression and empty ones are rejected': async bench => {
    const trial = await ItemTrial.of(bench)
    const { TableName } = trial
    const Item = trial.item()
    await expectInvalidRequest(
      bench.store.putItem({ TableName, Item, ExpressionAttributeNames: { '#a': 'a' } }),
      'ExpressionAttributeNames can only be specified when using expressions',
    )
    await expectInvalidRequest(
      bench.store.putItem({ TableName, Item, ExpressionAttributeValues: { ':a': { N: '1' } } }),
      'ExpressionAttributeValues can only be specified when using expressions',
    )
    const ConditionExpression = 'attribute_not_exists(a)'
    await expectInvalidRequest(
      bench.store.putItem({ TableName, Item, ConditionExpression, ExpressionAttributeNames: {} }),
      'ExpressionAttributeNames must not be empty',
    )
    await expectInvalidRequest(
      bench.store.putItem({ TableName, Item, ConditionExpression, ExpressionAttributeValues: {} }),
      'ExpressionAttributeValues must not be empty',
    )
  },
  'later changes of request and response objects do not affect the stored item': async bench => {
    const trial = await ItemTrial.of(bench)
    const inner: Item = { n: { N: '1' } }
    const list = [{ S: 'a' }]
    const bytes = Uint8Array.of(1, 2)
    await trial.put({ map: { M: inner }, list: { L: list }, bytes: { B: bytes }, set: { BS: [bytes] } })
    inner.n = { N: '2' }
    list.push({ S: 'b' })
    bytes[0] = 9
    const stored = {
      map: { M: { n: { N: '1' } } },
      list: { L: [{ S: 'a' }] },
      bytes: { B: Uint8Array.of(1, 2) },
      set: { BS: [Uint8Array.of(1, 2)] },
    }
    const answer = await trial.readAttributes()
    expectEqual(answer, stored)
    answer!.bytes!.B![0] = 9
    answer!.set!.BS![0]![0] = 9
    expectEqual(await trial.readAttributes(), stored)
  },
})
