import { expect, test } from 'vitest'
import { createTable } from '../../../src/engine/operations/tables/create-table.js'
import { describeTimeToLive } from '../../../src/engine/operations/tables/describe-time-to-live.js'
import { emptyEngine, request, TABLE_ARN } from '../tables.js'

test.each(['Orders', TABLE_ARN])('it is disabled on a new table, by name or ARN (%s)', TableName => {
  const engine = emptyEngine()
  createTable(engine, request())
  expect(describeTimeToLive(engine, { TableName })).toStrictEqual({
    TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' },
  })
})

test('a missing table is named', () => {
  expect(() => describeTimeToLive(emptyEngine(), { TableName: 'Orders' })).toThrow(
    expect.objectContaining({
      name: 'ResourceNotFoundException',
      message: 'Requested resource not found: Table: Orders not found',
    }),
  )
})
