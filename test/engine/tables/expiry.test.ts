import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AttributeValue } from '../../../src/dynamodb/attribute-value.js'
import { disk, type MemoryOptions, memory } from '../../../src/engine/index.js'
import { temporaryFolder } from '../disk/temporary-folder.js'
import { MINUTE_MS, read, START_MS, type StoreWithClock, shards, storeWithClock } from '../streams/read-stream.js'
import { defined, index, key, request } from '../tables.js'

const START_SECONDS = START_MS / 1000
const seconds = (fromStart: number): AttributeValue => ({ N: String(START_SECONDS + fromStart) })

function expire(store: StoreWithClock, Enabled = true) {
  return store.updateTimeToLive({
    TableName: 'Orders',
    TimeToLiveSpecification: { AttributeName: 'expires', Enabled },
  })
}

function put(store: StoreWithClock, pk: string, expires: AttributeValue, more: Record<string, AttributeValue> = {}) {
  return store.putItem({ TableName: 'Orders', Item: { pk: { S: pk }, expires, ...more } })
}

async function left(store: StoreWithClock, IndexName?: string): Promise<string[]> {
  const { Items } = await store.scan({ TableName: 'Orders', IndexName })
  return Items!.map(item => item.pk!.S!).toSorted()
}

async function expiring(options: MemoryOptions = {}) {
  const clock = { ms: START_MS }
  const store = memory({ now: () => clock.ms, ...options })
  await store.createTable(request())
  await expire(store)
  return { store, clock }
}

