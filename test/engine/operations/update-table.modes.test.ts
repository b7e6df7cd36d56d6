import { expect, test } from 'vitest'
import type { UpdateTableInput, UpdateTableOutput } from '../../../src/dynamodb/operation-types.js'
import type { Engine } from '../../../src/engine/engine.js'
import { createTable } from '../../../src/engine/operations/tables/create-table.js'
import { describeTable } from '../../../src/engine/operations/tables/describe-table.js'
import { updateTable } from '../../../src/engine/operations/tables/update-table.js'
import { emptyEngine, NOW_MS, request } from '../tables.js'

const HOUR_MS = 3600 * 1000
const units = (n: number) => ({ ProvisionedThroughput: { ReadCapacityUnits: n, WriteCapacityUnits: n } })
const ON_DEMAND = { BillingMode: 'PAY_PER_REQUEST' as const }

function tableWithClock(more: Parameters<typeof request>[0] = {}) {
  const clock = { ms: NOW_MS }
  const engine = emptyEngine({ now: () => clock.ms })
  createTable(engine, request(more))
  return { engine, clock }
}

const update = (engine: Engine, more: Omit<UpdateTableInput, 'TableName'>) =>
  updateTable(engine, { TableName: 'Orders', ...more })

const described = (engine: Engine) => describeTable(engine, { TableName: 'Orders' }).Table!

// Captured in us-west-2 in October 2026.
test('a change of billing mode keeps the last decrease and does not count as an increase', () => {
  const { engine, clock } = tableWithClock({ BillingMode: 'PROVISIONED', ...units(3) })
  update(engine, units(1))
  clock.ms += HOUR_MS
  update(engine, ON_DEMAND)
  const decreased = { NumberOfDecreasesToday: 1, LastDecreaseDateTime: new Date(NOW_MS) }
  const none = { ReadCapacityUnits: 0, WriteCapacityUnits: 0 }
  expect(described(engine).ProvisionedThroughput).toEqual({ ...decreased, ...none })
  update(engine, { BillingMode: 'PROVISIONED', ...units(2) })
  expect(described(engine).ProvisionedThroughput).toEqual({ ...decreased, ...units(2).ProvisionedThroughput })
})

// As observed in us-west-2 in October 2026.
test('a table keeps its warm throughput until its capacity changes, and shows a decrease while changing to on-demand mode', () => {
  const { engine, clock } = tableWithClock({ BillingMode: 'PROVISIONED', ...units(1) })
  const answerTo = (more: Omit<UpdateTableInput, 'TableName'>) =>
    (update(engine, more) as UpdateTableOutput).TableDescription!
  const warm = (ReadUnitsPerSecond: number, WriteUnitsPerSecond: number) => ({
    WarmThroughput: { ReadUnitsPerSecond, WriteUnitsPerSecond, Status: 'ACTIVE' },
  })
  expect(answerTo(units(2))).toMatchObject({ TableStatus: 'UPDATING', ...warm(1, 1) })
  expect(described(engine)).toMatchObject(warm(2, 2))
  clock.ms += HOUR_MS
  const { ProvisionedThroughput, ...answer } = answerTo(ON_DEMAND)
  expect(answer).toMatchObject({ TableStatus: 'UPDATING', ...warm(2, 2) })
  const none = { NumberOfDecreasesToday: 0, ReadCapacityUnits: 0, WriteCapacityUnits: 0 }
  const increased = { LastIncreaseDateTime: new Date(NOW_MS) }
  expect(ProvisionedThroughput).toEqual({ ...none, ...increased, LastDecreaseDateTime: new Date(clock.ms) })
  expect(described(engine)).toMatchObject({ ...warm(12_000, 4000), ProvisionedThroughput: { ...none, ...increased } })
  expect(described(engine).ProvisionedThroughput).not.toHaveProperty('LastDecreaseDateTime')
})

// In us-west-2 in October 2026 these were ignored next to another change, and failed alone with status 500.
test('empty warm throughput and empty on-demand limits are ignored next to another change', () => {
  const { engine } = tableWithClock()
  const before = described(engine)
  const answerTo = (more: Omit<UpdateTableInput, 'TableName'>) =>
    (update(engine, more) as UpdateTableOutput).TableDescription!
  const { WarmThroughput } = before
  expect(answerTo({ WarmThroughput: {}, DeletionProtectionEnabled: false })).toMatchObject({ WarmThroughput })
  expect(answerTo({ WarmThroughput: {}, TableClass: 'STANDARD' })).toMatchObject({ WarmThroughput })
  expect(answerTo({ OnDemandThroughput: {}, ...ON_DEMAND })).not.toHaveProperty('OnDemandThroughput')
  expect(described(engine)).toEqual(before)
  expect(() => answerTo({ WarmThroughput: {}, ...units(1) })).toThrow('Neither ReadCapacityUnits')
})

test('a missing table is reported before an empty change, but after a request without changes', () => {
  const { engine } = tableWithClock()
  for (const more of [{ WarmThroughput: {} }, { OnDemandThroughput: {} }]) {
    expect(() => updateTable(engine, { TableName: 'Others', ...more })).toThrow('Table: Others not found')
    expect(() => update(engine, more)).toThrow('At least one of ProvisionedThroughput')
  }
  expect(() => updateTable(engine, { TableName: 'Others' })).toThrow('At least one of ProvisionedThroughput')
})

test('empty warm throughput of an index is reported before a class that must change alone', () => {
  const GlobalSecondaryIndexUpdates = [{ Update: { IndexName: 'byG', WarmThroughput: {} } }]
  expect(() => update(tableWithClock().engine, { TableClass: 'STANDARD', GlobalSecondaryIndexUpdates })).toThrow(
    'One or more parameter values were invalid: WarmThroughput must have at least one of ReadUnitsPerSecond or ' +
      'WriteUnitsPerSecond specified for index: byG',
  )
})
