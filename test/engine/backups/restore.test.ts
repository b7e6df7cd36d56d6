import { describe, expect, test } from 'vitest'
import type { CreateTableInput, RestoreOverrides } from '../../../src/dynamodb/operation-types.js'
import { defined, index, key, NOW_MS, UUID } from '../tables.js'
import { found, TABLE as VECTORS, item as vectored } from '../vectors/tables.js'
import { enabled, item, keysOf, ORDERS, put, refusal, storeWithClock, TableName } from './store-with-clock.js'

const ARN = 'arn:aws:dynamodb:eu-west-1:123456789012'
const UNITS = { ReadCapacityUnits: 5, WriteCapacityUnits: 5 }
const INDEXED: Partial<CreateTableInput> = {
  AttributeDefinitions: defined('pk', 'sk', 'c', 'd'),
  KeySchema: key('pk', 'sk'),
  GlobalSecondaryIndexes: [index('byC', key('c')), index('byD', key('d'))],
  LocalSecondaryIndexes: [index('local', key('pk', 'c'))],
}
const PROVISIONED: Partial<CreateTableInput> = {
  AttributeDefinitions: defined('pk', 'c'),
  BillingMode: 'PROVISIONED',
  ProvisionedThroughput: UNITS,
  GlobalSecondaryIndexes: [index('byC', key('c'), { ProvisionedThroughput: UNITS })],
}

/** Creates a table with a backup and functions that restore it. */
async function backedUp(more: Partial<CreateTableInput> = {}) {
  const { store, clock } = await storeWithClock(more)
  await put(store, item('a', { sk: { S: '1' }, c: { S: 'x' } }), item('b', { sk: { S: '1' }, d: { S: 'y' } }))
  const { BackupDetails } = await store.createBackup({ ...ORDERS, BackupName: 'first' })
  const BackupArn = BackupDetails!.BackupArn!
  const restore = (overrides: RestoreOverrides = {}, TargetTableName = 'restored') =>
    store.restoreTableFromBackup({ TargetTableName, BackupArn, ...overrides })
  const restored = async () => (await store.describeTable({ TableName: 'restored' })).Table!
  return { store, clock, BackupArn, restore, restored }
}

