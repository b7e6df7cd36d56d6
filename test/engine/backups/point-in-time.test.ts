import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import type { EmbeddedStore } from '../../../src/engine/embedded.js'
import { newEngine } from '../../../src/engine/engine.js'
import { newMemoryKeyValues } from '../../../src/engine/keyvalues/memory-key-values.js'
import { newEngineStore } from '../../../src/engine/store.js'
import type { StoredItem } from '../../../src/engine/values/stored-item.js'
import { defined, index, key, NOW_MS, request } from '../tables.js'
import { disabled, enabled, item, keysOf, ORDERS, put, refusal, storeWithClock, TableName } from './store-with-clock.js'

const SECOND_MS = 1000
const DAY_MS = 24 * 3600 * SECOND_MS
const INDEXED = { AttributeDefinitions: defined('pk', 'c'), GlobalSecondaryIndexes: [index('byC', key('c'))] }

async function recoverable(more: Parameters<typeof storeWithClock>[0] = {}) {
  const made = await storeWithClock(more)
  await made.store.updateContinuousBackups({ ...ORDERS, ...enabled })
  return made
}

let count = 0
/** Restores the table to a time and returns the name of the new table. */
async function restoredTo(store: EmbeddedStore, ms: number): Promise<string> {
  const TargetTableName = `restored-${++count}`
  await store.restoreTableToPointInTime({ SourceTableName: TableName, TargetTableName, RestoreDateTime: new Date(ms) })
  return TargetTableName
}

async function itemsOf(store: EmbeddedStore, of: string, IndexName?: string): Promise<Item[]> {
  const { Items } = await store.scan({ TableName: of, ...(IndexName !== undefined && { IndexName }) })
  return Items!.toSorted((a, b) => (a.pk!.S! < b.pk!.S! ? -1 : 1))
}

