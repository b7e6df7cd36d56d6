import { describe, expect, test } from 'vitest'
import type { UpdateTableInput } from '../../../src/dynamodb/operation-types.js'
import { memory } from '../../../src/engine/index.js'
import { START_MS } from '../streams/read-stream.js'
import { defined, index, key, request } from '../tables.js'

// The updates that DynamoDB accepts concurrently, and its messages for the others, observed in us-west-2 in October
// 2026.

const BUSY_MS = 5000
const ORDERS = { TableName: 'Orders' }
type Update = Omit<UpdateTableInput, 'TableName'>

const units = (n: number) => ({ ReadCapacityUnits: n, WriteCapacityUnits: n })
const PROVISIONED = { BillingMode: 'PROVISIONED' as const, ProvisionedThroughput: units(1) }
const provisioned = { ProvisionedThroughput: units(1) }
const TWO = { AttributeDefinitions: defined('a', 'b', 'pk') }
const INDEXED = { ...TWO, GlobalSecondaryIndexes: [index('byA', key('a')), index('byB', key('b'))] }
const PROVISIONED_INDEXED = {
  ...PROVISIONED,
  ...TWO,
  GlobalSecondaryIndexes: [index('byA', key('a'), provisioned), index('byB', key('b'), provisioned)],
}

const STREAM: Update = { StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } }
const INFREQUENT: Update = { TableClass: 'STANDARD_INFREQUENT_ACCESS' }
const KMS: Update = { SSESpecification: { Enabled: true, SSEType: 'KMS' } }
const BOUNDS: Update = { OnDemandThroughput: { MaxReadRequestUnits: 5 } }
const WARM: Update = { WarmThroughput: { ReadUnitsPerSecond: 13_000, WriteUnitsPerSecond: 5000 } }
const PROTECTED: Update = { DeletionProtectionEnabled: true }
const UNITS: Update = { ProvisionedThroughput: units(2) }
const onIndex = (...GlobalSecondaryIndexUpdates: UpdateTableInput['GlobalSecondaryIndexUpdates'] & object): Update => ({
  AttributeDefinitions: defined('c'),
  GlobalSecondaryIndexUpdates,
})
const make = (name: string, more = {}) => onIndex({ Create: index(name, key('c'), more) })
const remove = (IndexName: string) => onIndex({ Delete: { IndexName } })
const provide = (IndexName: string) => onIndex({ Update: { IndexName, ProvisionedThroughput: units(3) } })

async function active(more: Parameters<typeof request>[0] = {}) {
  const clock = { ms: START_MS }
  const store = memory({ now: () => clock.ms, transitionMs: BUSY_MS })
  const table = async () => (await store.describeTable(ORDERS)).Table!
  const update = async (request: Update) => (await store.updateTable({ ...ORDERS, ...request })).TableDescription!
  await store.createTable(request(more))
  clock.ms += BUSY_MS
  return {
    store,
    clock,
    table,
    update,
    refusesDeletion: (message: string) =>
      expect(store.deleteTable(ORDERS)).rejects.toMatchObject({
        name: 'ResourceInUseException',
        message: IN_USE + message,
      }),
    refuses: (request: Update, message: string) =>
      expect(update(request)).rejects.toMatchObject({ name: 'ResourceInUseException', message: IN_USE + message }),
  }
}

const IN_USE = 'Attempt to change a resource which is still in use: '
const ONE_INDEX = {
  name: 'LimitExceededException',
  message: 'Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table',
}
const CLASS = 'TableClassUpdateInProgress: STANDARD_INFREQUENT_ACCESS'

