import { expect, test, vi } from 'vitest'
import { newEngine } from '../../../src/engine/engine.js'
import { type Disk, type DiskOptions, disk } from '../../../src/engine/index.js'
import { newMemoryKeyValues } from '../../../src/engine/keyvalues/memory-key-values.js'
import { DefinitionStore } from '../../../src/engine/persistence/definition-store.js'
import { newEngineStore } from '../../../src/engine/store.js'
import type { StoredItem } from '../../../src/engine/values/stored-item.js'
import { temporaryFolder } from '../disk/temporary-folder.js'
import { defined, index, key, NOW_MS, request } from '../tables.js'
import { enabled, item, keysOf, ORDERS, put, refusal, TableName } from './store-with-clock.js'

const TABLE = request({
  AttributeDefinitions: defined('pk', 'c'),
  GlobalSecondaryIndexes: [index('byC', key('c'))],
})
/** Longer than LMDB's keys, with characters of two bytes. */
const LONG = 'ü'.repeat(1000)

/** Opens a folder with a settable clock; `reopened` closes the store and opens the folder again. */
function folder(options: DiskOptions = {}) {
  const clock = { ms: NOW_MS }
  const path = temporaryFolder()
  const open = () => disk(path, { now: () => clock.ms, region: 'eu-west-1', sync: false, ...options })
  const reopened = async (store: Disk) => {
    await store.close()
    return open()
  }
  return { clock, open, reopened }
}

test('a reopened folder has its backups with all of their items', async () => {
  const { clock, open, reopened } = folder()
  let store = open()
  await store.createTable(TABLE)
  await put(store, item('a', { c: { S: 'x' }, bytes: { B: new Uint8Array([0, 255]) } }), item(LONG))
  await store.updateContinuousBackups({ ...ORDERS, ...enabled })
  const BackupArn = (await store.createBackup({ ...ORDERS, BackupName: 'first' })).BackupDetails!.BackupArn!
  await put(store, item('later'))
  clock.ms++
  await store.deleteTable(ORDERS)
  const describeAll = async () => [
    await store.describeBackup({ BackupArn }),
    await store.listBackups({ BackupType: 'ALL' }),
  ]
  const before = await describeAll()
  store = await reopened(store)
  expect(await describeAll()).toEqual(before)
  await store.restoreTableFromBackup({ TargetTableName: 'restored', BackupArn })
  const { BackupSummaries } = await store.listBackups({ BackupType: 'SYSTEM' })
  await store.restoreTableFromBackup({ TargetTableName: 'last', BackupArn: BackupSummaries![0]!.BackupArn! })
  await store.deleteBackup({ BackupArn })
  store = await reopened(store)
  expect(await keysOf(store, 'restored')).toEqual(['a', LONG])
  expect(await keysOf(store, 'restored', 'byC')).toEqual(['a'])
  expect((await store.getItem({ TableName: 'restored', Key: item('a') })).Item!.bytes).toEqual({
    B: new Uint8Array([0, 255]),
  })
  expect(await keysOf(store, 'last')).toEqual(['a', 'later', LONG])
  expect((await store.describeTable({ TableName: 'last' })).Table).toMatchObject({ ItemCount: 3 })
  expect((await refusal(store.describeBackup({ BackupArn })))[0]).toBe('BackupNotFoundException')
  await store.close()
})

test('a reopened folder can restore earlier moments', async () => {
  const { clock, open, reopened } = folder()
  let store = open()
  await store.createTable(TABLE)
  await put(store, item('a', { v: { N: '1' } }), item(LONG))
  await store.updateContinuousBackups({ ...ORDERS, ...enabled })
  const first = clock.ms
  clock.ms += 1000
  await put(store, item('a', { v: { N: '2' } }), item('b'))
  const second = clock.ms
  store = await reopened(store)
  await put(store, item('c'))
  clock.ms += 1000
  await store.deleteItem({ ...ORDERS, Key: item(LONG) })
  store = await reopened(store)
  const restored = async (TargetTableName: string, ms: number) => {
    const RestoreDateTime = new Date(ms)
    await store.restoreTableToPointInTime({ SourceTableName: TableName, TargetTableName, RestoreDateTime })
    return keysOf(store, TargetTableName)
  }
  expect(await restored('one', first)).toEqual(['a', LONG])
  expect((await store.getItem({ TableName: 'one', Key: item('a') })).Item!.v).toEqual({ N: '1' })
  expect(await restored('two', second)).toEqual(['a', 'b', 'c', LONG])
  expect(await restored('three', clock.ms)).toEqual(['a', 'b', 'c'])
  await store.close()
})

