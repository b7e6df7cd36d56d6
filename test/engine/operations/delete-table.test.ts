import { expect, test } from 'vitest'
import { createTable } from '../../../src/engine/operations/tables/create-table.js'
import { deleteTable } from '../../../src/engine/operations/tables/delete-table.js'
import { describeTable } from '../../../src/engine/operations/tables/describe-table.js'
import { emptyEngine, index, key, NOW_MS, request, TABLE_ARN, UUID } from '../tables.js'

test('DeleteTable describes a table in deletion, and the table no longer exists', () => {
  const engine = emptyEngine()
  createTable(engine, request({ GlobalSecondaryIndexes: [index('again', key('pk'))] }))
  Object.assign(engine.tables.get('Orders')!, { itemCount: 3, sizeBytes: 300 })
  expect(deleteTable(engine, { TableName: 'Orders' })).toStrictEqual({
    TableDescription: {
      TableName: 'Orders',
      TableStatus: 'DELETING',
      ProvisionedThroughput: { NumberOfDecreasesToday: 0, ReadCapacityUnits: 0, WriteCapacityUnits: 0 },
      TableSizeBytes: 300,
      ItemCount: 3,
      TableArn: TABLE_ARN,
      TableId: expect.stringMatching(UUID),
      BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST', LastUpdateToPayPerRequestDateTime: new Date(NOW_MS) },
      DeletionProtectionEnabled: false,
    },
  })
  expect(() => describeTable(engine, { TableName: 'Orders' })).toThrow('Table: Orders not found')
})

test('a protected table is not deleted', () => {
  const engine = emptyEngine()
  createTable(engine, request({ DeletionProtectionEnabled: true }))
  expect(() => deleteTable(engine, { TableName: 'Orders' })).toThrow(
    expect.objectContaining({
      name: 'ValidationException',
      message:
        'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
    }),
  )
  expect(describeTable(engine, { TableName: 'Orders' }).Table?.TableStatus).toBe('ACTIVE')
})

test('DeleteTable of a missing table names the table', () => {
  expect(() => deleteTable(emptyEngine(), { TableName: 'Orders' })).toThrow(
    expect.objectContaining({
      name: 'ResourceNotFoundException',
      message: 'Requested resource not found: Table: Orders not found',
    }),
  )
})

test('DeleteTable drops the spaces of the table and its indexes', () => {
  const engine = emptyEngine()
  const dropped: string[] = []
  const { keyValues } = engine
  const watched = { ...engine, keyValues: { ...keyValues, drop: (name: string) => void dropped.push(name) } }
  const createdSpaces: string[] = []
  const space = keyValues.space.bind(keyValues)
  keyValues.space = name => {
    createdSpaces.push(name)
    return space(name)
  }
  createTable(engine, request({ GlobalSecondaryIndexes: [index('again', key('pk'))] }))
  deleteTable(watched, { TableName: 'Orders' })
  expect(createdSpaces).toHaveLength(2)
  expect(dropped.sort()).toEqual(createdSpaces.sort())
})
