import { expect, test } from 'vitest'
import { createTable } from '../../../src/engine/operations/tables/create-table.js'
import { describeTimeToLive } from '../../../src/engine/operations/tables/describe-time-to-live.js'
import { updateTimeToLive } from '../../../src/engine/operations/tables/update-time-to-live.js'
import { emptyEngine, request } from '../tables.js'

function engineWithTable() {
  const engine = emptyEngine()
  createTable(engine, request())
  const update = (Enabled: boolean, AttributeName: string) =>
    updateTimeToLive(engine, { TableName: 'Orders', TimeToLiveSpecification: { Enabled, AttributeName } })
  const described = () => describeTimeToLive(engine, { TableName: 'Orders' })
  return { update, described }
}

test('enabling time to live returns the setting and shows it immediately', () => {
  const { update, described } = engineWithTable()
  expect(update(true, 'expires')).toStrictEqual({
    TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' },
  })
  expect(described()).toStrictEqual({
    TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: 'expires' },
  })
})

test('disabling time to live removes the attribute, so that another can be enabled', () => {
  const { update, described } = engineWithTable()
  update(true, 'expires')
  expect(update(false, 'expires')).toStrictEqual({
    TimeToLiveSpecification: { Enabled: false, AttributeName: 'expires' },
  })
  expect(described()).toStrictEqual({ TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' } })
  update(true, 'other')
  expect(described().TimeToLiveDescription?.AttributeName).toBe('other')
})

test('setting time to live to its current state is rejected', () => {
  const { update } = engineWithTable()
  expect(() => update(false, 'expires')).toThrow(
    expect.objectContaining({ name: 'ValidationException', message: 'TimeToLive is already disabled' }),
  )
  update(true, 'expires')
  expect(() => update(true, 'expires')).toThrow(
    expect.objectContaining({ name: 'ValidationException', message: 'TimeToLive is already enabled' }),
  )
})

test.each([true, false])('the attribute cannot change while time to live is enabled (requested %s)', enabled => {
  const { update } = engineWithTable()
  update(true, 'expires')
  expect(() => update(enabled, 'other')).toThrow(
    expect.objectContaining({
      name: 'ValidationException',
      message: 'TimeToLive is active on a different AttributeName: current AttributeName is expires',
    }),
  )
})

test('UpdateTimeToLive of a missing table names the table', () => {
  const TimeToLiveSpecification = { Enabled: true, AttributeName: 'expires' }
  expect(() => updateTimeToLive(emptyEngine(), { TableName: 'Orders', TimeToLiveSpecification })).toThrow(
    expect.objectContaining({
      name: 'ResourceNotFoundException',
      message: 'Requested resource not found: Table: Orders not found',
    }),
  )
})
