import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { COMPOSITE_KEY_TABLE, SIMPLE_KEY_TABLE } from '../../fixtures/table-definitions.js'

export const deleteTableCases = defineCases('deleteTable', {
  'the answer describes a table that is going, without what it was made of': async bench => {
    const TableName = await bench.createOwnTable(COMPOSITE_KEY_TABLE)
    const { TableDescription } = await bench.store.deleteTable({ TableName })
    expectEqual([TableDescription!.TableName, TableDescription!.TableStatus], [TableName, 'DELETING'])
    const { AttributeDefinitions, KeySchema, CreationDateTime } = TableDescription!
    expectEqual([AttributeDefinitions, KeySchema, CreationDateTime], [undefined, undefined, undefined])
  },

  'a deleted table is not there any more': async bench => {
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

  'a table made again under the name of a deleted one is empty and another': async bench => {
    const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    await bench.put(TableName, { a: { S: 'a' } })
    const before = (await bench.store.describeTable({ TableName })).Table!.TableId
    await bench.store.deleteTable({ TableName })
    await bench.eventually(() => bench.store.createTable({ ...SIMPLE_KEY_TABLE, TableName }))
    await bench.waitUntilActive(TableName)
    expectEqual((await bench.store.scan({ TableName, ConsistentRead: true })).Items, [])
    expectEqual((await bench.store.describeTable({ TableName })).Table!.TableId === before, false)
  },

  'a table that is not there is named in the refusal': async bench => {
    const TableName = bench.newTableName()
    await expectRejection(
      bench.store.deleteTable({ TableName }),
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${TableName} not found`,
    )
  },

  'a protected table is kept': async bench => {
    const TableName = await bench.createOwnTable({ ...SIMPLE_KEY_TABLE, DeletionProtectionEnabled: true })
    await expectValidationError(
      bench.store.deleteTable({ TableName }),
      'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
    )
    const { Table } = await bench.store.describeTable({ TableName })
    expectEqual([Table!.TableStatus, Table!.DeletionProtectionEnabled], ['ACTIVE', true])
  },
})
