import { afterAll, expect, test } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { serve } from '../../../src/http/index.js'
import { call } from '../raw-requests.js'

const serving = await serve(memory(), { port: 0 })
afterAll(() => serving.close())

const KEY = {
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
}
const UNITS = { ReadCapacityUnits: 1, WriteCapacityUnits: 1 }

async function told(operation: string, TableName: string, more: object = {}) {
  const { status, text } = await call(serving.url, operation, { TableName, ...more })
  const { Table, TableDescription = Table, message } = JSON.parse(text)
  return { status, message, ...TableDescription }
}

const created = (TableName: string, more: object) => told('CreateTable', TableName, { ...KEY, ...more })

test('the billing mode of a table is returned under both names in every response', async () => {
  const first = await created('both', { BillingMode: 'PAY_PER_REQUEST' })
  expect(first.TableThroughputModeSummary).toEqual({ TableThroughputMode: 'PAY_PER_REQUEST' })
  const described = await told('DescribeTable', 'both')
  const { BillingMode, LastUpdateToPayPerRequestDateTime } = described.BillingModeSummary
  expect(LastUpdateToPayPerRequestDateTime).toBeGreaterThan(0)
  const mirrored = { TableThroughputMode: BillingMode, LastUpdateToPayPerRequestDateTime }
  expect(described.TableThroughputModeSummary).toEqual(mirrored)
  const updated = await told('UpdateTable', 'both', { DeletionProtectionEnabled: false })
  expect(updated.TableThroughputModeSummary).toEqual(mirrored)
  expect((await told('DeleteTable', 'both')).TableThroughputModeSummary).toEqual(mirrored)
})

test('a table that was never on demand returns neither billing mode', async () => {
  await created('neither', { ProvisionedThroughput: UNITS })
  const described = await told('DescribeTable', 'neither')
  expect(described.TableStatus).toBe('ACTIVE')
  expect(described).not.toHaveProperty('BillingModeSummary')
  expect(described).not.toHaveProperty('TableThroughputModeSummary')
})

test('the second name of the billing mode is accepted, and the first takes precedence', async () => {
  const other = await created('other', { TableThroughputMode: 'PAY_PER_REQUEST' })
  expect(other.BillingModeSummary).toEqual({ BillingMode: 'PAY_PER_REQUEST' })
  await told('DescribeTable', 'other')
  const units = { TableThroughputMode: 'PROVISIONED', ProvisionedThroughput: UNITS }
  expect((await told('UpdateTable', 'other', units)).BillingModeSummary.BillingMode).toBe('PROVISIONED')
  const own = { BillingMode: 'PROVISIONED', TableThroughputMode: 'PAY_PER_REQUEST', ProvisionedThroughput: UNITS }
  expect((await created('own', own)).status).toBe(200)
  const refused = await created('refused', { TableThroughputMode: 'PAY_PER_REQUEST', ProvisionedThroughput: UNITS })
  expect(refused.message).toBe(
    'One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST',
  )
})