test('changes of one moment are undone in order even if the folder was reopened between them', async () => {
  const { clock, open, reopened } = folder()
  let store = open()
  await store.createTable(TABLE)
  await store.updateContinuousBackups({ ...ORDERS, ...enabled })
  const empty = clock.ms
  clock.ms += 1000
  for (const v of ['1', '2', '3']) {
    await put(store, item('a', { v: { N: v } }))
    store = await reopened(store)
  }
  // The clock is set back.
  clock.ms -= 500
  await put(store, item('a', { v: { N: '4' } }))
  clock.ms += 5000
  const restore = { SourceTableName: TableName, TargetTableName: 'restored', RestoreDateTime: new Date(empty) }
  await store.restoreTableToPointInTime(restore)
  expect(await keysOf(store, 'restored')).toEqual([])
  await store.close()
})

test('a backup on disk is a consistent snapshot while other calls write', async () => {
  const { open } = folder()
  const store = open()
  await store.createTable(TABLE)
  const numbers = Array.from({ length: 30 }, (_, i) => i)
  const both = (i: number) =>
    store.transactWriteItems({ TransactItems: [`a${i}`, `b${i}`].map(pk => ({ Put: { TableName, Item: item(pk) } })) })
  const [backups] = await Promise.all([
    Promise.all(numbers.map(() => store.createBackup({ ...ORDERS, BackupName: 'some' }))),
    ...numbers.map(both),
  ])
  for (const [i, { BackupDetails }] of backups.entries()) {
    await store.restoreTableFromBackup({ TargetTableName: `restored${i}`, BackupArn: BackupDetails!.BackupArn! })
    const found = await keysOf(store, `restored${i}`)
    expect(found.filter(pk => pk.startsWith('a')).length).toBe(found.length / 2)
  }
  await store.close()
})

test('a restore in progress continues and completes after the folder is reopened', async () => {
  const { clock, open, reopened } = folder({ transitionMs: 5000 })
  let store = open()
  await store.createTable(TABLE)
  clock.ms += 5000
  await put(store, item('a'))
  const BackupArn = (await store.createBackup({ ...ORDERS, BackupName: 'first' })).BackupDetails!.BackupArn!
  clock.ms += 5000
  await store.restoreTableFromBackup({ TargetTableName: 'restored', BackupArn })
  store = await reopened(store)
  const { Table } = await store.describeTable({ TableName: 'restored' })
  expect([Table!.TableStatus, Table!.RestoreSummary!.SourceBackupArn]).toEqual(['CREATING', BackupArn])
  expect((await refusal(store.deleteBackup({ BackupArn })))[0]).toBe('BackupInUseException')
  clock.ms += 5000
  expect(await keysOf(store, 'restored')).toEqual(['a'])
  await store.close()
})

test('a folder of a version without restores can be restored to the time of its first opening', async () => {
  const clock = { ms: NOW_MS }
  const keyValues = newMemoryKeyValues<StoredItem>()
  const opened = () => {
    const engine = newEngine(keyValues, { now: () => clock.ms })
    const definitions = new DefinitionStore(engine)
    definitions.load()
    return { engine, definitions, store: newEngineStore(engine) }
  }
  const old = opened()
  await old.store.createTable(request())
  await put(old.store, item('a'))
  old.engine.tables.get(TableName)!.pointInTimeRecovery = { sinceMs: NOW_MS, days: 35 }
  old.definitions.save()
  clock.ms += 60_000
  const first = opened()
  await put(first.store, item('b'))
  first.definitions.save()
  clock.ms += 60_000
  const { store } = opened()
  const restore = (ms: number) =>
    store.restoreTableToPointInTime({
      SourceTableName: TableName,
      TargetTableName: 'back',
      RestoreDateTime: new Date(ms),
    })
  expect((await refusal(restore(NOW_MS)))[0]).toBe('InvalidRestoreTimeException')
  clock.ms++
  await restore(NOW_MS + 60_000)
  expect(await keysOf(store, 'back')).toEqual(['a', 'b'])
})

test('a write does not compare backups unless one was created or deleted', async () => {
  const keyValues = newMemoryKeyValues<StoredItem>()
  const opened = () => {
    const engine = newEngine(keyValues)
    const definitions = new DefinitionStore(engine)
    definitions.load()
    return { engine, definitions, store: newEngineStore(engine) }
  }
  const { engine, definitions, store } = opened()
  await store.createTable(request())
  const { BackupArn } = (await store.createBackup({ ...ORDERS, BackupName: 'first' })).BackupDetails!
  await store.createBackup({ ...ORDERS, BackupName: 'second' })
  definitions.save()
  const iterate = vi.spyOn(engine.backups, Symbol.iterator)
  await put(store, item('a'))
  definitions.save()
  expect(iterate).not.toHaveBeenCalled()
  await store.deleteBackup({ BackupArn: BackupArn! })
  await store.createBackup({ ...ORDERS, BackupName: 'third' })
  definitions.save()
  const { BackupSummaries } = await opened().store.listBackups({})
  expect(BackupSummaries!.map(({ BackupName }) => BackupName)).toEqual(['second', 'third'])
})
