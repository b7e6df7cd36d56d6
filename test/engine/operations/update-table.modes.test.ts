import { expect, test } from 'vitest'
import type { UpdateTableRequest } from '../../../src/dynamodb/operations/update-table.js'
import type { Engine } from '../../../src/engine/engine.js'
import { createTable } from '../../../src/engine/operations/create-table.js'
import { describeTable } from '../../../src/engine/operations/describe-table.js'
import { updateTable } from '../../../src/engine/operations/update-table.js'
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

const update = (engine: Engine, more: Omit<UpdateTableRequest, 'TableName'>) =>
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