describe('updates while a stream is being changed', () => {
  test('class, on-demand limits, indexes and deletion are rejected while a stream is being changed', async () => {
    const { update, refuses, refusesDeletion } = await active()
    await update(STREAM)
    await refuses(INFREQUENT, "Can't update table class when stream status is being updated. Table: Orders")
    await refuses(BOUNDS, 'OnDemandThroughput cannot be updated while stream status update is in progress')
    await refuses(make('byC'), "Can't create or delete an index when stream status is being updated. Table: Orders")
    await refusesDeletion('Cannot delete table while stream is being enabled/disabled.')
  })

  test('protection, encryption and warm throughput can change while a stream is being changed', async () => {
    const { update, table, clock } = await active()
    await update(STREAM)
    expect((await update(PROTECTED)).TableStatus).toBe('UPDATING')
    clock.ms += 1000
    expect((await update(WARM)).TableStatus).toBe('UPDATING')
    expect((await update(KMS)).TableStatus).toBe('ACTIVE')
    expect(await table()).toMatchObject({ TableStatus: 'UPDATING', SSEDescription: { Status: 'UPDATING' } })
    clock.ms += BUSY_MS - 1000
    expect(await table()).toMatchObject({
      TableStatus: 'ACTIVE',
      DeletionProtectionEnabled: true,
      SSEDescription: { Status: 'UPDATING' },
      WarmThroughput: { ReadUnitsPerSecond: 12_000, Status: 'UPDATING' },
    })
    clock.ms += 1000
    expect(await table()).toMatchObject({
      SSEDescription: { Status: 'ENABLED', SSEType: 'KMS' },
      WarmThroughput: { ReadUnitsPerSecond: 13_000, Status: 'ACTIVE' },
    })
  })
})

test('class, stream, on-demand limits and indexes cannot change while the class is being changed', async () => {
  const { update, table, clock, refuses, refusesDeletion } = await active()
  expect((await update(INFREQUENT)).TableClassSummary).toBeUndefined()
  expect((await table()).TableClassSummary).toBeUndefined()
  for (const TableClass of ['STANDARD', 'STANDARD_INFREQUENT_ACCESS'] as const)
    await refuses(
      { TableClass },
      `Can't update table class when a table class update is in progress. Table: Orders ${CLASS}`,
    )
  await refuses(STREAM, `Can't change stream status when a table class update is in progress. Table: Orders ${CLASS}`)
  await refuses(BOUNDS, `OnDemandThroughput cannot be updated while TableClass update is in progress. ${CLASS}`)
  await refuses(
    make('byC'),
    `Can't create or delete an index when a table class update is in progress. Table: Orders ${CLASS}`,
  )
  await refusesDeletion('Table: Orders is in the process of being updated.')
  clock.ms += BUSY_MS
  expect((await table()).TableClassSummary!.TableClass).toBe('STANDARD_INFREQUENT_ACCESS')
})

test('units, on-demand limits, stream and indexes cannot change while the billing mode is being changed', async () => {
  const { update, table, refuses, refusesDeletion } = await active()
  await update(PROVISIONED)
  expect(await table()).toMatchObject({ TableStatus: 'UPDATING', ProvisionedThroughput: units(1) })
  await refuses(UNITS, 'Table IOPS are currently being updated. Table: Orders')
  await refuses(STREAM, "Can't enable or disable stream while table IOPS are being updated. Table: Orders")
  await refuses(BOUNDS, 'OnDemandThroughput cannot be updated while BillingMode update is in progress')
  await refuses(
    make('byC', provisioned),
    "Can't create or delete indexes while table IOPS are being updated. Table: Orders",
  )
  await refusesDeletion('Table: Orders is in the process of being updated.')
  await update(WARM)
  await update(PROTECTED)
})

test('during a change to on-demand mode the mode cannot be set again, and limits are checked against the old mode', async () => {
  const { update, refuses } = await active(PROVISIONED)
  await update({ BillingMode: 'PAY_PER_REQUEST' })
  await refuses({ BillingMode: 'PAY_PER_REQUEST' }, 'Table IOPS are currently being updated. Table: Orders')
  await refuses(PROVISIONED, 'Table IOPS are currently being updated. Table: Orders')
  await expect(update(BOUNDS)).rejects.toThrow(
    'MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED',
  )
})

test('an update without changes is not pending, even if its response shows UPDATING', async () => {
  const { update, table } = await active(INDEXED)
  for (const same of [
    { BillingMode: 'PAY_PER_REQUEST' as const },
    { TableClass: 'STANDARD' as const },
    { WarmThroughput: { ReadUnitsPerSecond: 12_000 } },
    onIndex({ Update: { IndexName: 'byA', WarmThroughput: { ReadUnitsPerSecond: 12_000 } } }),
  ]) {
    await update(same)
    expect((await table()).TableStatus).toBe('ACTIVE')
  }
  await update(STREAM)
})

