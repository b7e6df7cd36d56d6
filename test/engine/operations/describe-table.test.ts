import { expect, test } from 'vitest'
import { createTable } from '../../../src/engine/operations/tables/create-table.js'
import { describeTable } from '../../../src/engine/operations/tables/describe-table.js'
import { defined, emptyEngine, index, key, keyOf, NOW_MS, request, TABLE_ARN, UUID } from '../tables.js'

const NO_CAPACITY = { NumberOfDecreasesToday: 0, ReadCapacityUnits: 0, WriteCapacityUnits: 0 }
const WARM = { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 4_000, Status: 'ACTIVE' }

test('a table is active immediately after its creation', () => {
  const engine = emptyEngine()
  createTable(
    engine,
    request({
      AttributeDefinitions: defined('pk', 'sk', 'country', 'city'),
      KeySchema: key('pk', 'sk'),
      LocalSecondaryIndexes: [index('byCity', key('pk', 'city'))],
      GlobalSecondaryIndexes: [index('byPlace', keyOf(['country', 'city'], ['sk', 'pk']))],
    }),
  )
  expect(describeTable(engine, { TableName: 'Orders' })).toStrictEqual({
    Table: {
      AttributeDefinitions: defined('city', 'country', 'pk', 'sk'),
      TableName: 'Orders',
      KeySchema: key('pk', 'sk'),
      TableStatus: 'ACTIVE',
      CreationDateTime: new Date(NOW_MS),
      ProvisionedThroughput: NO_CAPACITY,
      WarmThroughput: WARM,
      TableSizeBytes: 0,
      ItemCount: 0,
      TableArn: TABLE_ARN,
      TableId: expect.stringMatching(UUID),
      BillingModeSummary: {
        BillingMode: 'PAY_PER_REQUEST',
        LastUpdateToPayPerRequestDateTime: new Date(NOW_MS),
      },
      LocalSecondaryIndexes: [
        {
          IndexName: 'byCity',
          KeySchema: key('pk', 'city'),
          Projection: { ProjectionType: 'ALL' },
          IndexSizeBytes: 0,
          ItemCount: 0,
          IndexArn: `${TABLE_ARN}/index/byCity`,
        },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'byPlace',
          KeySchema: keyOf(['country', 'city'], ['sk', 'pk']),
          Projection: { ProjectionType: 'ALL' },
          IndexStatus: 'ACTIVE',
          ProvisionedThroughput: NO_CAPACITY,
          WarmThroughput: WARM,
          IndexSizeBytes: 0,
          ItemCount: 0,
          IndexArn: `${TABLE_ARN}/index/byPlace`,
        },
      ],
      DeletionProtectionEnabled: false,
    },
  })
})

test('the warm throughput of a provisioned table is its capacity', () => {
  const engine = emptyEngine()
  const units = { ReadCapacityUnits: 5, WriteCapacityUnits: 6 }
  createTable(
    engine,
    request({
      BillingMode: undefined,
      ProvisionedThroughput: units,
      GlobalSecondaryIndexes: [
        index('again', key('pk'), { ProvisionedThroughput: units, WarmThroughput: { ReadUnitsPerSecond: 50 } }),
      ],
    }),
  )
  const { Table } = describeTable(engine, { TableName: 'Orders' })
  expect(Table?.WarmThroughput).toEqual({ ReadUnitsPerSecond: 5, WriteUnitsPerSecond: 6, Status: 'ACTIVE' })
  expect(Table?.GlobalSecondaryIndexes?.[0]?.WarmThroughput).toEqual({
    ReadUnitsPerSecond: 50,
    WriteUnitsPerSecond: 6,
    Status: 'ACTIVE',
  })
})

test('DescribeTable shows current counts and sizes of the table and each index', () => {
  const engine = emptyEngine()
  createTable(engine, request({ GlobalSecondaryIndexes: [index('again', key('pk'))] }))
  const table = engine.tables.get('Orders')!
  Object.assign(table, { itemCount: 3, sizeBytes: 300 })
  Object.assign(table.indexes[0]!, { itemCount: 2, sizeBytes: 50 })
  expect(describeTable(engine, { TableName: 'Orders' }).Table).toMatchObject({
    ItemCount: 3,
    TableSizeBytes: 300,
    GlobalSecondaryIndexes: [{ ItemCount: 2, IndexSizeBytes: 50 }],
  })
})

test('a table is found by its ARN', () => {
  const engine = emptyEngine()
  createTable(engine, request())
  expect(describeTable(engine, { TableName: TABLE_ARN }).Table?.TableName).toBe('Orders')
})

test.each(['Orders', TABLE_ARN])('DescribeTable of a missing table names the table (%s)', TableName => {
  expect(() => describeTable(emptyEngine(), { TableName })).toThrow(
    expect.objectContaining({
      name: 'ResourceNotFoundException',
      message: 'Requested resource not found: Table: Orders not found',
    }),
  )
})

test('modifying the output of DescribeTable does not change the table', () => {
  const engine = emptyEngine()
  createTable(engine, request())
  const first = describeTable(engine, { TableName: 'Orders' })
  first.Table!.KeySchema!.pop()
  first.Table!.CreationDateTime!.setTime(0)
  expect(describeTable(engine, { TableName: 'Orders' }).Table).toMatchObject({
    KeySchema: key('pk'),
    CreationDateTime: new Date(NOW_MS),
  })
})