describe('restored tables', () => {
  test('a restored table is described as by the service, during and after the restore', async () => {
    const { store, restore, restored, BackupArn, clock } = await backedUp(PROVISIONED)
    clock.ms += 1000
    const { TableDescription } = await restore()
    const {
      WarmThroughput: _,
      IndexStatus: __,
      ...byC
    } = (await store.describeTable(ORDERS)).Table!.GlobalSecondaryIndexes![0]!
    expect(TableDescription).toEqual({
      AttributeDefinitions: defined('c', 'pk'),
      TableName: 'restored',
      KeySchema: key('pk'),
      TableStatus: 'CREATING',
      CreationDateTime: new Date(NOW_MS + 1000),
      ProvisionedThroughput: { ...UNITS, NumberOfDecreasesToday: 0 },
      TableSizeBytes: 0,
      ItemCount: 0,
      TableArn: `${ARN}:table/restored`,
      TableId: expect.stringMatching(UUID),
      BillingModeSummary: { BillingMode: 'PROVISIONED' },
      GlobalSecondaryIndexes: [
        { ...byC, IndexArn: `${ARN}:table/restored/index/byC`, ItemCount: 0, IndexSizeBytes: 0 },
      ],
      DeletionProtectionEnabled: false,
      RestoreSummary: {
        SourceBackupArn: BackupArn,
        SourceTableArn: `${ARN}:table/Orders`,
        RestoreDateTime: new Date(NOW_MS),
        RestoreInProgress: true,
      },
    })
    const table = await restored()
    expect([table.TableStatus, table.RestoreSummary, table.BillingModeSummary]).toEqual([
      'ACTIVE',
      undefined,
      undefined,
    ])
    expect([table.ItemCount, table.GlobalSecondaryIndexes![0]!.ItemCount]).toEqual([2, 1])
    expect(table.TableSizeBytes).toBe((await store.describeTable(ORDERS)).Table!.TableSizeBytes)
  })

  test('a restored table has the items, keys, indexes, billing mode, limits and encryption of its source, and no other settings', async () => {
    const bounds = { OnDemandThroughput: { MaxReadRequestUnits: 7, MaxWriteRequestUnits: 6 } }
    const { store, restore, restored, BackupArn } = await backedUp({
      ...INDEXED,
      GlobalSecondaryIndexes: [index('byC', key('c'), bounds), index('byD', key('d'))],
      OnDemandThroughput: { MaxReadRequestUnits: 9, MaxWriteRequestUnits: 8 },
      SSESpecification: { Enabled: true, SSEType: 'KMS' },
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
      TableClass: 'STANDARD_INFREQUENT_ACCESS',
      DeletionProtectionEnabled: true,
      Tags: [{ Key: 'k', Value: 'v' }],
    })
    await store.updateTimeToLive({ ...ORDERS, TimeToLiveSpecification: { AttributeName: 'until', Enabled: true } })
    await store.updateContinuousBackups({ ...ORDERS, ...enabled })
    await restore()
    const source = (await store.describeTable(ORDERS)).Table!
    const table = await restored()
    expect(await keysOf(store, 'restored')).toEqual(['a', 'b'])
    expect(await keysOf(store, 'restored', 'byC')).toEqual(['a'])
    expect(await keysOf(store, 'restored', 'byD')).toEqual(['b'])
    expect(await keysOf(store, 'restored', 'local')).toEqual(['a'])
    for (const member of ['KeySchema', 'AttributeDefinitions', 'OnDemandThroughput', 'SSEDescription'] as const)
      expect(table[member]).toEqual(source[member])
    const { BackupDescription } = await store.describeBackup({ BackupArn })
    for (const { GlobalSecondaryIndexes } of [BackupDescription!.SourceTableFeatureDetails!, table])
      expect(GlobalSecondaryIndexes!.map(({ OnDemandThroughput }) => OnDemandThroughput)).toEqual([
        bounds.OnDemandThroughput,
        undefined,
      ])
    expect(table.BillingModeSummary!.BillingMode).toBe('PAY_PER_REQUEST')
    const settings = [table.StreamSpecification, table.LatestStreamArn, table.TableClassSummary]
    expect([...settings, table.DeletionProtectionEnabled]).toEqual([undefined, undefined, undefined, false])
    expect((await store.listTagsOfResource({ ResourceArn: table.TableArn! })).Tags).toEqual([])
    const TableName = 'restored'
    expect((await store.describeTimeToLive({ TableName })).TimeToLiveDescription).toEqual({
      TimeToLiveStatus: 'DISABLED',
    })
    const { ContinuousBackupsDescription } = await store.describeContinuousBackups({ TableName })
    expect(ContinuousBackupsDescription!.PointInTimeRecoveryDescription).toEqual({
      PointInTimeRecoveryStatus: 'DISABLED',
    })
  })

  test('a restored table is independent of its source and of other restored tables', async () => {
    const { store, restore } = await backedUp(INDEXED)
    await restore()
    await restore({}, 'again')
    await store.deleteItem({ TableName: 'restored', Key: item('a', { sk: { S: '1' } }) })
    await store.putItem({ TableName: 'restored', Item: item('c', { sk: { S: '1' }, c: { S: 'x' } }) })
    const all = await Promise.all(['restored', 'again', TableName].map(name => keysOf(store, name)))
    expect(all).toEqual([
      ['b', 'c'],
      ['a', 'b'],
      ['a', 'b'],
    ])
    expect(await keysOf(store, 'restored', 'byC')).toEqual(['c'])
    expect(await keysOf(store, 'again', 'byC')).toEqual(['a'])
  })

  test('items with invalid index keys are left out of the restored index', async () => {
    const { store } = await storeWithClock()
    await put(store, item('a', { c: { N: '1' } }), item('b', { c: { S: '' } }), item('c', { c: { S: 'x' } }))
    await store.updateTable({
      ...ORDERS,
      AttributeDefinitions: defined('c'),
      GlobalSecondaryIndexUpdates: [{ Create: index('byC', key('c')) }],
    })
    const { BackupDetails } = await store.createBackup({ ...ORDERS, BackupName: 'first' })
    await store.restoreTableFromBackup({ TargetTableName: 'restored', BackupArn: BackupDetails!.BackupArn! })
    expect(await keysOf(store, 'restored', 'byC')).toEqual(['c'])
    await store.deleteItem({ TableName: 'restored', Key: item('a') })
    expect(await keysOf(store, 'restored')).toEqual(['b', 'c'])
  })

  test('a restored table supports vector searches, and without vector indexes counts its item sizes', async () => {
    const { store } = await storeWithClock(VECTORS)
    for (const Item of [vectored('a', ['1.23456789', 0]), vectored('b', [0, 1])])
      await store.putItem({ TableName, Item })
    const BackupArn = (await store.createBackup({ ...ORDERS, BackupName: 'first' })).BackupDetails!.BackupArn!
    const size = async (of: string) => (await store.describeTable({ TableName: of })).Table!.TableSizeBytes!
    await store.restoreTableFromBackup({ TargetTableName: 'restored', BackupArn })
    expect(await found(store, { TableName: 'restored' })).toEqual(['a', 'b'])
    expect(await size('restored')).toBe(await size(TableName))
    await store.restoreTableFromBackup({ TargetTableName: 'without', BackupArn, VectorIndexOverride: [] })
    expect((await store.describeTable({ TableName: 'without' })).Table!.VectorIndexes).toBeUndefined()
    expect(await size('without')).not.toBe(await size(TableName))
    const renamed = { ...VECTORS.VectorIndexes![0]!, IndexName: 'renamed' }
    await store.restoreTableFromBackup({ TargetTableName: 'other', BackupArn, VectorIndexOverride: [renamed] })
    expect(await found(store, { TableName: 'other', IndexName: 'renamed' })).toEqual(['a', 'b'])
  })
})