describe('expired items', () => {
  test('the expiry data is separate from an index named expiry', async () => {
    const clock = { ms: START_MS }
    const store = memory({ now: () => clock.ms })
    const GlobalSecondaryIndexes = [index('expiry', key('group'))]
    await store.createTable(request({ AttributeDefinitions: defined('group', 'pk'), GlobalSecondaryIndexes }))
    await expire(store)
    await put(store, 'a', seconds(0), { group: { S: 'g' } })
    expect(await left(store, 'expiry')).toEqual(['a'])
    await expire(store, false)
    expect(await left(store, 'expiry')).toEqual(['a'])
  })

  test('an expired item is removed from the table and its indexes after a minute', async () => {
    const clock = { ms: START_MS }
    const store = memory({ now: () => clock.ms })
    const GlobalSecondaryIndexes = [index('byGroup', key('group'))]
    await store.createTable(request({ AttributeDefinitions: defined('group', 'pk'), GlobalSecondaryIndexes }))
    await expire(store)
    await put(store, 'soon', seconds(10), { group: { S: 'g' } })
    await put(store, 'later', seconds(20), { group: { S: 'g' } })
    clock.ms += 10_000 + MINUTE_MS - 1
    expect(await left(store)).toEqual(['later', 'soon'])
    clock.ms += 1
    expect(await left(store)).toEqual(['later'])
    expect(await left(store, 'byGroup')).toEqual(['later'])
    const { Table } = await store.describeTable({ TableName: 'Orders' })
    expect([Table!.ItemCount, Table!.GlobalSecondaryIndexes![0]!.ItemCount]).toEqual([1, 1])
    clock.ms += 10_000
    expect(await left(store)).toEqual([])
  })

  test('an item expires on time even if another table had work before', async () => {
    const { store, clock } = await expiring({ expiryDelayMs: 0 })
    await store.createTable(request({ TableName: 'Others' }))
    const TimeToLiveSpecification = { AttributeName: 'expires', Enabled: true }
    await store.updateTimeToLive({ TableName: 'Others', TimeToLiveSpecification })
    await store.putItem({ TableName: 'Others', Item: { pk: { S: 'a' }, expires: seconds(20) } })
    await put(store, 'a', seconds(10))
    clock.ms += 10_000
    expect(await left(store)).toEqual([])
    const others = async () => (await store.scan({ TableName: 'Others' })).Count
    expect(await others()).toBe(1)
    clock.ms += 10_000
    expect(await others()).toBe(0)
  })

  test('enabling time to live again uses the current attributes of items', async () => {
    const { store, clock } = await expiring({ expiryDelayMs: 0 })
    await put(store, 'kept', seconds(100))
    await put(store, 'moved', seconds(100))
    await expire(store, false)
    await put(store, 'kept', { NULL: true })
    await put(store, 'moved', seconds(200))
    clock.ms += 50_000
    await expire(store)
    clock.ms += 50_000
    expect(await left(store)).toEqual(['kept', 'moved'])
    clock.ms += 100_000
    expect(await left(store)).toEqual(['kept'])
  })

  test('an expired item is removed immediately with a delay of 0', async () => {
    const { store, clock } = await expiring({ expiryDelayMs: 0 })
    await put(store, 'a', seconds(10))
    clock.ms += 9_999
    expect(await left(store)).toEqual(['a'])
    clock.ms += 1
    expect(await left(store)).toEqual([])
  })

  test('an item that is written after its time is removed after the delay', async () => {
    const { store, clock } = await expiring()
    await put(store, 'a', seconds(-3600))
    clock.ms += MINUTE_MS - 1
    expect(await left(store)).toEqual(['a'])
    clock.ms += 1
    expect(await left(store)).toEqual([])
  })

  test('an item that is older than the time to live setting expires too', async () => {
    const clock = { ms: START_MS }
    const store = memory({ now: () => clock.ms })
    await store.createTable(request())
    await put(store, 'a', seconds(10))
    await expire(store)
    clock.ms += 10_000 + MINUTE_MS
    expect(await left(store)).toEqual([])
  })

  test('an item remains if its time is extended or removed, or time to live is disabled', async () => {
    const { store, clock } = await expiring()
    await put(store, 'put-off', seconds(10))
    await put(store, 'put-off', seconds(1000))
    await put(store, 'taken-away', seconds(10))
    await store.updateItem({
      TableName: 'Orders',
      Key: { pk: { S: 'taken-away' } },
      UpdateExpression: 'REMOVE expires',
    })
    await put(store, 'gone', seconds(10))
    clock.ms += 10_000 + MINUTE_MS
    expect(await left(store)).toEqual(['put-off', 'taken-away'])
    await expire(store, false)
    clock.ms += 10_000_000
    expect(await left(store)).toEqual(['put-off', 'taken-away'])
  })

  test('only numbers that are positive, realistic and at most five years old expire an item', async () => {
    const { store, clock } = await expiring()
    const notTimes = { text: { S: '1' }, negative: { N: '-1' }, huge: { N: '1E+40' }, old: { N: '86400' } }
    for (const [pk, value] of Object.entries(notTimes)) await put(store, pk, value)
    await put(store, 'fraction', { N: `${START_SECONDS}.5` })
    clock.ms += 24 * 3600 * 1000
    expect(await left(store)).toEqual(Object.keys(notTimes).toSorted())
  })

  test('the stream record of an expired item names the service', async () => {
    const { store, clock, arn } = await storeWithClock()
    await expire(store)
    await put(store, 'expired', seconds(10))
    await put(store, 'deleted', seconds(10))
    await store.deleteItem({ TableName: 'Orders', Key: { pk: { S: 'deleted' } } })
    clock.ms += 10_000 + MINUTE_MS
    // Any call triggers the removal.
    await store.listTables({})
    const [shard] = await shards(store, arn)
    const removed = (await read(store, arn, shard!)).filter(({ eventName }) => eventName === 'REMOVE')
    expect(removed.map(({ dynamodb, userIdentity }) => [dynamodb!.OldImage!.pk!.S, userIdentity])).toEqual([
      ['deleted', undefined],
      ['expired', { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' }],
    ])
  })
})

describe('many expired items', () => {
  async function fill(store: StoreWithClock): Promise<void> {
    await store.createTable(request())
    const expires = { N: String(Math.floor(Date.now() / 1000) - 10) }
    for (let i = 0; i < 20_500; i += 25) {
      const puts = Array.from({ length: 25 }, (_, at) => ({
        PutRequest: { Item: { pk: { S: `${i + at}` }, expires } },
      }))
      await store.batchWriteItem({ RequestItems: { Orders: puts } })
    }
    await expire(store)
  }
  const count = async (store: StoreWithClock) => (await store.describeTable({ TableName: 'Orders' })).Table!.ItemCount

  test('many expired items are removed in batches, so that no operation waits for all', async () => {
    const store = memory({ expiryDelayMs: 0 })
    await fill(store)
    const counts = [await count(store), await count(store), await count(store), await count(store)]
    expect(counts).toEqual([10_500, 500, 0, 0])
  })

  test('concurrent operations remove only one batch of expired items', async () => {
    const store = disk(temporaryFolder(), { expiryDelayMs: 0, sync: false })
    await fill(store)
    const together = () => Promise.all(Array.from({ length: 5 }, () => count(store)))
    expect(await together()).toEqual(Array.from({ length: 5 }, () => 10_500))
    expect(await together()).toEqual(Array.from({ length: 5 }, () => 500))
    await store.close()
  })
})

test('after any writes exactly the items whose last time is not over remain', async () => {
  const write = fc.record({
    pk: fc.integer({ min: 0, max: 4 }).map(String),
    expires: fc.integer({ min: -50, max: 200 }),
    laterMs: fc.integer({ min: 0, max: 40_000 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(write, { maxLength: 12 }), async writes => {
      const { store, clock } = await expiring({ expiryDelayMs: 0 })
      const last = new Map<string, number>()
      for (const { pk, expires, laterMs } of writes) {
        await put(store, pk, seconds(expires))
        last.set(pk, expires)
        clock.ms += laterMs
        const nowSeconds = (clock.ms - START_MS) / 1000
        for (const [each, at] of last) if (at <= nowSeconds) last.delete(each)
        expect(await left(store)).toEqual([...last.keys()].toSorted())
      }
    }),
    { numRuns: 50 },
  )
})
