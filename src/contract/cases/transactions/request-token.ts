import { TRANSACT_TOKEN_CHARACTERS } from '../../../dynamodb/limits.js'
import type { TransactWriteItemsInput } from '../../../dynamodb/operation-types.js'
import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { sharedTableDefinition } from '../../bench-tables.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { fillItem } from '../../fixtures/sized-items.js'
import type { TestBench } from '../../test-bench.js'

/** A unique token of the maximum length. */
const newToken = (bench: TestBench) =>
  bench.unique('').slice(-TRANSACT_TOKEN_CHARACTERS).padStart(TRANSACT_TOKEN_CHARACTERS, 't')

function addAction(TableName: string, pk: string, amount = '1'): TransactWriteItemsInput['TransactItems'] {
  const Update = { TableName, Key: { pk: { S: pk } }, UpdateExpression: 'ADD n :n' }
  return [{ Update: { ...Update, ExpressionAttributeValues: { ':n': { N: amount } } } }]
}

export const transactTokenCases = defineCases('transactWriteItems', {
  'a repeated request with its token does nothing': withCoverage(['limit:TRANSACT_TOKEN_CHARACTERS'], async bench => {
    const TableName = await bench.sharedTable('hash')
    const pk = bench.unique()
    const request = { ClientRequestToken: newToken(bench), TransactItems: addAction(TableName, pk) }
    await bench.store.transactWriteItems(request)
    await bench.store.transactWriteItems(structuredClone(request))
    expectEqual(await bench.get(TableName, { pk: { S: pk } }), { pk: { S: pk }, n: { N: '1' } })
  }),

  'a repeated request with its token does nothing after the item changed': async bench => {
    const TableName = await bench.sharedTable('hash')
    const Key = { pk: { S: bench.unique() } }
    const Put = { TableName, Item: Key, ConditionExpression: 'attribute_not_exists(pk)' }
    const request = { ClientRequestToken: newToken(bench), TransactItems: [{ Put }] }
    await bench.store.transactWriteItems(request)
    await bench.put(TableName, { ...Key, later: { BOOL: true } })
    await bench.store.transactWriteItems(request)
    expectEqual(await bench.get(TableName, Key), { ...Key, later: { BOOL: true } })
  },

  'a token whose table was deleted is rejected': async bench => {
    const { TableName: _, ...definition } = sharedTableDefinition('hash', '')
    const [TableName, other] = [await bench.createOwnTable(definition), await bench.sharedTable('hash')]
    const TransactItems = [...addAction(other, bench.unique()), ...addAction(TableName, bench.unique())]
    const request = { ClientRequestToken: newToken(bench), TransactItems }
    await bench.store.transactWriteItems(request)
    await bench.store.deleteTable({ TableName })
    await bench.eventually(() => expectRejection(bench.store.transactWriteItems(request), 'ResourceNotFoundException'))
  },

  'a repeated request without a token is applied again': async bench => {
    const TableName = await bench.sharedTable('hash')
    const pk = bench.unique()
    await bench.store.transactWriteItems({ TransactItems: addAction(TableName, pk) })
    await bench.store.transactWriteItems({ TransactItems: addAction(TableName, pk) })
    expectEqual(await bench.get(TableName, { pk: { S: pk } }), { pk: { S: pk }, n: { N: '2' } })
  },

  'a repeated request with another token is applied again': async bench => {
    const TableName = await bench.sharedTable('hash')
    const pk = bench.unique()
    await bench.store.transactWriteItems({
      ClientRequestToken: newToken(bench),
      TransactItems: addAction(TableName, pk),
    })
    await bench.store.transactWriteItems({
      ClientRequestToken: newToken(bench),
      TransactItems: addAction(TableName, pk),
    })
    expectEqual(await bench.get(TableName, { pk: { S: pk } }), { pk: { S: pk }, n: { N: '2' } })
  },

  'a different request with a used token is rejected': async bench => {
    const TableName = await bench.sharedTable('hash')
    const pk = bench.unique()
    const ClientRequestToken = newToken(bench)
    await bench.store.transactWriteItems({ ClientRequestToken, TransactItems: addAction(TableName, pk) })
    await expectRejection(
      bench.store.transactWriteItems({ ClientRequestToken, TransactItems: addAction(TableName, pk, '2') }),
      'IdempotentParameterMismatchException',
    )
    expectEqual(await bench.get(TableName, { pk: { S: pk } }), { pk: { S: pk }, n: { N: '1' } })
  },

  'binaries in a repeated request are compared by their bytes': async bench => {
    const TableName = await bench.sharedTable('hash')
    const Key = { pk: { S: bench.unique() } }
    const ClientRequestToken = newToken(bench)
    const putting = (...bytes: number[]) =>
      bench.store.transactWriteItems({
        ClientRequestToken,
        TransactItems: [{ Put: { TableName, Item: { ...Key, bytes: { B: Uint8Array.from(bytes) } } } }],
      })
    await putting(1, 2)
    await putting(1, 2)
    await expectRejection(putting(1, 3), 'IdempotentParameterMismatchException')
    expectEqual(await bench.get(TableName, Key), { ...Key, bytes: { B: Uint8Array.of(1, 2) } })
  },

  'a repeated request costs a read of each written, replaced or checked item': async bench => {
    const TableName = await bench.sharedTable('hash')
    const [grown, gone, checked] = ['g', 'd', 'c'].map(name => ({ pk: { S: bench.unique(name) } }))
    await bench.put(TableName, grown!, fillItem(gone!, 9000), fillItem(checked!, 5000))
    const request: TransactWriteItemsInput = {
      ClientRequestToken: newToken(bench),
      TransactItems: [
        { Put: { TableName, Item: fillItem(grown!, 4097) } },
        { Delete: { TableName, Key: gone! } },
        { ConditionCheck: { TableName, Key: checked!, ConditionExpression: 'attribute_exists(pk)' } },
      ],
      ReturnConsumedCapacity: 'INDEXES',
    }
    const written = { CapacityUnits: 10 + 18 + 10, WriteCapacityUnits: 10 + 18 + 10 }
    const first = await bench.store.transactWriteItems(request)
    expectEqual(first.ConsumedCapacity, [{ TableName, ...written, Table: written }])
    const read = { CapacityUnits: 4 + 6 + 4, ReadCapacityUnits: 4 + 6 + 4 }
    const again = await bench.store.transactWriteItems(request)
    expectEqual(again.ConsumedCapacity, [{ TableName, ...read, Table: read }])
  },

  'a cancelled transaction does not use up its token': async bench => {
    const TableName = await bench.sharedTable('hash')
    const Key = { pk: { S: bench.unique() } }
    const request: TransactWriteItemsInput = {
      ClientRequestToken: newToken(bench),
      TransactItems: [
        { Update: { TableName, Key, UpdateExpression: 'SET b = a', ConditionExpression: 'attribute_exists(pk)' } },
      ],
    }
    await expectRejection(bench.store.transactWriteItems(request), 'TransactionCanceledException')
    await bench.put(TableName, { ...Key, a: { S: 'a' } })
    await bench.store.transactWriteItems(request)
    expectEqual(await bench.get(TableName, Key), { ...Key, a: { S: 'a' }, b: { S: 'a' } })
  },

  'a token of more than 36 characters is rejected': withCoverage(['limit:TRANSACT_TOKEN_CHARACTERS'], async bench => {
    const ClientRequestToken = 't'.repeat(TRANSACT_TOKEN_CHARACTERS + 1)
    await expectValidationError(
      bench.store.transactWriteItems({
        ClientRequestToken,
        TransactItems: addAction(await bench.sharedTable('hash'), 'some'),
      }),
      `1 validation error detected: Value '${ClientRequestToken}' at 'clientRequestToken' failed to satisfy ` +
        'constraint: Member must have length less than or equal to 36',
    )
  }),
})