describe('point-in-time restores', () => {
  test('any moment since enabling can be restored with its indexes after any changes', async () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd')
    const change = fc.record({
      afterMs: fc.constantFrom(0, 0, 1, 700),
      remove: fc.option(fc.uniqueArray(name, { maxLength: 3 }), { nil: [] }),
      put: fc.uniqueArray(name, { maxLength: 3 }),
    })
    const steps = fc.array(change, { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(steps, steps, async (before, changes) => {
        const { store, clock } = await storeWithClock(INDEXED)
        let version = 0
        const now = new Map<string, Item>()
        const make = async ({ afterMs, remove, put: names }: (typeof before)[number]) => {
          clock.ms += afterMs
          const written = names.map(pk => item(pk, { c: { S: `c${++version % 3}` }, version: { N: String(version) } }))
          const kept = remove.filter(pk => !names.includes(pk))
          const TransactItems = [
            ...written.map(Item => ({ Put: { TableName, Item } })),
            ...kept.map(pk => ({ Delete: { TableName, Key: item(pk) } })),
          ]
          if (TransactItems.length > 0) await store.transactWriteItems({ TransactItems })
          for (const pk of kept) now.delete(pk)
          for (const Item of written) now.set(Item.pk!.S!, Item)
        }
        for (const change of before) await make(change)
        await store.updateContinuousBackups({ ...ORDERS, ...enabled })
        const moments = new Map([[clock.ms, [...now.values()]]])
        for (const change of changes) {
          await make(change)
          moments.set(clock.ms, [...now.values()])
        }
        for (const [ms, items] of moments) {
          const restored = await restoredTo(store, ms)
          const sorted = items.toSorted((a, b) => (a.pk!.S! < b.pk!.S! ? -1 : 1))
          expect(await itemsOf(store, restored)).toEqual(sorted)
          expect(await itemsOf(store, restored, 'byC')).toEqual(sorted)
          expect((await store.describeTable({ TableName: restored })).Table!.ItemCount).toBe(items.length)
        }
      }),
      { numRuns: 40 },
    )
  })

  test('UseLatestRestorableTime restores the current state', async () => {
    const { store, clock } = await recoverable()
    await put(store, item('a'))
    const request = { SourceTableName: TableName, TargetTableName: 'restored', UseLatestRestorableTime: true }
    const { TableDescription } = await store.restoreTableToPointInTime(request)
    expect(TableDescription!.RestoreSummary).toEqual({
      SourceTableArn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/Orders',
      RestoreDateTime: new Date(clock.ms),
      RestoreInProgress: true,
    })
    expect(await keysOf(store, 'restored')).toEqual(['a'])
  })

  test('a restore to a time before expiry contains the expired item', async () => {
    const { store, clock } = await recoverable()
    await store.updateTimeToLive({ ...ORDERS, TimeToLiveSpecification: { AttributeName: 'until', Enabled: true } })
    await put(store, item('a', { until: { N: String(NOW_MS / SECOND_MS + 10) } }))
    const before = clock.ms
    clock.ms += DAY_MS
    expect(await keysOf(store, TableName)).toEqual([])
    expect(await keysOf(store, await restoredTo(store, before))).toEqual(['a'])
  })

  test('a restored table has the current indexes and billing mode', async () => {
    const { store, clock } = await recoverable()
    await put(store, item('a', { c: { S: 'x' } }), item('b', { c: { N: '1' } }))
    const before = clock.ms
    clock.ms += SECOND_MS
    await put(store, item('c', { c: { S: 'x' } }))
    await store.updateTable({
      ...ORDERS,
      AttributeDefinitions: defined('c'),
      GlobalSecondaryIndexUpdates: [{ Create: index('byC', key('c')) }],
    })
    const restored = await restoredTo(store, before)
    expect([await keysOf(store, restored), await keysOf(store, restored, 'byC')]).toEqual([['a', 'b'], ['a']])
  })

  test('a restore contains each transaction completely, even if the clock advances during it', async () => {
    let ms = NOW_MS
    const { store } = await storeWithClock({}, { now: () => ms++ })
    await store.updateContinuousBackups({ ...ORDERS, ...enabled })
    await store.createTable(request({ TableName: 'Others' }))
    await store.updateContinuousBackups({ TableName: 'Others', ...enabled })
    const from = ms
    const TransactItems = ['a', 'b', 'c'].map(pk => ({ Put: { TableName, Item: item(pk) } }))
    await store.transactWriteItems({
      TransactItems: [...TransactItems, { Put: { TableName: 'Others', Item: item('a') } }],
    })
    const until = ms
    const seen = new Set<string>()
    for (let at = from; at < until; at++) {
      const SourceTableName = 'Others'
      const TargetTableName = `other-${at}`
      await store.restoreTableToPointInTime({ SourceTableName, TargetTableName, RestoreDateTime: new Date(at) })
      const keys = [...(await keysOf(store, await restoredTo(store, at))), ...(await keysOf(store, TargetTableName))]
      seen.add(keys.join())
    }
    expect([...seen]).toEqual(['', 'a,b,c,a'])
  })

  test('changes are restored in order even if the clock was set back', async () => {
    const { store, clock } = await recoverable()
    clock.ms += 10 * SECOND_MS
    await put(store, item('a', { v: { N: '1' } }))
    clock.ms -= 5 * SECOND_MS
    await put(store, item('a', { v: { N: '2' } }))
    clock.ms += 20 * SECOND_MS
    expect(await itemsOf(store, await restoredTo(store, NOW_MS + 9 * SECOND_MS))).toEqual([])
    const [restored] = await itemsOf(store, await restoredTo(store, NOW_MS + 10 * SECOND_MS))
    expect(restored!.v).toEqual({ N: '2' })
  })

  test('UseLatestRestorableTime restores the latest state even if the clock was set back', async () => {
    const { store, clock } = await recoverable()
    clock.ms += 10 * SECOND_MS
    await put(store, item('a'))
    clock.ms -= 5 * SECOND_MS
    const request = { SourceTableName: TableName, TargetTableName: 'restored', UseLatestRestorableTime: true }
    await store.restoreTableToPointInTime(request)
    expect(await keysOf(store, 'restored')).toEqual(['a'])
  })
})

