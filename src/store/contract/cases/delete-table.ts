import { cases } from '../case.js'
import { invalid, refused, same } from '../expect.js'
import { PAIR, SINGLE } from './table-definitions.js'

export const deleteTableCases = cases('deleteTable', {
  'the answer describes a table that is going, without what it was made of': async bench => {
    const TableName = await bench.ownTable(PAIR)
    const { TableDescription } = await bench.store.deleteTable({ TableName })
    same([TableDescription!.TableName, TableDescription!.TableStatus], [TableName, 'DELETING'])
    const { AttributeDefinitions, KeySchema, CreationDateTime } = TableDescription!
    same([AttributeDefinitions, KeySchema, CreationDateTime], [undefined, undefined, undefined])
  },

  'a deleted table is not there any more': async bench => {
    const TableName = await bench.ownTable(SINGLE)
    await bench.put(TableName, { a: { S: 'a' } })
    await bench.store.deleteTable({ TableName })
    await bench.eventually(async () => {
      await refused(bench.store.describeTable({ TableName }), 'ResourceNotFoundException')
    })
    await refused(bench.store.getItem({ TableName, Key: { a: { S: 'a' } } }), 'ResourceNotFoundException')
    await refused(
      bench.store.deleteTable({ TableName }),
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${TableName} not found`,
    )
  },

  'a table made again under the name of a deleted one is empty and another': async bench => {
    const TableName = await bench.ownTable(SINGLE)
    await bench.put(TableName, { a: { S: 'a' } })
    const before = (await bench.store.describeTable({ TableName })).Table!.TableId
    await bench.store.deleteTable({ TableName })
    await bench.eventually(() => bench.store.createTable({ ...SINGLE, TableName }))
    await bench.active(TableName)
    same((await bench.store.scan({ TableName, ConsistentRead: true })).Items, [])
    same((await bench.store.describeTable({ TableName })).Table!.TableId === before, false)
  },

  'a table that is not there is named in the refusal': async bench => {
    const TableName = bench.ownName()
    await refused(
      bench.store.deleteTable({ TableName }),
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${TableName} not found`,
    )
  },

  'a protected table is kept': async bench => {
    const TableName = await bench.ownTable({ ...SINGLE, DeletionProtectionEnabled: true })
    await invalid(
      bench.store.deleteTable({ TableName }),
      'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
    )
    const { Table } = await bench.store.describeTable({ TableName })
    same([Table!.TableStatus, Table!.DeletionProtectionEnabled], ['ACTIVE', true])
  },
})
