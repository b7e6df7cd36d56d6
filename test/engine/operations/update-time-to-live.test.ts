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

test('enabling answers what was asked for and is described at once', () => {
  const { update, described } = engineWithTable()
  expect(update(true, 'expires')).toStrictEqual({
    TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' },
  })
  expect(described()).toStrictEqual({
    TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: 'expires' },
  })
})

test('disabling forgets the attribute, so that another can be enabled', () => {
  const { update, described } = engineWithTable()
  update(true, 'expires')
  expect(update(false, 'expires')).toStrictEqual({
    TimeToLiveSpecification: { Enabled: false, AttributeName: 'expires' },
  })
  expect(described()).toStrictEqual({ TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' } })
  update(true, 'other')
  expect(described().TimeToLiveDescription?.AttributeName).toBe('other')
})

test('only a change is taken', () => {
  const { update } = engineWithTable()
  expect(() => update(false, 'expires')).toThrow(
    expect.objectContaining({ name: 'ValidationException', message: 'TimeToLive is already disabled' }),
  )
  update(true, 'expires')
  expect(() => update(true, 'expires')).toThrow(
    expect.objectContaining({ name: 'ValidationException', message: 'TimeToLive is already enabled' }),
  )
})

test.each([true, false])('the attribute does not change while it is enabled (asked for %s)', enabled => {
  const { update } = engineWithTable()
  update(true, 'expires')
  expect(() => update(enabled, 'other')).toThrow(
    expect.objectContaining({
      name: 'ValidationException',
      message: 'TimeToLive is active on a different AttributeName: current AttributeName is expires',
    }),
  )
})

test('a missing table is named', () => {
  const TimeToLiveSpecification = { Enabled: true, AttributeName: 'expires' }
  expect(() => updateTimeToLive(emptyEngine(), { TableName: 'Orders', TimeToLiveSpecification })).toThrow(
    expect.objectContaining({
      name: 'ResourceNotFoundException',
      message: 'Requested resource not found: Table: Orders not found',
    }),
  )
})
