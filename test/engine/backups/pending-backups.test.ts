import { describe, expect, test } from 'vitest'
import { RESTORES } from '../../../src/dynamodb/limits.js'
import { memory } from '../../../src/engine/index.js'
import { NOW_MS, request } from '../tables.js'
import { disabled, enabled, item, keysOf, ORDERS, put, refusal, storeWithClock, TableName } from './store-with-clock.js'

const BUSY_MS = 5000
const RESTORED = { TableName: 'restored' }

async function restoring() {
  const { store, clock } = await storeWithClock({}, { transitionMs: BUSY_MS })
  await put(store, item('a'))
  const BackupArn = (await store.createBackup({ ...ORDERS, BackupName: 'first' })).BackupDetails!.BackupArn!
  clock.ms += BUSY_MS
  await store.restoreTableFromBackup({ TargetTableName: 'restored', BackupArn })
  return { store, clock, BackupArn }
}

describe('pending backups', () => {
  test('a backup that is being created can neither be restored nor deleted', async () => {
    const { store, clock } = await storeWithClock({}, { transitionMs: BUSY_MS })
    const BackupArn = (await store.createBackup({ ...ORDERS, BackupName: 'first' })).BackupDetails!.BackupArn!
    const status = async () =>
      (await store.describeBackup({ BackupArn })).BackupDescription!.BackupDetails!.BackupStatus
    const busy = [
      'BackupInUseException',
      'There is another ongoing conflicting backup control plane operation on the table. ' +
        'The backup is either being created, deleted or restored to a table.',
    ]
    expect(await status()).toBe('CREATING')
    expect(await refusal(store.deleteBackup({ BackupArn }))).toEqual(busy)
    expect(await refusal(store.restoreTableFromBackup({ TargetTableName: 'restored', BackupArn }))).toEqual(busy)
    clock.ms += BUSY_MS
    expect(await status()).toBe('AVAILABLE')
    await store.deleteBackup({ BackupArn })
  })
})

describe('backups of a table that is being created', () => {
  test('a table that is being created cannot be backed up', async () => {
    const clock = { ms: NOW_MS }
    const store = memory({ now: () => clock.ms, transitionMs: BUSY_MS })
    await store.createTable(request())
    const missing = ['TableNotFoundException', 'Table not found: Orders']
    expect(await refusal(store.createBackup({ ...ORDERS, BackupName: 'first' }))).toEqual(missing)
    clock.ms += BUSY_MS
    await store.deleteTable(ORDERS)
    // A table that is being deleted can be backed up.
    await store.createBackup({ ...ORDERS, BackupName: 'first' })
  })
})

describe('pending restores', () => {
  test('a table that is being restored shows its source and rejects most operations', async () => {
    const { store, clock, BackupArn } = await restoring()
    const { Table } = await store.describeTable(RESTORED)
    expect([Table!.TableStatus, Table!.RestoreSummary!.RestoreInProgress, Table!.ItemCount]).toEqual([
      'CREATING',
      true,
      0,
    ])
    const missing = ['ResourceNotFoundException', 'Requested resource not found: Table: restored not found']
    const TimeToLiveSpecification = { AttributeName: 'until', Enabled: true }
    expect(await refusal(store.updateTable({ ...RESTORED, DeletionProtectionEnabled: true }))).toEqual(missing)
    expect(await refusal(store.updateTimeToLive({ ...RESTORED, TimeToLiveSpecification }))).toEqual(missing)
    expect(await refusal(store.describeTimeToLive(RESTORED))).toEqual(missing)
    const [untagged] = await refusal(store.listTagsOfResource({ ResourceArn: Table!.TableArn! }))
    expect(untagged).toBe('ResourceNotFoundException')
    const unknown = ['TableNotFoundException', 'Table not found: restored']
    expect(await refusal(store.createBackup({ ...RESTORED, BackupName: 'first' }))).toEqual(unknown)
    expect(await refusal(store.updateContinuousBackups({ ...RESTORED, ...enabled }))).toEqual(unknown)
    expect(await refusal(store.createTable(request(RESTORED)))).toEqual([
      'ResourceInUseException',
      'Table is being used: restored',
    ])
    expect((await refusal(store.deleteTable(RESTORED)))[0]).toBe('ResourceInUseException')
    expect(await refusal(store.restoreTableFromBackup({ TargetTableName: 'restored', BackupArn }))).toEqual([
      'TableInUseException',
      `Table: restored is already being restored from backup: ${BackupArn}`,
    ])
    clock.ms += BUSY_MS
    expect((await store.describeTable(RESTORED)).Table).toMatchObject({ TableStatus: 'ACTIVE', ItemCount: 1 })
    expect(await keysOf(store, 'restored')).toEqual(['a'])
    await store.updateTable({ ...RESTORED, DeletionProtectionEnabled: true })
  })

  test('a backup that is being restored can neither be restored again nor deleted', async () => {
    const { store, clock, BackupArn } = await restoring()
    const again = () => store.restoreTableFromBackup({ TargetTableName: 'again', BackupArn })
    expect(await refusal(again())).toEqual([
      'BackupInUseException',
      `Backup is being used to restore another table: ${BackupArn}`,
    ])
    expect(await refusal(store.deleteBackup({ BackupArn }))).toEqual([
      'BackupInUseException',
      `Backup is being used to restore table: ${BackupArn}`,
    ])
    clock.ms += BUSY_MS
    await again()
    clock.ms += BUSY_MS
    await store.deleteBackup({ BackupArn })
  })

  test('a restore to the name of a table that is being deleted is rejected', async () => {
    const { store, clock, BackupArn } = await restoring()
    clock.ms += BUSY_MS
    await store.deleteTable(RESTORED)
    expect(await refusal(store.restoreTableFromBackup({ TargetTableName: 'restored', BackupArn }))).toEqual([
      'TableAlreadyExistsException',
      'Table already exists: restored',
    ])
  })

  test('50 tables can be restored concurrently', async () => {
    const { store, clock } = await storeWithClock({}, { transitionMs: BUSY_MS })
    await store.updateContinuousBackups({ ...ORDERS, ...enabled })
    const restore = (TargetTableName: string) =>
      store.restoreTableToPointInTime({ SourceTableName: TableName, TargetTableName, UseLatestRestorableTime: true })
    for (let i = 0; i < RESTORES; i++) await restore(`restored-${i}`)
    expect(await refusal(restore('one-more'))).toEqual([
      'LimitExceededException',
      'Subscriber limit exceeded: Only 50 restore operations can be done simultaneously',
    ])
    expect(await refusal(restore('restored-1'))).toEqual([
      'TableInUseException',
      'A target table with the specified name is either being created or deleted.',
    ])
    clock.ms += BUSY_MS
    await restore('one-more')
    await store.updateContinuousBackups({ ...ORDERS, ...disabled })
  })
})

test('disabling recovery while a table is being deleted leaves no system backup', async () => {
  const { store, clock } = await storeWithClock({}, { transitionMs: BUSY_MS })
  const backupCount = async (disables: boolean) => {
    await store.updateContinuousBackups({ ...ORDERS, ...enabled })
    await store.deleteTable(ORDERS)
    if (disables) await store.updateContinuousBackups({ ...ORDERS, ...disabled })
    clock.ms += BUSY_MS
    await store.createTable(request())
    clock.ms += BUSY_MS
    return (await store.listBackups({ BackupType: 'SYSTEM' })).BackupSummaries!.length
  }
  expect([await backupCount(true), await backupCount(false), await backupCount(true)]).toEqual([0, 1, 1])
})
