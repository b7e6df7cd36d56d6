import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { COMPOSITE_KEY_TABLE, SIMPLE_KEY_TABLE } from '../../fixtures/table-definitions.js'

export const deleteTableCases = defineCases('deleteTable', {
  'the response describes a table in deletion, without its schema': async bench => {
    const TableName = await bench.createOwnTable(COMPOSITE_KEY_TABLE)
    const { TableDescription } = await bench.store.deleteTable({ TableName })
    expectEqual([TableDescription!.TableName, TableDescription!.TableStatus], [TableName, 'DELETING'])
    const { AttributeDefinitions, KeySchema, CreationDateTime } = TableDescription!
    expectEqual([AttributeDefinitions, KeySchema, CreationDateTime], [undefined, undefined, undefined])
  },

  'a deleted table no longer exists': async bench => {
    const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    await bench.put(TableName, { a: { S: 'a' } })
    await bench.store.deleteTable({ TableName })
    await bench.eventually(async () => {
      await expectRejection(bench.store.describeTable({ TableName }), 'ResourceNotFoundException')
    })
    await expectRejection(bench.store.getItem({ TableName, Key: { a: { S: 'a' } } }), 'ResourceNotFoundException')
    await expectRejection(
      bench.store.deleteTable({ TableName }),
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${TableName} not found`,
    )
  },

  'a table with the name of a deleted one is new and empty': async bench => {
    const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    await bench.put(TableName, { a: { S: 'a' } })
    const before = (await bench.store.describeTable({ TableName })).Table!.TableId
    await bench.store.deleteTable({ TableName })
    await bench.eventually(() => bench.store.createTable({ ...SIMPLE_KEY_TABLE, TableName }))
    await bench.waitUntilActive(TableName)
    expectEqual((await bench.store.scan({ TableName, ConsistentRead: true })).Items, [])
    expectEqual((await bench.store.describeTable({ TableName })).Table!.TableId === before, false)
  },

  'a missing table is named in the error': async bench => {
    const TableName = bench.newTableName()
    await expectRejection(
      bench.store.deleteTable({ TableName }),
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${TableName} not found`,
    )
  },

  'a protected table is not deleted': async bench => {
    const TableName = await bench.createOwnTable({ ...SIMPLE_KEY_TABLE, DeletionProtectionEnabled: true })
    await expectValidationError(
      bench.store.deleteTable({ TableName }),
      'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
    )
    const { Table } = await bench.store.describeTable({ TableName })
    expectEqual([Table!.TableStatus, Table!.DeletionProtectionEnabled], ['ACTIVE', true])
  },
})
