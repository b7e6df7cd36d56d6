import { expect, test } from 'vitest'
import { createTable } from '../../../src/engine/operations/tables/create-table.js'
import { describeTimeToLive } from '../../../src/engine/operations/tables/describe-time-to-live.js'
import { emptyEngine, request, TABLE_ARN } from '../tables.js'

test.each(['Orders', TABLE_ARN])('time to live is disabled for a new table, by name or ARN (%s)', TableName => {
  const engine = emptyEngine()
  createTable(engine, request())
  expect(describeTimeToLive(engine, { TableName })).toStrictEqual({
    TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' },
  })
})

test('DescribeTimeToLive of a missing table names the table', () => {
  expect(() => describeTimeToLive(emptyEngine(), { TableName: 'Orders' })).toThrow(
    expect.objectContaining({
      name: 'ResourceNotFoundException',
      message: 'Requested resource not found: Table: Orders not found',
    }),
  )
})