describe('restorable times', () => {
  test('the restorable period begins in the second of enabling and ends now', async () => {
    const { store, clock } = await recoverable()
    clock.ms += 90 * SECOND_MS
    const { ContinuousBackupsDescription } = await store.describeContinuousBackups(ORDERS)
    const earliest = Math.floor(NOW_MS / SECOND_MS) * SECOND_MS
    expect(ContinuousBackupsDescription!.PointInTimeRecoveryDescription).toEqual({
      PointInTimeRecoveryStatus: 'ENABLED',
      RecoveryPeriodInDays: 35,
      EarliestRestorableDateTime: new Date(earliest),
      LatestRestorableDateTime: new Date(clock.ms),
    })
    await restoredTo(store, earliest)
    const bounds = `EarliestRestorableDateTime '2026-11-15T12:30:45Z' and LatestRestorableDateTime '2026-11-15T12:32:15Z'`
    expect(await refusal(restoredTo(store, earliest - 1))).toEqual([
      'InvalidRestoreTimeException',
      `RestoreDateTime '2026-11-15T12:30:44Z' must be within ${bounds}`,
    ])
    expect(await refusal(restoredTo(store, clock.ms + SECOND_MS))).toEqual([
      'InvalidRestoreTimeException',
      `RestoreDateTime '2026-11-15T12:32:16Z' must be within ${bounds}`,
    ])
  })

  test('the restorable period is limited to the requested days, and older changes are removed', async () => {
    const clock = { ms: NOW_MS }
    const keyValues = newMemoryKeyValues<StoredItem>()
    const engine = newEngine(keyValues, { now: () => clock.ms })
    const store = newEngineStore(engine) as EmbeddedStore
    await store.createTable(request())
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 2 }
    await store.updateContinuousBackups({ ...ORDERS, PointInTimeRecoverySpecification })
    for (let day = 0; day < 6; day++) {
      await put(store, item('a', { day: { N: String(day) } }))
      clock.ms += DAY_MS
    }
    expect((await refusal(restoredTo(store, clock.ms - 2 * DAY_MS - SECOND_MS)))[0]).toBe('InvalidRestoreTimeException')
    const [restored] = await itemsOf(store, await restoredTo(store, clock.ms - 2 * DAY_MS))
    expect(restored!.day).toEqual({ N: '4' })
    let noted = 0
    const { TableId } = engine.tables.get(TableName)!.description
    keyValues.space(`${TableId}/recovery/items`).range({ from: '', to: undefined, reverse: false }, () => ++noted > 0)
    expect(noted).toBe(3)
  })

  test('many expired changes are removed in batches, so that no call waits for all', async () => {
    const clock = { ms: NOW_MS }
    const keyValues = newMemoryKeyValues<StoredItem>()
    const engine = newEngine(keyValues, { now: () => clock.ms })
    const store = newEngineStore(engine) as EmbeddedStore
    await store.createTable(request())
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 1 }
    await store.updateContinuousBackups({ ...ORDERS, PointInTimeRecoverySpecification })
    const change = (n: number) => put(store, item('a', { n: { N: String(n) } }))
    for (let i = 0; i < 20_500; i++) await change(i)
    clock.ms += 3 * DAY_MS
    const { TableId } = engine.tables.get(TableName)!.description
    const noted: number[] = []
    for (let i = 0; i < 4; i++) {
      await change(-i)
      clock.ms += SECOND_MS
      let count = 0
      keyValues.space(`${TableId}/recovery/items`).range({ from: '', to: undefined, reverse: false }, () => ++count > 0)
      noted.push(count)
    }
    expect(noted).toEqual([10_501, 502, 3, 4])
    const [restored] = await itemsOf(store, await restoredTo(store, clock.ms - DAY_MS))
    expect(restored!.n).toEqual({ N: '20499' })
  })

  test('the restorable period begins with the first stored change, even with more days or an earlier clock', async () => {
    const { store, clock } = await storeWithClock()
    const keepFor = (RecoveryPeriodInDays: number) =>
      store.updateContinuousBackups({
        ...ORDERS,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays },
      })
    await keepFor(1)
    for (let day = 0; day < 6; day++) {
      clock.ms = NOW_MS + day * DAY_MS
      await put(store, item('a', { day: { N: String(day) } }))
    }
    const dayOf = async (ms: number) => (await itemsOf(store, await restoredTo(store, ms)))[0]?.day?.N
    const inTurn = async () => [
      (await refusal(restoredTo(store, NOW_MS + 3 * DAY_MS)))[0],
      await dayOf(NOW_MS + 4 * DAY_MS),
      (await refusal(restoredTo(store, NOW_MS + 5 * DAY_MS)))[0],
    ]
    await keepFor(35)
    expect(await inTurn()).toEqual(['InvalidRestoreTimeException', '4', 'answered'])
    clock.ms -= SECOND_MS
    expect(await inTurn()).toEqual(['InvalidRestoreTimeException', '4', 'InvalidRestoreTimeException'])
  })

  test('the restorable period restarts when recovery is enabled again, but not when it is changed', async () => {
    const { store, clock } = await recoverable()
    const earliest = async () =>
      (await store.describeContinuousBackups(ORDERS)).ContinuousBackupsDescription!.PointInTimeRecoveryDescription!
        .EarliestRestorableDateTime
    const first = await earliest()
    clock.ms += 60 * SECOND_MS
    await store.updateContinuousBackups({
      ...ORDERS,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 7 },
    })
    expect(await earliest()).toEqual(first)
    await put(store, item('a'))
    await store.updateContinuousBackups({ ...ORDERS, ...disabled })
    const SourceTableName = TableName
    const latest = { SourceTableName, TargetTableName: 'restored', UseLatestRestorableTime: true }
    expect(await refusal(store.restoreTableToPointInTime(latest))).toEqual([
      'PointInTimeRecoveryUnavailableException',
      "Point in time recovery is not enabled for table 'Orders'",
    ])
    await put(store, item('b'))
    await store.updateContinuousBackups({ ...ORDERS, ...enabled })
    expect((await refusal(restoredTo(store, first!.getTime())))[0]).toBe('InvalidRestoreTimeException')
    expect(await keysOf(store, await restoredTo(store, clock.ms))).toEqual(['a', 'b'])
  })
})

