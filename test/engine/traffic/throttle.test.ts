import { describe, expect, it } from 'vitest'
import { retrying } from '../../../src/store/retry.js'
import { defined, index, key, request } from '../tables.js'
import {
  get,
  INDEX_ARN,
  item,
  provisioned,
  put,
  storeWithClock,
  TABLE_ARN,
  TableName,
  table,
  units,
  untilThrottled,
} from './store-with-clock.js'

const TABLE_EXCEEDED =
  'The level of configured provisioned throughput for the table was exceeded. ' +
  'Consider increasing your provisioning level with the UpdateTable API.'
const INDEX_EXCEEDED =
  'The level of configured provisioned throughput for one or more global secondary indexes of the table was exceeded. ' +
  'Consider increasing your provisioning level for the under-provisioned global secondary indexes with the UpdateTable API'

describe('provisioned tables', () => {
  it('a table accepts as many writes and reads per second as it has units, and throttles more by name', async () => {
    const { clock, store } = await storeWithClock(provisioned())
    expect(await untilThrottled(i => put(store, `p${i}`))).toBe(5)
    expect(await untilThrottled(i => get(store, `p${i}`))).toBe(5)
    await expect(put(store, 'x')).rejects.toMatchObject({
      name: 'ProvisionedThroughputExceededException',
      message: TABLE_EXCEEDED,
      $fault: 'client',
      ThrottlingReasons: [{ reason: 'TableWriteProvisionedThroughputExceeded', resource: TABLE_ARN }],
    })
    await expect(get(store, 'x')).rejects.toMatchObject({
      ThrottlingReasons: [{ reason: 'TableReadProvisionedThroughputExceeded', resource: TABLE_ARN }],
    })
    clock.ms += 1000
    expect(await untilThrottled(i => put(store, `p${i}`))).toBe(5)
    expect(await untilThrottled(i => get(store, `p${i}`, false))).toBe(10)
  })

  it('reads of local indexes consume the units of the table', async () => {
    const { store } = await storeWithClock(
      request({
        AttributeDefinitions: defined('pk', 'sk', 'color'),
        KeySchema: key('pk', 'sk'),
        LocalSecondaryIndexes: [index('by-color', key('pk', 'color'))],
        BillingMode: 'PROVISIONED',
        ...units(5, 5),
      }),
    )
    const read = (more: object) =>
      store.query({
        TableName,
        ...{
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': { S: 'a' } },
          ConsistentRead: true,
        },
        ...more,
      })
    expect(await untilThrottled(() => read({ IndexName: 'by-color' }))).toBe(5)
    await expect(read({})).rejects.toThrow(TABLE_EXCEEDED)
    await expect(read({ IndexName: 'by-color' })).rejects.toMatchObject({
      ThrottlingReasons: [{ reason: 'TableReadProvisionedThroughputExceeded', resource: TABLE_ARN }],
    })
  })

  it('a throttled write changes nothing', async () => {
    const { clock, store } = await storeWithClock(provisioned())
    await untilThrottled(i => put(store, `p${i}`))
    await expect(put(store, 'x')).rejects.toThrow(TABLE_EXCEEDED)
    clock.ms += 1000
    expect((await get(store, 'x')).Item).toBeUndefined()
  })

  it('unused capacity accumulates for at most five minutes', async () => {
    const { clock, store } = await storeWithClock(provisioned())
    clock.ms += 10_000
    expect(await untilThrottled(i => put(store, `p${i}`))).toBe(55)
    clock.ms += 3_600_000
    expect(await untilThrottled(i => put(store, `p${i}`))).toBe(1500)
  })

  it('a large request is admitted while any unit is available, and its excess is subtracted later', async () => {
    const { clock, store } = await storeWithClock(provisioned())
    await put(store, 'large', { text: 'x'.repeat(20_000) })
    await expect(put(store, 'p')).rejects.toThrow(TABLE_EXCEEDED)
    clock.ms += 3000
    await expect(put(store, 'p')).rejects.toThrow(TABLE_EXCEEDED)
    clock.ms += 1000
    await put(store, 'p')
  })

  it('a failed condition consumes units', async () => {
    const { store } = await storeWithClock(provisioned())
    const failing = () =>
      store
        .putItem({ TableName, Item: item('a'), ConditionExpression: 'attribute_exists(pk)' })
        .catch((error: Error) => (error.name === 'ConditionalCheckFailedException' ? undefined : Promise.reject(error)))
    expect(await untilThrottled(failing)).toBe(5)
  })

  it('queries, scans, statements and transactions consume units', async () => {
    const { clock, store } = await storeWithClock(provisioned())
    await put(store, 'a', { text: 'x'.repeat(3000) })
    const read = { TableName, ConsistentRead: true }
    const query = { ...read, KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': { S: 'a' } } }
    const Statement = `SELECT * FROM "Orders" WHERE pk = 'a'`
    const ways: [number, () => Promise<unknown>][] = [
      [5, () => store.query(query)],
      [5, () => store.scan(read)],
      [5, () => store.executeStatement({ Statement, ConsistentRead: true })],
      [10, () => store.executeStatement({ Statement })],
    ]
    for (const [times, way] of ways) {
      expect(await untilThrottled(way)).toBe(times)
      clock.ms += 1000
    }
  })

  it('a change of units takes effect immediately', async () => {
    const { clock, store } = await storeWithClock(provisioned())
    await untilThrottled(i => put(store, `p${i}`))
    await store.updateTable({ TableName, ...units(5, 20) })
    clock.ms += 1000
    expect(await untilThrottled(i => put(store, `p${i}`))).toBe(20)
    await store.updateTable({ TableName, BillingMode: 'PAY_PER_REQUEST' })
    for (let i = 0; i < 100; i++) await put(store, `p${i}`)
  })

  it('a store without the option throttle does not throttle', async () => {
    const { store } = await storeWithClock(provisioned(), {})
    for (let i = 0; i < 20; i++) await put(store, `p${i}`)
    expect(() => store.heat(TableName)).toThrow(
      'heat(): the store does not count its traffic; create it with the option { heat: true }.',
    )
  })

  it('a retrying client completes all throttled writes', async () => {
    const { clock, store } = await storeWithClock(provisioned(5, 20))
    const sleep = async (delayMs: number) => {
      clock.ms += delayMs
    }
    const patient = retrying(store, { clock: { now: () => clock.ms, sleep }, deadlineMs: 60_000 })
    for (let i = 0; i < 100; i++) await patient.putItem({ TableName, Item: item(`p${i}`) })
    const { consumed, throttled } = store.heat(TableName).table
    expect(consumed.writeUnits).toBe(100)
    expect(throttled.writes).toBeGreaterThan(0)
  })
})

describe('provisioned global indexes', () => {
  it('an index throttles only the writes that change it', async () => {
    const { clock, store } = await storeWithClock(provisioned(100, 100, units(5, 2)))
    expect(await untilThrottled(i => put(store, `p${i}`, { color: `c${i}` }))).toBe(2)
    await expect(put(store, 'x', { color: 'red' })).rejects.toMatchObject({
      name: 'ProvisionedThroughputExceededException',
      message: INDEX_EXCEEDED,
      ThrottlingReasons: [{ reason: 'IndexWriteProvisionedThroughputExceeded', resource: INDEX_ARN }],
    })
    for (let i = 0; i < 10; i++) await put(store, `without${i}`)
    await put(store, 'p0', { color: 'c0' })
    clock.ms += 1000
    await put(store, 'x', { color: 'red' })
  })

  it('an index has its own read capacity', async () => {
    const { store } = await storeWithClock(provisioned(1, 5, units(3, 5)))
    const query = () =>
      store.query({
        TableName,
        IndexName: 'by-color',
        KeyConditionExpression: 'color = :color',
        ExpressionAttributeValues: { ':color': { S: 'red' } },
      })
    expect(await untilThrottled(query)).toBe(6)
    await expect(query()).rejects.toMatchObject({
      message: TABLE_EXCEEDED,
      ThrottlingReasons: [{ reason: 'IndexReadProvisionedThroughputExceeded', resource: INDEX_ARN }],
    })
    await get(store, 'a')
  })
})

describe('on-demand tables', () => {
  it('an on-demand table is unlimited unless it has a maximum', async () => {
    const OnDemandThroughput = { MaxReadRequestUnits: 3, MaxWriteRequestUnits: 2 }
    const { clock, store } = await storeWithClock(table({ OnDemandThroughput }))
    clock.ms += 60_000
    expect([await untilThrottled(i => put(store, `p${i}`)), await untilThrottled(i => get(store, `p${i}`))]).toEqual([
      2, 3,
    ])
    await expect(get(store, 'a')).rejects.toMatchObject({
      name: 'ThrottlingException',
      message: 'Throughput exceeds the maximum OnDemandThroughput configured on table or index',
      throttlingReasons: [{ reason: 'TableReadMaxOnDemandThroughputExceeded', resource: TABLE_ARN }],
    })
  })

  it('an on-demand table and its indexes respect the account limits, if they are set', async () => {
    const throttle = { onDemandReadUnits: 10, onDemandWriteUnits: 4 }
    const { clock, store } = await storeWithClock(table(), { throttle })
    expect(await untilThrottled(i => put(store, `p${i}`))).toBe(4)
    await expect(put(store, 'x')).rejects.toMatchObject({
      name: 'ThrottlingException',
      message: expect.stringMatching(/^Throughput exceeds the current capacity of your table or index\. /),
      throttlingReasons: [{ reason: 'TableWriteAccountLimitExceeded', resource: TABLE_ARN }],
    })
    clock.ms += 1000
    // Each write moves an entry of the index, which takes two of its units and one of the table's.
    for (const color of ['red', 'blue', 'green']) await put(store, 'a', { color })
    await expect(put(store, 'a', { color: 'white' })).rejects.toMatchObject({
      message:
        'Throughput exceeds the current capacity for one or more global secondary indexes. ' +
        'DynamoDB is automatically scaling your index so please try again shortly.',
      throttlingReasons: [{ reason: 'IndexWriteAccountLimitExceeded', resource: INDEX_ARN }],
    })
  })
})