describe('overrides of a restore', () => {
  test('a restore can include all, some or no indexes, under other names too', async () => {
    const { store, restore, restored } = await backedUp(INDEXED)
    await restore({ GlobalSecondaryIndexOverride: [], LocalSecondaryIndexOverride: [] })
    const bare = await restored()
    expect([bare.GlobalSecondaryIndexes, bare.LocalSecondaryIndexes]).toEqual([undefined, undefined])
    expect(bare.AttributeDefinitions).toEqual(defined('pk', 'sk'))
    const Projection = { NonKeyAttributes: undefined, ProjectionType: 'ALL' as const }
    await restore({ GlobalSecondaryIndexOverride: [index('other', key('d'), { Projection })] }, 'some')
    expect(await keysOf(store, 'some', 'other')).toEqual(['b'])
    const { Table } = await store.describeTable({ TableName: 'some' })
    expect(Table!.GlobalSecondaryIndexes!.map(({ IndexName }) => IndexName)).toEqual(['other'])
    expect(Table!.LocalSecondaryIndexes!.map(({ IndexName }) => IndexName)).toEqual(['local'])
  })

  test('a restore can change the billing mode and set provisioned units', async () => {
    const { restore, restored, store } = await backedUp(PROVISIONED)
    await restore({ BillingModeOverride: 'PAY_PER_REQUEST', OnDemandThroughputOverride: { MaxReadRequestUnits: 7 } })
    const table = await restored()
    expect(table.BillingModeSummary!.BillingMode).toBe('PAY_PER_REQUEST')
    expect(table.OnDemandThroughput).toEqual({ MaxReadRequestUnits: 7 })
    const units = [table, ...table.GlobalSecondaryIndexes!].map(each => each.ProvisionedThroughput!.ReadCapacityUnits)
    expect(units).toEqual([0, 0])
    await restore({ ProvisionedThroughputOverride: { ReadCapacityUnits: 1, WriteCapacityUnits: 2 } }, 'smaller')
    const { Table } = await store.describeTable({ TableName: 'smaller' })
    expect(Table!.ProvisionedThroughput!.WriteCapacityUnits).toBe(2)
    expect(Table!.GlobalSecondaryIndexes![0]!.ProvisionedThroughput!.WriteCapacityUnits).toBe(5)
  })

  test('a restore can change the encryption', async () => {
    const { restore, restored } = await backedUp({ SSESpecification: { Enabled: true, SSEType: 'KMS' } })
    await restore({ SSESpecificationOverride: { Enabled: false } })
    expect((await restored()).SSEDescription).toBeUndefined()
  })
})