describe('the source of a point-in-time restore', () => {
  const UseLatestRestorableTime = true
  const TargetTableName = 'restored'
  const arn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/Orders'

  test('the source can be an ARN', async () => {
    const { store } = await recoverable()
    await put(store, item('a'))
    await store.restoreTableToPointInTime({ SourceTableArn: arn, TargetTableName, UseLatestRestorableTime })
    expect(await keysOf(store, TargetTableName)).toEqual(['a'])
  })

  test.each([
    [{}, "The parameter 'TableName' is required but was not present in the request"],
    [
      { SourceTableName: TableName, SourceTableArn: arn },
      'Must provide exactly one of: sourceTableArn, sourceTableName',
    ],
    [{ SourceTableArn: 'Orders' }, "One or more parameter values were invalid: ARNs must start with 'arn:': Orders"],
    [{ SourceTableArn: `${arn}/index/byC` }, 'sourceTableArn is not a valid ARN'],
    [
      { SourceTableArn: arn.replace('123456789012', '210987654321') },
      'This action is only supported by accounts that match the resource owner’s account.',
    ],
    [
      { SourceTableArn: arn.replace('eu-west-1', 'us-east-1') },
      'Invalid Request: sseSpecificationOverride must be provided for cross-region restores',
    ],
  ])('the source %j is rejected', async (source, message) => {
    const { store } = await recoverable()
    const call = store.restoreTableToPointInTime({ ...source, TargetTableName, UseLatestRestorableTime })
    expect(await refusal(call)).toEqual(['ValidationException', message])
  })

  test('errors are reported in the order recovery, time, target', async () => {
    const { store } = await storeWithClock()
    const request = { SourceTableName: TableName, TargetTableName: TableName, RestoreDateTime: new Date(0) }
    const refused = async () => (await refusal(store.restoreTableToPointInTime(request)))[0]
    expect(await refused()).toBe('PointInTimeRecoveryUnavailableException')
    await store.updateContinuousBackups({ ...ORDERS, ...enabled })
    expect(await refused()).toBe('InvalidRestoreTimeException')
    const latest = { SourceTableName: TableName, TargetTableName: TableName, UseLatestRestorableTime }
    expect(await refusal(store.restoreTableToPointInTime(latest))).toEqual([
      'TableAlreadyExistsException',
      'Table already exists: Orders',
    ])
  })
})
