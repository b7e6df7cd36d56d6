import { expect, test } from 'vitest'
import type { UpdateTableInput, UpdateTableOutput } from '../../../src/dynamodb/operation-types.js'
import type { Engine } from '../../../src/engine/engine.js'
import { createTable } from '../../../src/engine/operations/tables/create-table.js'
import { describeTable } from '../../../src/engine/operations/tables/describe-table.js'
import { updateTable } from '../../../src/engine/operations/tables/update-table.js'
import { defined, emptyEngine, index, key, NOW_MS, request } from '../tables.js'

// The responses of UpdateTable, and of DescribeTable after completion, in us-west-2 in October 2026.

function tableWithClock(more: Parameters<typeof request>[0] = {}) {
  const clock = { ms: NOW_MS }
  const engine = emptyEngine({ now: () => clock.ms })
  createTable(engine, request(more))
  return { engine, clock }
}

function update(engine: Engine, more: Omit<UpdateTableInput, 'TableName'>) {
  return (updateTable(engine, { TableName: 'Orders', ...more }) as UpdateTableOutput).TableDescription!
}

const described = (engine: Engine) => describeTable(engine, { TableName: 'Orders' }).Table!

const units = (n: number) => ({ ReadCapacityUnits: n, WriteCapacityUnits: n })
const INDEXED = { AttributeDefinitions: defined('g', 'pk'), GlobalSecondaryIndexes: [index('byG', key('g'))] }

test('a change of encryption returns an active table with the old encryption in status UPDATING', () => {
  const { engine } = tableWithClock()
  const encrypted = (KMSMasterKeyId: string) => ({ SSESpecification: { SSEType: 'KMS' as const, KMSMasterKeyId } })
  const keyOf = (id: string) => ({ SSEType: 'KMS', KMSMasterKeyArn: `arn:aws:kms:eu-west-1:123456789012:key/${id}` })
  const first = update(engine, encrypted('one'))
  expect([first.TableStatus, first.SSEDescription]).toEqual(['ACTIVE', { Status: 'UPDATING' }])
  expect(described(engine).SSEDescription).toEqual({ Status: 'ENABLED', ...keyOf('one') })
  expect(update(engine, encrypted('two')).SSEDescription).toEqual({ Status: 'UPDATING', ...keyOf('one') })
  expect(described(engine).SSEDescription).toEqual({ Status: 'ENABLED', ...keyOf('two') })
  const off = update(engine, { SSESpecification: { Enabled: false } })
  expect(off.SSEDescription).toEqual({ Status: 'UPDATING', ...keyOf('two') })
  expect(described(engine).SSEDescription).toBeUndefined()
})

test('setting the current class returns an updating table and changes nothing', () => {
  const { engine, clock } = tableWithClock()
  update(engine, { TableClass: 'STANDARD_INFREQUENT_ACCESS' })
  const summary = { TableClass: 'STANDARD_INFREQUENT_ACCESS', LastUpdateDateTime: new Date(NOW_MS) }
  clock.ms += 1000
  const again = update(engine, { TableClass: 'STANDARD_INFREQUENT_ACCESS' })
  expect([again.TableStatus, again.TableClassSummary]).toEqual(['UPDATING', summary])
  expect(described(engine).TableClassSummary).toEqual(summary)
  const { engine: standard } = tableWithClock({ TableClass: 'STANDARD' })
  update(standard, { TableClass: 'STANDARD' })
  expect(described(standard).TableClassSummary).toEqual({ TableClass: 'STANDARD' })
})

test('setting the current billing mode returns the time of the last change', () => {
  const { engine } = tableWithClock()
  const { TableStatus, BillingModeSummary } = update(engine, { BillingMode: 'PAY_PER_REQUEST' })
  const since = { BillingMode: 'PAY_PER_REQUEST', LastUpdateToPayPerRequestDateTime: new Date(NOW_MS) }
  expect([TableStatus, BillingModeSummary]).toEqual(['UPDATING', since])
})

test('a change to provisioned mode returns the new units of the table and its indexes', () => {
  const { engine } = tableWithClock(INDEXED)
  const answer = update(engine, {
    BillingMode: 'PROVISIONED',
    ProvisionedThroughput: units(50),
    GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'byG', ProvisionedThroughput: units(40) } }],
  })
  expect(answer.ProvisionedThroughput).toMatchObject(units(50))
  expect(answer.GlobalSecondaryIndexes).toMatchObject([{ IndexStatus: 'UPDATING', ProvisionedThroughput: units(40) }])
})