describe('rejected restores', () => {
  const UNKNOWN =
    'does not match a secondary index that existed in the source table and cannot be created during the restore operation'
  test.each<[string, Partial<CreateTableInput>, RestoreOverrides, string]>([
    [
      'provisioned units for an on-demand table',
      {},
      { ProvisionedThroughputOverride: UNITS },
      'Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED',
    ],
    [
      'provisioned units for a change to on-demand mode',
      PROVISIONED,
      { BillingModeOverride: 'PAY_PER_REQUEST', ProvisionedThroughputOverride: UNITS },
      'Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST',
    ],
    [
      'no units for a change to provisioned mode',
      {},
      { BillingModeOverride: 'PROVISIONED' },
      'Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED',
    ],
    [
      'no units for an index of a provisioned table',
      INDEXED,
      { BillingModeOverride: 'PROVISIONED', ProvisionedThroughputOverride: UNITS },
      'Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED for index byC',
    ],
    [
      'no units for an overridden index',
      PROVISIONED,
      { GlobalSecondaryIndexOverride: [index('byC', key('c'))] },
      'Must specify provisioned throughput for index byC',
    ],
    [
      'provisioned units for an on-demand index',
      PROVISIONED,
      {
        BillingModeOverride: 'PAY_PER_REQUEST',
        GlobalSecondaryIndexOverride: [index('byC', key('c'), { ProvisionedThroughput: UNITS })],
      },
      'Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST for index byC',
    ],
    [
      'on-demand limits for a provisioned table',
      PROVISIONED,
      { OnDemandThroughputOverride: { MaxReadRequestUnits: 1 } },
      'Cannot override MaxReadRequestUnits for OnDemandThroughput unless BillingModeOverride is PAY_PER_REQUEST',
    ],
    [
      'invalid on-demand limits',
      {},
      { OnDemandThroughputOverride: { MaxReadRequestUnits: 0 } },
      'Requested MaxReadRequestUnits for OnDemandThroughput is outside of valid range',
    ],
    [
      'an index with other keys',
      INDEXED,
      { GlobalSecondaryIndexOverride: [index('byC', key('c', 'd'))] },
      `Index byC ${UNKNOWN}`,
    ],
    [
      'an index with a smaller projection',
      INDEXED,
      { GlobalSecondaryIndexOverride: [index('byC', key('c'), { Projection: { ProjectionType: 'KEYS_ONLY' } })] },
      `Index byC ${UNKNOWN}`,
    ],
    [
      'a new local index',
      INDEXED,
      { LocalSecondaryIndexOverride: [index('new', key('pk', 'd'))] },
      `Index new ${UNKNOWN}`,
    ],
  ])('a restore with %s is rejected', async (_, table, overrides, message) => {
    const { restore, store } = await backedUp(table)
    expect(await refusal(restore(overrides))).toEqual(['ValidationException', `Invalid Request: ${message}`])
    expect((await store.listTables({})).TableNames).toEqual([TableName])
  })

  test('a restore into another region is rejected unless it overrides the encryption', async () => {
    const { store, BackupArn } = await backedUp()
    const elsewhere = { region: 'us-east-1' }
    const request = { TargetTableName: 'restored', BackupArn }
    expect(await refusal(store.restoreTableFromBackup(request, elsewhere))).toEqual([
      'ValidationException',
      'Invalid Request: sseSpecificationOverride must be provided for cross-region restores',
    ])
    const SSESpecificationOverride = { Enabled: true, SSEType: 'KMS' as const }
    await store.restoreTableFromBackup({ ...request, SSESpecificationOverride }, elsewhere)
    expect(await keysOf(store, 'restored')).toEqual(['a', 'b'])
  })
})
