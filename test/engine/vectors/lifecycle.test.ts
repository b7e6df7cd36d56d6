import { describe, expect, test } from 'vitest'
import { type Disk, disk, type EmbeddedStore, type MemoryOptions, memory } from '../../../src/engine/index.js'
import { temporaryFolder } from '../disk/temporary-folder.js'
import { START_MS } from '../streams/read-stream.js'
import { request } from '../tables.js'
import { found, item, nearestBy, TABLE, TableName } from './tables.js'

const BUSY_MS = 5000
/** An index is in allocation for half of the time, and in backfilling for the other half. */
const STAGE_MS = BUSY_MS / 2

function slow(options: MemoryOptions = { transitionMs: BUSY_MS }) {
  const clock = { ms: START_MS }
  return { clock, store: memory({ now: () => clock.ms, ...options }) }
}

/** Creates a table with items and adds an index. */
async function adding() {
  const { clock, store } = slow()
  await store.createTable(request())
  clock.ms += BUSY_MS
  await store.putItem({ TableName, Item: item('a', [1, 0]) })
  await store.updateTable({ TableName, VectorIndexUpdates: [{ Create: nearestBy('some') }] })
  const shown = async () => {
    const { TableStatus, VectorIndexes } = (await store.describeTable({ TableName })).Table!
    return [TableStatus, VectorIndexes?.[0]?.IndexStatus, VectorIndexes?.[0]?.Backfilling]
  }
  return { clock, store, shown }
}

const CANCEL = { TableName, VectorIndexUpdates: [{ Delete: { IndexName: 'some' } }] }
const inUse = (message: string) => ({
  name: 'ResourceInUseException',
  message: `Attempt to change a resource which is still in use: ${message}`,
})

describe('addition of a vector index with transitions', () => {
  test('a new vector index is allocated, then filled, then searchable', async () => {
    const { clock, store, shown } = await adding()
    expect(await shown()).toEqual(['UPDATING', 'CREATING', false])
    await expect(found(store)).rejects.toThrow('The table does not have the specified index: some')
    clock.ms += STAGE_MS
    expect(await shown()).toEqual(['ACTIVE', 'CREATING', true])
    await expect(found(store)).rejects.toThrow('Cannot search backfilling vector index: some')
    await store.putItem({ TableName, Item: item('b', [0, 1]) })
    clock.ms += STAGE_MS
    expect(await shown()).toEqual(['ACTIVE', 'ACTIVE', undefined])
    expect(await found(store)).toEqual(['a', 'b'])
  })

  test('a new vector index validates writes immediately', async () => {
    const { store } = await adding()
    await expect(store.putItem({ TableName, Item: item('c', [1]) })).rejects.toThrow('Expected: 2, Actual: 1')
  })

  test('a new vector index rejects other index changes and the deletion of the table', async () => {
    const { clock, store } = await adding()
    const another = { TableName, VectorIndexUpdates: [{ Create: nearestBy('other') }] }
    for (let stage = 0; stage < 2; stage++) {
      await expect(store.updateTable(another)).rejects.toMatchObject({
        name: 'LimitExceededException',
        message: 'Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table',
      })
      await expect(store.deleteTable({ TableName })).rejects.toMatchObject(
        inUse('Cannot delete table while indexes are being created, updated, or deleted.'),
      )
      clock.ms += STAGE_MS
    }
    await store.updateTable(another)
  })

  test('a vector index cannot be added twice at once', async () => {
    const { store } = await adding()
    const again = { TableName, VectorIndexUpdates: [{ Create: nearestBy('some') }] }
    await expect(store.updateTable(again)).rejects.toMatchObject(
      inUse('Index is being created.  Table: Orders Index: some'),
    )
  })

  test('a new vector index can be deleted after its allocation', async () => {
    const { clock, store, shown } = await adding()
    await expect(store.updateTable(CANCEL)).rejects.toMatchObject(
      inUse(
        'Index creation is in resource allocation phase. Retry deletion during backfilling phase or when the index is ' +
          'active. Table: Orders Index: some',
      ),
    )
    clock.ms += STAGE_MS
    await store.updateTable(CANCEL)
    expect(await shown()).toEqual(['UPDATING', 'DELETING', undefined])
    await expect(found(store)).rejects.toThrow('The table does not have the specified index: some')
    clock.ms += BUSY_MS
    expect(await shown()).toEqual(['ACTIVE', undefined, undefined])
    await store.deleteTable({ TableName })
  })

  test('other settings are visible in every stage of the creation', async () => {
    const { clock, store } = await adding()
    await store.updateTable({ TableName, DeletionProtectionEnabled: true })
    for (let stage = 0; stage < 3; stage++) {
      expect((await store.describeTable({ TableName })).Table!.DeletionProtectionEnabled).toBe(true)
      clock.ms += STAGE_MS
    }
  })

  test('the creation continues after the folder is reopened', async () => {
    const clock = { ms: START_MS }
    const path = temporaryFolder()
    const open = () => disk(path, { now: () => clock.ms, transitionMs: BUSY_MS, sync: false })
    let store = open()
    await store.createTable(request())
    clock.ms += BUSY_MS
    await store.putItem({ TableName, Item: item('a', [1, 0]) })
    await store.updateTable({ TableName, VectorIndexUpdates: [{ Create: nearestBy('some') }] })
    await store.close()
    store = open()
    await expect(found(store)).rejects.toThrow('The table does not have the specified index: some')
    clock.ms += STAGE_MS
    await expect(found(store)).rejects.toThrow('Cannot search backfilling vector index: some')
    clock.ms += STAGE_MS
    expect(await found(store)).toEqual(['a'])
    await store.close()
  })
})