test('a table whose encryption is being changed is active, rejects deletion and accepts the same encryption', async () => {
  const { update, table, refuses, refusesDeletion } = await active()
  await update(KMS)
  expect(await table()).toMatchObject({ TableStatus: 'ACTIVE', SSEDescription: { Status: 'UPDATING' } })
  await refuses({ SSESpecification: { Enabled: false } }, 'Server-Side Encryption is still being updated')
  await refusesDeletion('Table: Orders is in the process of being updated.')
  await update(KMS)
  expect((await update(STREAM)).TableStatus).toBe('UPDATING')
})

test('a table whose warm throughput is being raised is active and rejects deletion', async () => {
  const { update, table, refusesDeletion } = await active()
  await update(WARM)
  expect((await table()).TableStatus).toBe('ACTIVE')
  await refusesDeletion('Table: Orders is in the process of being updated.')
  await update(INFREQUENT)
})

describe('creation of an index', () => {
  const indexC = 'Table: Orders Index: byC'

  test('during allocation of an index, units, stream, limits and the index itself cannot change', async () => {
    const { update, table, refuses } = await active(PROVISIONED_INDEXED)
    await update(make('byC', provisioned))
    const { TableStatus, GlobalSecondaryIndexes } = await table()
    expect([TableStatus, GlobalSecondaryIndexes![2]]).toMatchObject([
      'UPDATING',
      { IndexStatus: 'CREATING', Backfilling: false },
    ])
    await refuses(UNITS, "Can't change table IOPS when an index is being created. Table: Orders Indexes: [byC]")
    await refuses(STREAM, "Can't change stream status when an index is being created. Table: Orders Indexes: [byC]")
    await refuses(provide('byC'), `Index is being created but is not backfilling yet. ${indexC}`)
    await refuses(
      remove('byC'),
      'Index creation is in resource allocation phase. Retry deletion during backfilling phase or when the index is ' +
        `active. ${indexC}`,
    )
    await expect(update(make('other', provisioned))).rejects.toMatchObject(ONE_INDEX)
    await expect(update(remove('byA'))).rejects.toMatchObject(ONE_INDEX)
    await update(provide('byA'))
    await refuses(provide('byA'), 'Index is being updated. Table: Orders Index: byA')
    await update(KMS)
    expect((await table()).TableStatus).toBe('UPDATING')
  })

  // As in the AWS CLI's example of update-table, for a table with items.
  test('an index in creation shows no counts until it is active', async () => {
    const { update, table, store, clock } = await active()
    await store.putItem({ ...ORDERS, Item: { pk: { S: 'a' }, c: { S: 'b' } } })
    const countsOf = ({ GlobalSecondaryIndexes: [made] = [] }: Awaited<ReturnType<typeof table>>) => [
      made?.IndexStatus,
      made?.ItemCount,
      made?.IndexSizeBytes,
    ]
    expect(countsOf(await update(make('byC')))).toEqual(['CREATING', 0, 0])
    expect(countsOf(await table())).toEqual(['CREATING', 0, 0])
    clock.ms += BUSY_MS / 2
    expect(countsOf(await table())).toEqual(['CREATING', 0, 0])
    clock.ms += BUSY_MS / 2
    expect(countsOf(await table())).toEqual(['ACTIVE', 1, 5])
  })

  test('on-demand limits cannot change during the creation of an index', async () => {
    const { update, refuses } = await active()
    await update(make('byC'))
    await refuses(BOUNDS, 'OnDemandThroughput cannot be updated while index creation is in progress for indexes: [byC]')
  })

  test('during backfilling the table is active, accepts new units and can be deleted', async () => {
    const { update, table, store, clock, refusesDeletion } = await active(PROVISIONED_INDEXED)
    await update(make('byC', provisioned))
    clock.ms += BUSY_MS / 2
    const { TableStatus, GlobalSecondaryIndexes } = await table()
    expect([TableStatus, GlobalSecondaryIndexes![2]]).toMatchObject([
      'ACTIVE',
      { IndexStatus: 'CREATING', Backfilling: true },
    ])
    await expect(store.scan({ ...ORDERS, IndexName: 'byC' })).rejects.toThrow('Cannot read from backfilling')
    await refusesDeletion('Cannot delete table while indexes are being created, updated, or deleted.')
    await expect(update(make('other', provisioned))).rejects.toMatchObject(ONE_INDEX)
    await update(UNITS)
    await store.updateTimeToLive({ ...ORDERS, TimeToLiveSpecification: { Enabled: true, AttributeName: 'ttl' } })
    clock.ms += BUSY_MS / 2
    expect((await table()).GlobalSecondaryIndexes![2]).toMatchObject({ IndexStatus: 'ACTIVE' })
    expect((await table()).GlobalSecondaryIndexes![2]).not.toHaveProperty('Backfilling')
  })

  test('an index can be deleted during backfilling', async () => {
    const { update, table, clock } = await active()
    await update(make('byC'))
    clock.ms += BUSY_MS / 2
    const { TableStatus, GlobalSecondaryIndexes } = await update(remove('byC'))
    expect([TableStatus, GlobalSecondaryIndexes]).toMatchObject(['UPDATING', [{ IndexStatus: 'DELETING' }]])
    expect((await table()).GlobalSecondaryIndexes).toMatchObject([{ IndexStatus: 'DELETING' }])
    clock.ms += BUSY_MS
    expect((await table()).GlobalSecondaryIndexes).toBeUndefined()
  })
})

