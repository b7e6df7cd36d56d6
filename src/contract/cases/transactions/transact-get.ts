import { ITEM_BYTES, TRANSACT_BYTES, TRANSACT_ITEMS } from '../../../dynamodb/limits.js'
import type { Get } from '../../../dynamodb/operation-types.js'
import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { createMany, fillItem, sortByTable } from '../../fixtures/sized-items.js'
import { expectCancellation } from './cancellation.js'

const SCHEMA_MISMATCH = 'The provided key element does not match the schema'
const getActions = (...parts: Get[]) => parts.map(Get => ({ Get }))

export const transactGetCases = defineCases('transactGetItems', {
  'items of several tables are returned in the order of the request': async bench => {
    const [text, number] = [await bench.sharedTable('hash'), await bench.sharedTable('compositeN')]
    const [first, second] = [bench.unique(), bench.unique()]
    await bench.put(text, { pk: { S: first }, a: { S: '1' } }, { pk: { S: second }, a: { S: '2' } })
    await bench.put(number, { pk: { S: first }, sk: { N: '1' } })
    const { Responses } = await bench.store.transactGetItems({
      TransactItems: getActions(
        { TableName: text, Key: { pk: { S: second } } },
        { TableName: number, Key: { pk: { S: first }, sk: { N: '1' } } },
        { TableName: text, Key: { pk: { S: first } } },
      ),
    })
    expectEqual(Responses, [
      { Item: { pk: { S: second }, a: { S: '2' } } },
      { Item: { pk: { S: first }, sk: { N: '1' } } },
      { Item: { pk: { S: first }, a: { S: '1' } } },
    ])
  },

  'a missing item has an empty response': async bench => {
    const TableName = await bench.sharedTable('hash')
    const Key = { pk: { S: bench.unique() } }
    await bench.put(TableName, Key)
    const { Responses } = await bench.store.transactGetItems({
      TransactItems: getActions({ TableName, Key: { pk: { S: bench.unique('absent') } } }, { TableName, Key }),
    })
    expectEqual(Responses, [{}, { Item: Key }])
  },

  'a projection returns only the named attributes': async bench => {
    const TableName = await bench.sharedTable('hash')
    const Key = { pk: { S: bench.unique() } }
    await bench.put(TableName, { ...Key, size: { N: '1' }, list: { L: [{ S: 'a' }, { S: 'b' }] }, rest: { S: 'r' } })
    const { Responses } = await bench.store.transactGetItems({
      TransactItems: getActions({
        ...{ TableName, Key, ProjectionExpression: '#size, #list[1]' },
        ExpressionAttributeNames: { '#size': 'size', '#list': 'list' },
      }),
    })
    expectEqual(Responses, [{ Item: { size: { N: '1' }, list: { L: [{ S: 'b' }] } } }])
  },

  'names without a projection are ignored': async bench => {
    const TableName = await bench.sharedTable('hash')
    const Key = { pk: { S: bench.unique() } }
    await bench.put(TableName, Key)
    const { Responses } = await bench.store.transactGetItems({
      TransactItems: getActions({ TableName, Key, ExpressionAttributeNames: { '#n': 'n' } }),
    })
    expectEqual(Responses, [{ Item: Key }])
  },

  'an item without any projected attribute has an empty response': async bench => {
    const TableName = await bench.sharedTable('hash')
    const Key = { pk: { S: bench.unique() } }
    await bench.put(TableName, Key)
    const { Responses } = await bench.store.transactGetItems({
      TransactItems: getActions({ TableName, Key, ProjectionExpression: 'nothing' }),
    })
    expectEqual(Responses, [{}])
  },

  'each item costs two units for each 4 KB, found or not, for any projection': async bench => {
    const [text, number] = [await bench.sharedTable('hash'), await bench.sharedTable('hashN')]
    const pk = bench.unique()
    await bench.put(text, fillItem({ pk: { S: `${pk}-small` } }, 4096), fillItem({ pk: { S: `${pk}-large` } }, 4097))
    const { ConsumedCapacity } = await bench.store.transactGetItems({
      TransactItems: getActions(
        { TableName: text, Key: { pk: { S: `${pk}-small` } } },
        { TableName: text, Key: { pk: { S: `${pk}-large` } }, ProjectionExpression: 'pk' },
        { TableName: number, Key: { pk: { N: '-1' } } },
      ),
      ReturnConsumedCapacity: 'TOTAL',
    })
    expectEqual(
      sortByTable(ConsumedCapacity),
      sortByTable([
        { TableName: text, CapacityUnits: 2 + 4, ReadCapacityUnits: 2 + 4 },
        { TableName: number, CapacityUnits: 2, ReadCapacityUnits: 2 },
      ]),
    )
  },

  'capacity by index includes the units of the table': async bench => {
    const TableName = await bench.sharedTable('composite')
    const { ConsumedCapacity } = await bench.store.transactGetItems({
      TransactItems: getActions({ TableName, Key: { pk: { S: bench.unique() }, sk: { S: 'a' } } }),
      ReturnConsumedCapacity: 'INDEXES',
    })
    const units = { CapacityUnits: 2, ReadCapacityUnits: 2 }
    expectEqual(ConsumedCapacity, [{ TableName, ...units, Table: units }])
  },

  'capacity is reported only on request': async bench => {
    const TableName = await bench.sharedTable('hash')
    const TransactItems = getActions({ TableName, Key: { pk: { S: bench.unique() } } })
    expectEqual('ConsumedCapacity' in (await bench.store.transactGetItems({ TransactItems })), false)
  },

  'a transaction reads 100 items': withCoverage(['limit:TRANSACT_ITEMS'], async bench => {
    const TableName = await bench.sharedTable('hash')
    const pk = bench.unique()
    await bench.put(TableName, { pk: { S: `${pk}-99` } })
    const keys = createMany(TRANSACT_ITEMS, index => ({ pk: { S: `${pk}-${index}` } }))
    const { Responses } = await bench.store.transactGetItems({
      TransactItems: getActions(...keys.map(Key => ({ TableName, Key }))),
    })
    expectEqual(Responses, [...createMany(TRANSACT_ITEMS - 1, () => ({})), { Item: { pk: { S: `${pk}-99` } } }])
  }),

  'more than 100 items are rejected': withCoverage(['limit:TRANSACT_ITEMS'], async bench => {
    const TableName = await bench.sharedTable('hash')
    const keys = createMany(TRANSACT_ITEMS + 1, index => ({ pk: { S: `${index}` } }))
    await expectValidationError(
      bench.store.transactGetItems({ TransactItems: getActions(...keys.map(Key => ({ TableName, Key }))) }),
      /^1 validation error detected: Value '\[.+\]' at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to 100$/s,
    )
  }),

  // The service's message for it is unknown.
  'items of more than 4 MB together are rejected': withCoverage(['limit:TRANSACT_BYTES'], async bench => {
    const TableName = await bench.sharedTable('hash')
    const pk = bench.unique()
    const whole = Math.ceil(TRANSACT_BYTES / ITEM_BYTES)
    const items = createMany(whole, index => fillItem({ pk: { S: `${pk}-${index}` } }, ITEM_BYTES))
    await bench.put(TableName, ...items)
    const TransactItems = getActions(...items.map(item => ({ TableName, Key: { pk: item.pk! } })))
    await expectRejection(bench.store.transactGetItems({ TransactItems }), 'ValidationException')
    const { Responses } = await bench.store.transactGetItems({ TransactItems: TransactItems.slice(1) })
    expectEqual(
      Responses,
      items.slice(1).map(Item => ({ Item })),
    )
  }),

  'a duplicate item is rejected': async bench => {
    const TableName = await bench.sharedTable('hash')
    const Key = { pk: { S: bench.unique() } }
    await expectValidationError(
      bench.store.transactGetItems({
        TransactItems: getActions({ TableName, Key, ProjectionExpression: 'a' }, { TableName, Key }),
      }),
      'Transaction request cannot include multiple operations on one item',
    )
  },

  'a missing table rejects the whole transaction': async bench => {
    const TransactItems = getActions(
      { TableName: await bench.sharedTable('hash'), Key: { pk: { S: 'some' } } },
      { TableName: bench.newTableName(), Key: { pk: { S: 'some' } } },
    )
    await expectRejection(
      bench.store.transactGetItems({ TransactItems }),
      'ResourceNotFoundException',
      'Requested resource not found',
    )
  },

  'keys that do not match their tables cancel the transaction, each with its reason': async bench => {
    const [text, sorted] = [await bench.sharedTable('hash'), await bench.sharedTable('composite')]
    await expectCancellation(
      bench.store.transactGetItems({
        TransactItems: getActions(
          { TableName: text, Key: { id: { S: 'some' } } },
          { TableName: text, Key: { pk: { S: 'some' } } },
          { TableName: sorted, Key: { pk: { S: 'some' } } },
          { TableName: text, Key: { pk: { S: '' } } },
        ),
      }),
      [
        { Code: 'ValidationError', Message: SCHEMA_MISMATCH },
        { Code: 'None' },
        { Code: 'ValidationError', Message: SCHEMA_MISMATCH },
        {
          Code: 'ValidationError',
          Message:
            'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an ' +
            'empty string value. Key: pk',
        },
      ],
    )
  },

  'a projection with a syntax error rejects the whole transaction before tables are looked up': async bench => {
    const TransactItems = getActions({
      TableName: bench.newTableName(),
      Key: { pk: { S: 'a' } },
      ProjectionExpression: '!!!',
    })
    await expectValidationError(
      bench.store.transactGetItems({ TransactItems }),
      'Invalid ProjectionExpression: Syntax error; token: "!", near: "!!"',
    )
  },

  'names that no projection uses reject the whole transaction': async bench => {
    const TransactItems = getActions({
      ...{ TableName: bench.newTableName(), Key: { pk: { S: 'a' } }, ProjectionExpression: 'a' },
      ExpressionAttributeNames: { '#b': 'b' },
    })
    await expectValidationError(
      bench.store.transactGetItems({ TransactItems }),
      'Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}',
    )
  },
})