test('a change to on-demand mode counts as a decrease of indexes but not of the table', () => {
  const GlobalSecondaryIndexes = [index('byG', key('g'), { ProvisionedThroughput: units(2) })]
  const { engine } = tableWithClock({
    ...INDEXED,
    BillingMode: 'PROVISIONED',
    ProvisionedThroughput: units(2),
    GlobalSecondaryIndexes,
  })
  update(engine, { BillingMode: 'PAY_PER_REQUEST' })
  const table = described(engine)
  expect(table.ProvisionedThroughput!.NumberOfDecreasesToday).toBe(0)
  expect(table.GlobalSecondaryIndexes![0]!.ProvisionedThroughput!.NumberOfDecreasesToday).toBe(1)
})

test('an index with increased warm throughput stays active and shows the old values', () => {
  const { engine } = tableWithClock(INDEXED)
  const answer = update(engine, {
    GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'byG', WarmThroughput: { ReadUnitsPerSecond: 12_001 } } }],
  })
  const WarmThroughput = { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 4000, Status: 'UPDATING' }
  expect(answer.TableStatus).toBe('ACTIVE')
  expect(answer.GlobalSecondaryIndexes).toMatchObject([{ IndexStatus: 'ACTIVE', WarmThroughput }])
})

test('an attribute definition remains until its last index is deleted', () => {
  const { engine } = tableWithClock(INDEXED)
  const answer = update(engine, { GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'byG' } }] })
  expect([answer.AttributeDefinitions, answer.GlobalSecondaryIndexes?.[0]?.IndexStatus]).toEqual([
    defined('g', 'pk'),
    'DELETING',
  ])
  expect(described(engine).AttributeDefinitions).toEqual(defined('pk'))
})

test('a class can be set twice in thirty days, and then not even to the current one', () => {
  const { engine, clock } = tableWithClock()
  const DAY_MS = 24 * 3600 * 1000
  for (const TableClass of ['STANDARD_INFREQUENT_ACCESS', 'STANDARD_INFREQUENT_ACCESS', 'STANDARD'] as const) {
    update(engine, { TableClass })
    clock.ms += DAY_MS
  }
  const limited = {
    name: 'LimitExceededException',
    message: 'Subscriber limit exceeded: Updates to TableClass are limited to 2 times in 30 day(s).',
  }
  for (const TableClass of ['STANDARD_INFREQUENT_ACCESS', 'STANDARD'] as const)
    expect(() => update(engine, { TableClass })).toThrow(expect.objectContaining(limited))
  clock.ms += 27 * DAY_MS
  update(engine, { TableClass: 'STANDARD_INFREQUENT_ACCESS' })
})

test('encryption can change four times within a day of the first change, then every six hours', () => {
  const { engine, clock } = tableWithClock()
  const encrypt = () => update(engine, { SSESpecification: { Enabled: true } })
  const HOUR_MS = 3600 * 1000
  const at = (ms: number) => new Date(ms).toISOString()
  for (let i = 0; i < 4; i++) {
    encrypt()
    clock.ms += HOUR_MS
  }
  const limited = {
    name: 'LimitExceededException',
    message:
      `Subscriber limit exceeded: Encryption mode changes are limited in the 24h window ending at ` +
      `${at(NOW_MS + 24 * HOUR_MS)}. After the first 4 change, each subsequent change in the same window can be ` +
      `performed at most once every 21600 seconds. Number of updates today: 4. Last change at ${at(NOW_MS + 3 * HOUR_MS)}`,
  }
  expect(encrypt).toThrow(expect.objectContaining(limited))
  clock.ms = NOW_MS + 9 * HOUR_MS
  encrypt()
  expect(encrypt).toThrow('Number of updates today: 5.')
  clock.ms = NOW_MS + 24 * HOUR_MS
  for (let i = 0; i < 4; i++) encrypt()
})

test('on-demand limits together with warm throughput are rejected as incompatible', () => {
  const { engine } = tableWithClock()
  const both = { OnDemandThroughput: { MaxReadRequestUnits: 5 }, WarmThroughput: { ReadUnitsPerSecond: 13_000 } }
  expect(() => update(engine, both)).toThrow(
    'One or more parameter values were invalid: OnDemandThroughput can only be combined with BillingMode in an ' +
      'UpdateTable request',
  )
})