test('an index of a table in creation shows its warm throughput in DescribeTable but not in the response', async () => {
  const clock = { ms: START_MS }
  const store = memory({ now: () => clock.ms, transitionMs: BUSY_MS })
  const WarmThroughput = { ReadUnitsPerSecond: 13_000, WriteUnitsPerSecond: 5000 }
  const created = await store.createTable(
    request({
      AttributeDefinitions: defined('a', 'pk'),
      GlobalSecondaryIndexes: [index('byA', key('a'), { WarmThroughput })],
    }),
  )
  expect(created.TableDescription!.GlobalSecondaryIndexes![0]).not.toHaveProperty('WarmThroughput')
  const warmth = async () => (await store.describeTable(ORDERS)).Table!.GlobalSecondaryIndexes![0]!.WarmThroughput
  expect(await warmth()).toEqual({ ...WarmThroughput, Status: 'UPDATING' })
  clock.ms += BUSY_MS
  expect(await warmth()).toEqual({ ...WarmThroughput, Status: 'ACTIVE' })
})

test('while an index is being deleted, units, the index and other indexes cannot change', async () => {
  const { update, table, refuses, refusesDeletion, clock } = await active(PROVISIONED_INDEXED)
  await update(remove('byA'))
  const deleted = "Can't change table IOPS when an index is being deleted. Table: Orders Indexes: [byA]"
  await refuses(UNITS, deleted)
  await refuses({ BillingMode: 'PAY_PER_REQUEST' }, deleted)
  await refuses({ ...UNITS, ...provide('byA') }, 'Index is being deleted. Table: Orders Index: byA')
  await refuses(make('byA', provisioned), 'Index is being deleted. Table: Orders Index: byA')
  await refuses(remove('byA'), 'Index is being deleted. Table: Orders Index: byA')
  await expect(update(remove('byB'))).rejects.toMatchObject(ONE_INDEX)
  await refusesDeletion('Cannot delete table while indexes are being created, updated, or deleted.')
  await update(provide('byB'))
  await update(PROTECTED)
  expect((await table()).AttributeDefinitions).toEqual(defined('a', 'b', 'pk'))
  clock.ms += BUSY_MS
  expect((await table()).AttributeDefinitions).toEqual(defined('b', 'pk'))
  await expect(update(provide('byA'))).rejects.toThrow('Requested resource not found: Index byA for table Orders')
})

test('while an on-demand index is being deleted, provisioned units are rejected and the current mode is accepted', async () => {
  const { update, refuses } = await active(INDEXED)
  await update(remove('byA'))
  await refuses(PROVISIONED, "Can't change table IOPS when an index is being deleted. Table: Orders Indexes: [byA]")
  await refuses(BOUNDS, 'OnDemandThroughput cannot be updated while index deletion is in progress for indexes: [byA]')
  await update({ BillingMode: 'PAY_PER_REQUEST' })
})