test('a vector index that is created with its table does not show a backfill', async () => {
  const { store } = slow()
  const { TableDescription } = await store.createTable(TABLE)
  expect(TableDescription!.VectorIndexes![0]).toMatchObject({ IndexStatus: 'CREATING' })
  expect(TableDescription!.VectorIndexes![0]).not.toHaveProperty('Backfilling')
  await expect(found(store)).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
})

test('a lagging vector index shows writes and deletions after the delay', async () => {
  const { clock, store } = slow({ indexLag: 1000 })
  await store.createTable(TABLE)
  await store.putItem({ TableName, Item: item('a', [1, 0]) })
  expect(await found(store)).toEqual([])
  clock.ms += 1000
  expect(await found(store)).toEqual(['a'])
  await store.deleteItem({ TableName, Key: { pk: { S: 'a' } } })
  expect(await found(store)).toEqual(['a'])
  clock.ms += 1000
  expect(await found(store)).toEqual([])
  expect((await store.describeTable({ TableName })).Table!.VectorIndexes![0]).toMatchObject({
    ...{ ItemCount: 0, IndexSizeBytes: 0 },
  })
})

test('an expired item is removed from vector indexes', async () => {
  const { clock, store } = slow({})
  await store.createTable(TABLE)
  await store.updateTimeToLive({ TableName, TimeToLiveSpecification: { AttributeName: 'until', Enabled: true } })
  const until = { until: { N: String(Math.floor(START_MS / 1000) + 60) } }
  await store.putItem({ TableName, Item: item('a', [1, 0], until) })
  await store.putItem({ TableName, Item: item('b', [0, 1]) })
  expect(await found(store)).toEqual(['a', 'b'])
  clock.ms += 3600_000
  expect(await found(store)).toEqual(['b'])
})

test('a deleted table leaves nothing in the vector index of its successor', async () => {
  const { store } = slow({})
  await store.createTable(TABLE)
  await store.putItem({ TableName, Item: item('a', [1, 0]) })
  await store.deleteTable({ TableName })
  await store.createTable(TABLE)
  expect(await found(store)).toEqual([])
})

describe('several vector indexes', () => {
  for (const [where, made] of [
    ['in memory', (): EmbeddedStore => memory()],
    ['on disk', (): EmbeddedStore => disk(temporaryFolder())],
  ] as const)
    test(`adding and deleting vector indexes does not affect another one, ${where}`, async () => {
      const store = made()
      await store.createTable(request({ VectorIndexes: [nearestBy('some')] }))
      await store.putItem({ TableName, Item: item('a', [1, 0]) })
      const change = (update: object) => store.updateTable({ TableName, VectorIndexUpdates: [update] })
      const names = async () =>
        (await store.describeTable({ TableName })).Table!.VectorIndexes!.map(({ IndexName }) => IndexName).sort()
      await change({ Create: nearestBy('other') })
      expect(await names()).toEqual(['other', 'some'])
      await store.putItem({ TableName, Item: item('b', [0, 1]) })
      for (const IndexName of ['some', 'other']) expect(await found(store, { IndexName })).toEqual(['a', 'b'])
      await change({ Delete: { IndexName: 'other' } })
      expect(await names()).toEqual(['some'])
      await store.deleteItem({ TableName, Key: { pk: { S: 'a' } } })
      expect(await found(store)).toEqual(['b'])
      await change({ Create: nearestBy('other') })
      for (const IndexName of ['some', 'other']) expect(await found(store, { IndexName })).toEqual(['b'])
      await (store as Partial<Disk>).close?.()
    })

  test('adding and deleting vector indexes changes the size of the table', async () => {
    const store = memory()
    await store.createTable(request())
    await store.putItem({ TableName, Item: item('a', ['0.123456789012345678', 1]) })
    const size = async () => (await store.describeTable({ TableName })).Table!.TableSizeBytes!
    const before = await size()
    await store.updateTable({ TableName, VectorIndexUpdates: [{ Create: nearestBy('some') }] })
    expect(await size()).not.toBe(before)
    await store.updateTable({ TableName, VectorIndexUpdates: [{ Delete: { IndexName: 'some' } }] })
    expect(await size()).toBe(before)
  })
})
