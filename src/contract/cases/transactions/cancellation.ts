import type { AttributeValue, Item } from '../../../dynamodb/attribute-value.js'
import { ITEM_BYTES, NESTING_LEVELS } from '../../../dynamodb/limits.js'
import type { TransactWriteItem } from '../../../dynamodb/operation-types.js'
import { expectEqual, expectRejection } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { fillItem, nestValue, wrapInMap } from '../../fixtures/sized-items.js'
import type { TestBench } from '../../test-bench.js'

interface Reason {
  Code: string
  Message?: string
  Item?: Item
}

const FAILED: Reason = { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' }
const NONE: Reason = { Code: 'None' }
const SCHEMA_MISMATCH = 'The provided key element does not match the schema'
const validationReason = (Message: string): Reason => ({ Code: 'ValidationError', Message })

/** Asserts that the transaction is cancelled with these reasons, one for each action, and a message that lists them. */
export async function expectCancellation(call: Promise<unknown>, reasons: readonly Reason[]): Promise<void> {
  const codes = reasons.map(reason => reason.Code).join(', ')
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`
  const { CancellationReasons } = await expectRejection(call, 'TransactionCanceledException', message)
  expectEqual(CancellationReasons, reasons)
}

/**
 * Creates a case with an invalid action between two valid puts: only this action has a reason, and neither put is
 * applied.
 */
async function expectOthersCancelled(
  bench: TestBench,
  bad: (TableName: string) => TransactWriteItem,
  reason: Reason,
  kind: 'hash' | 'composite' = 'hash',
): Promise<void> {
  const TableName = await bench.sharedTable(kind)
  const sorted: Item = kind === 'composite' ? { sk: { S: 'a' } } : {}
  const [first, last] = [bench.unique(), bench.unique()].map(S => ({ pk: { S }, ...sorted }))
  const TransactItems = [{ Put: { TableName, Item: first! } }, bad(TableName), { Put: { TableName, Item: last! } }]
  await expectCancellation(bench.store.transactWriteItems({ TransactItems }), [NONE, reason, NONE])
  expectEqual([await bench.get(TableName, first!), await bench.get(TableName, last!)], [undefined, undefined])
}

export const transactCancellationCases = defineCases('transactWriteItems', {
  'a value for an expression may nest by one level more than an item may hold': async bench => {
    const TableName = await bench.sharedTable('hash')
    const Key = { pk: { S: bench.unique() } }
    const check = (levels: number): TransactWriteItem => ({
      ConditionCheck: {
        ...{ TableName, Key, ConditionExpression: 'a = :v' },
        ExpressionAttributeValues: { ':v': nestValue(levels, wrapInMap) },
      },
    })
    const store = (levels: number): TransactWriteItem => ({
      Update: {
        ...{ TableName, Key, UpdateExpression: 'SET a = :v' },
        ExpressionAttributeValues: { ':v': nestValue(levels, wrapInMap) },
      },
    })
    const write = (item: TransactWriteItem) => bench.store.transactWriteItems({ TransactItems: [item] })
    await expectCancellation(write(check(NESTING_LEVELS)), [FAILED])
    await expectCancellation(write(store(NESTING_LEVELS)), [
      validationReason('Nesting Levels have exceeded supported limits'),
    ])
    const tooDeep =
      'ExpressionAttributeValues contains invalid value: Nesting Levels have exceeded supported limits: ' +
      'Attributes in the item have nested levels beyond supported limit for key :v'
    for (const action of [check, store])
      await expectRejection(write(action(NESTING_LEVELS + 1)), 'ValidationException', tooDeep)
    await write(store(NESTING_LEVELS - 1))
    await write(check(NESTING_LEVELS - 1))
  },

  'a failed condition cancels every action': bench =>
    expectOthersCancelled(
      bench,
      TableName => ({
        ConditionCheck: {
          ...{ TableName, Key: { pk: { S: bench.unique('absent') } } },
          ConditionExpression: 'attribute_exists(pk)',
        },
      }),
      FAILED,
    ),

  'every failed condition has its reason, in the order of the actions': async bench => {
    const TableName = await bench.sharedTable('hash')
    const [put, update, check, remove, good] = ['p', 'u', 'c', 'd', 'g'].map(name => ({
      pk: { S: bench.unique(name) },
    }))
    await bench.put(TableName, { ...put!, v: { N: '1' } }, { ...update!, v: { N: '2' } }, { ...good!, v: { N: '3' } })
    const failing = { TableName, ConditionExpression: 'v = :v', ExpressionAttributeValues: { ':v': { N: '9' } } }
    await expectCancellation(
      bench.store.transactWriteItems({
        TransactItems: [
          { Put: { ...failing, Item: { ...put! } } },
          { Delete: { TableName, Key: good! } },
          { Update: { ...failing, Key: update!, UpdateExpression: 'SET v = :v' } },
          { ConditionCheck: { ...failing, Key: check! } },
          { Delete: { ...failing, Key: remove! } },
        ],
      }),
      [FAILED, NONE, FAILED, FAILED, FAILED],
    )
    expectEqual(await bench.get(TableName, put!), { ...put!, v: { N: '1' } })
    expectEqual(await bench.get(TableName, update!), { ...update!, v: { N: '2' } })
    expectEqual(await bench.get(TableName, good!), { ...good!, v: { N: '3' } })
  },

  'the cancellation reason has the old item for each action that requests it': async bench => {
    const TableName = await bench.sharedTable('hash')
    const [put, update, check, remove, silent, absent] = ['p', 'u', 'c', 'd', 's', 'a'].map(name => ({
      pk: { S: bench.unique(name) },
    }))
    const stored = [put, update, check, remove, silent].map(key => ({ ...key!, v: { N: '1' }, more: { S: 'more' } }))
    await bench.put(TableName, ...stored)
    const failing = { TableName, ConditionExpression: 'v = :v', ExpressionAttributeValues: { ':v': { N: '9' } } }
    const telling = { ...failing, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }
    await expectCancellation(
      bench.store.transactWriteItems({
        TransactItems: [
          { Put: { ...telling, Item: put! } },
          { Update: { ...telling, Key: update!, UpdateExpression: 'SET v = :v' } },
          { ConditionCheck: { ...telling, Key: check! } },
          { Delete: { ...telling, Key: remove! } },
          { Delete: { ...failing, Key: silent!, ReturnValuesOnConditionCheckFailure: 'NONE' } },
          { Delete: { ...telling, Key: absent! } },
        ],
      }),
      [...stored.slice(0, 4).map(Item => ({ ...FAILED, Item })), FAILED, FAILED],
    )
  },

  'conditions are evaluated on the items before the transaction': async bench => {
    const TableName = await bench.sharedTable('hash')
    const [one, two] = [{ pk: { S: bench.unique() } }, { pk: { S: bench.unique() } }]
    await expectCancellation(
      bench.store.transactWriteItems({
        TransactItems: [
          { Put: { TableName, Item: one } },
          { Put: { TableName, Item: two, ConditionExpression: 'attribute_exists(pk)' } },
        ],
      }),
      [NONE, FAILED],
    )
  },

  'a put with a wrong key type cancels the transaction': bench =>
    expectOthersCancelled(
      bench,
      TableName => ({ Put: { TableName, Item: { pk: { N: '1' } } } }),
      validationReason('One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N'),
    ),

  'only the first invalid key is reported, and no failed conditions': async bench => {
    const TableName = await bench.sharedTable('hash')
    const put = (pk: AttributeValue) => ({ Put: { TableName, Item: { pk } } })
    const failing = { ...put({ S: bench.unique() }).Put, ConditionExpression: 'attribute_exists(pk)' }
    const message = 'One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N'
    await expectCancellation(
      bench.store.transactWriteItems({ TransactItems: [{ Put: failing }, put({ N: '1' }), put({ N: '2' })] }),
      [NONE, validationReason(message), NONE],
    )
  },

  'a put without its key cancels the transaction': bench =>
    expectOthersCancelled(
      bench,
      TableName => ({ Put: { TableName, Item: { a: { S: 'a' } } } }),
      validationReason('One or more parameter values were invalid: Missing the key pk in the item'),
    ),

  'a put with a wrong index key type cancels the transaction': bench =>
    expectOthersCancelled(
      bench,
      TableName => ({ Put: { TableName, Item: { pk: { S: 'a' }, sk: { S: 'a' }, local: { N: '1' } } } }),
      validationReason(
        'One or more parameter values were invalid: Type mismatch for Index Key local Expected: S Actual: N ' +
          'IndexName: byLocal',
      ),
      'composite',
    ),

  'a delete with other key attributes cancels the transaction': bench =>
    expectOthersCancelled(
      bench,
      TableName => ({ Delete: { TableName, Key: { id: { S: 'a' } } } }),
      validationReason(SCHEMA_MISMATCH),
    ),

  'a condition check with other key attributes cancels the transaction': bench =>
    expectOthersCancelled(
      bench,
      TableName => ({ ConditionCheck: { TableName, Key: {}, ConditionExpression: 'attribute_exists(a)' } }),
      validationReason(SCHEMA_MISMATCH),
    ),

  'an update with a wrong key type cancels the transaction': bench =>
    expectOthersCancelled(
      bench,
      TableName => ({ Update: { TableName, Key: { pk: { N: '1' } }, UpdateExpression: 'REMOVE a' } }),
      validationReason(SCHEMA_MISMATCH),
    ),

  'an update of the key cancels the transaction': bench =>
    expectOthersCancelled(
      bench,
      TableName => ({
        Update: {
          ...{ TableName, Key: { pk: { S: 'a' } }, UpdateExpression: 'SET pk = :a' },
          ExpressionAttributeValues: { ':a': { S: 'b' } },
        },
      }),
      validationReason(
        'One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key',
      ),
    ),

  'an update that reads a missing attribute cancels the transaction': bench =>
    expectOthersCancelled(
      bench,
      TableName => ({
        Update: {
          ...{ TableName, Key: { pk: { S: bench.unique() } }, UpdateExpression: 'SET n = n + :one' },
          ExpressionAttributeValues: { ':one': { N: '1' } },
        },
      }),
      validationReason('The provided expression refers to an attribute that does not exist in the item'),
    ),

  'an update that makes an item too large cancels the transaction': async bench => {
    const Key = { pk: { S: bench.unique() } }
    await bench.put(await bench.sharedTable('hash'), fillItem(Key, ITEM_BYTES))
    await expectOthersCancelled(
      bench,
      TableName => ({
        Update: { TableName, Key, UpdateExpression: 'SET a = :a', ExpressionAttributeValues: { ':a': { S: '' } } },
      }),
      validationReason('Item size to update has exceeded the maximum allowed size'),
    )
  },
})
