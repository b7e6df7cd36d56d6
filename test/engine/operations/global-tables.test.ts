import { expect, test } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { request } from '../tables.js'

// As seen in us-west-2 in October 2026, where no table is one any more.
test('there are no global tables, in the old operations on them and in the new', async () => {
  const store = memory()
  const { TableDescription } = await store.createTable(request())
  for (const GlobalTableName of ['Orders', 'Missing'])
    await expect(store.describeGlobalTable({ GlobalTableName })).rejects.toMatchObject({
      name: 'GlobalTableNotFoundException',
      message: `Global table not found: Global table with name: '${GlobalTableName}' does not exist.`,
    })
  expect(await store.listGlobalTables({ RegionName: 'us-east-1', Limit: 1 })).toEqual({ GlobalTables: [] })
  for (const TableName of ['Orders', TableDescription!.TableArn!])
    await expect(store.describeTableReplicaAutoScaling({ TableName })).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: "Global table with name: 'Orders' does not exist.",
    })
})

test('a global table has a name of some length', async () => {
  for (const GlobalTableName of ['', 'xy', 'x'.repeat(256)])
    await expect(memory().describeGlobalTable({ GlobalTableName })).rejects.toMatchObject({
      name: 'ValidationException',
      message: 'TableName must be at least 3 characters long and at most 255 characters long',
    })
})
