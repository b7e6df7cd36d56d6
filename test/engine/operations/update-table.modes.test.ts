import { expect, test } from 'vitest'
import type { UpdateTableInput, UpdateTableOutput } from '../../../src/dynamodb/operations/update-table.js'
import type { Engine } from '../../../src/engine/engine.js'
import { createTable } from '../../../src/engine/operations/tables/create-table.js'
import { describeTable } from '../../../src/engine/operations/tables/describe-table.js'
import { updateTable } from '../../../src/engine/operations/tables/update-table.js'
import { emptyEngine, NOW_MS, request } from '../tables.js'

const HOUR_MS = 3600 * 1000
const units = (n: number) => ({ ProvisionedThroughput: { ReadCapacityUnits: n, WriteCapacityUnits: n } })
const ON_DEMAND = { BillingMode: 'PAY_PER_REQUEST' as const }

function made(more: Parameters<typeof request>[0] = {}) {
  const clock = { ms: NOW_MS }
  const engine = emptyEngine({ now: () => clock.ms })
  createTable(engine, request(more))
  return { engine, clock }
}

const update = (engine: Engine, more: Omit<UpdateTableInput, 'TableName'>) =>
  updateTable(engine, { TableName: 'Orders', ...more })

const described = (engine: Engine) => describeTable(engine, { TableName: 'Orders' }).Table!

// Captured in us-west-2 in October 2026.
test('a change of mode neither forgets the last decrease nor counts as an increase', () => {
  const { engine, clock } = made({ BillingMode: 'PROVISIONED', ...units(3) })
  update(engine, units(1))
  clock.ms += HOUR_MS
  update(engine, ON_DEMAND)
  const decreased = { NumberOfDecreasesToday: 1, LastDecreaseDateTime: new Date(NOW_MS) }
  const none = { ReadCapacityUnits: 0, WriteCapacityUnits: 0 }
  expect(described(engine).ProvisionedThroughput).toEqual({ ...decreased, ...none })
  update(engine, { BillingMode: 'PROVISIONED', ...units(2) })
  expect(described(engine).ProvisionedThroughput).toEqual({ ...decreased, ...units(2).ProvisionedThroughput })
})

// As seen in us-west-2 in October 2026.
test('a table is warm for what it was until its capacity is another, and tells of a decrease while it goes on demand', () => {
  const { engine, clock } = made({ BillingMode: 'PROVISIONED', ...units(1) })
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

// In us-west-2 in October 2026 these were taken for nothing beside another change, and alone failed with a status of 500.
test('what to be warm for and bounds on demand without members change nothing beside another change', () => {
  const { engine } = made()
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

test('a table that is not there is told before that a request changes nothing, if it has the name of a change', () => {
  const { engine } = made()
  for (const more of [{ WarmThroughput: {} }, { OnDemandThroughput: {} }]) {
    expect(() => updateTable(engine, { TableName: 'Others', ...more })).toThrow('Table: Others not found')
    expect(() => update(engine, more)).toThrow('At least one of ProvisionedThroughput')
  }
  expect(() => updateTable(engine, { TableName: 'Others' })).toThrow('At least one of ProvisionedThroughput')
})

test('an index that is to be warm for nothing is told before that a class is changed alone', () => {
  const GlobalSecondaryIndexUpdates = [{ Update: { IndexName: 'byG', WarmThroughput: {} } }]
  expect(() => update(made().engine, { TableClass: 'STANDARD', GlobalSecondaryIndexUpdates })).toThrow(
    'One or more parameter values were invalid: WarmThroughput must have at least one of ReadUnitsPerSecond or ' +
      'WriteUnitsPerSecond specified for index: byG',
  )
})
