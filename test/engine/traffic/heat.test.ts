import { describe, expect, it } from 'vitest'
import { disk, memory } from '../../../src/engine/index.js'
import { temporaryFolder } from '../disk/temporary-folder.js'
import { defined, index, key, keyOf, request } from '../tables.js'
import { get, item, provisioned, put, storeWithClock, TableName, table, untilThrottled } from './store-with-clock.js'

const NONE = { readUnits: 0, writeUnits: 0 }

describe('heat', () => {
  it('heat lists reads and writes by partition key, the most active first', async () => {
    const { store } = await storeWithClock(table(), { heat: true })
    for (let i = 0; i < 3; i++) await put(store, 'written')
    for (let i = 0; i < 10; i++) await get(store, 'read')
    await get(store, 'cold', false)
    expect(store.heat(TableName).table).toEqual({
      keys: [
        { key: item('read'), readUnits: 10, writeUnits: 0 },
        { key: item('written'), readUnits: 0, writeUnits: 3 },
        { key: item('cold'), readUnits: 0.5, writeUnits: 0 },
      ],
      rest: NONE,
      consumed: { readUnits: 10.5, writeUnits: 3 },
      throttled: { reads: 0, writes: 0 },
    })
  })

  it('heat lists each index separately by its own keys', async () => {
    const { store } = await storeWithClock(table(), { heat: true })
    await put(store, 'a', { color: 'red' })
    await put(store, 'b', { color: 'red' })
    await put(store, 'b', { color: 'blue' })
    await store.query({
      TableName,
      IndexName: 'by-color',
      KeyConditionExpression: 'color = :color',
      ExpressionAttributeValues: { ':color': { S: 'red' } },
    })
    await store.executeStatement({ Statement: `SELECT * FROM "Orders"."by-color" WHERE color IN ['red', 'blue']` })
    const { table: whole, indexes } = store.heat(TableName)
    expect(whole.consumed).toEqual({ readUnits: 0, writeUnits: 3 })
    expect(indexes['by-color']).toMatchObject({
      keys: [
        { key: { color: { S: 'red' } }, readUnits: 1, writeUnits: 3 },
        { key: { color: { S: 'blue' } }, readUnits: 0.5, writeUnits: 1 },
      ],
      consumed: { readUnits: 1.5, writeUnits: 4 },
    })
  })

  it('heat lists keys with several attributes and of every type', async () => {
    const store = memory({ heat: true })
    await store.createTable(
      request({
        AttributeDefinitions: [
          { AttributeName: 'pk', AttributeType: 'B' },
          { AttributeName: 'n', AttributeType: 'N' },
          ...defined('s'),
        ],
        GlobalSecondaryIndexes: [index('several', keyOf(['n', 's'], ['pk']))],
      }),
    )
    const Item = { pk: { B: new Uint8Array([0, 255, 0]) }, n: { N: '-12.50' }, s: { S: 'ü\u0000☃' } }
    await store.putItem({ TableName, Item })
    const { table: whole, indexes } = store.heat(TableName)
    expect(whole.keys.map(({ key }) => key)).toEqual([{ pk: Item.pk }])
    expect(indexes.several!.keys.map(({ key }) => key)).toEqual([{ n: { N: '-12.5' }, s: Item.s }])
  })

  it('heat counts reads across partitions as the rest', async () => {
    const { store } = await storeWithClock(table(), { heat: true })
    await put(store, 'a', { color: 'red' })
    await store.scan({ TableName })
    await store.scan({ TableName, IndexName: 'by-color' })
    await store.executeStatement({ Statement: 'SELECT * FROM "Orders"' })
    const { table: whole, indexes } = store.heat(TableName)
    expect(whole.rest).toEqual({ readUnits: 1, writeUnits: 0 })
    expect(indexes['by-color']!.rest).toEqual({ readUnits: 0.5, writeUnits: 0 })
  })

  it('heat counts local indexes separately, and completed reads for the table', async () => {
    const store = memory({ heat: true })
    await store.createTable(
      request({
        AttributeDefinitions: defined('pk', 'sk', 'color'),
        KeySchema: key('pk', 'sk'),
        LocalSecondaryIndexes: [index('local', key('pk', 'color'), { Projection: { ProjectionType: 'KEYS_ONLY' } })],
      }),
    )
    await store.putItem({ TableName, Item: item('a', { sk: 'b', color: 'red', more: 'x' }) })
    await store.query({
      TableName,
      IndexName: 'local',
      Select: 'ALL_ATTRIBUTES',
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'a' } },
    })
    const { table: whole, indexes } = store.heat(TableName)
    expect(whole.keys).toEqual([{ key: item('a'), readUnits: 1, writeUnits: 1 }])
    expect(indexes.local!.keys).toEqual([{ key: item('a'), readUnits: 1, writeUnits: 1 }])
  })

  it('heat counts batches and transactions', async () => {
    const { store } = await storeWithClock(table(), { heat: true })
    const Keys = [item('a'), item('b')]
    await store.batchWriteItem({ RequestItems: { [TableName]: Keys.map(Item => ({ PutRequest: { Item } })) } })
    await store.batchGetItem({ RequestItems: { [TableName]: { Keys } } })
    await store.transactWriteItems({ TransactItems: Keys.map(Key => ({ Delete: { TableName, Key } })) })
    await store.transactGetItems({ TransactItems: Keys.map(Key => ({ Get: { TableName, Key } })) })
    expect(store.heat(TableName).table.consumed).toEqual({ readUnits: 5, writeUnits: 6 })
  })

  it('heat counts throttled requests of the table and each index', async () => {
    const { store } = await storeWithClock(
      provisioned(1, 3, { ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 2 } }),
    )
    await untilThrottled(i => put(store, `p${i}`, { color: `c${i}` }))
    await put(store, 'x')
    await untilThrottled(i => put(store, `q${i}`))
    await untilThrottled(() => get(store, 'x'))
    const { table: whole, indexes } = store.heat(TableName)
    expect(whole.throttled).toEqual({ reads: 1, writes: 1 })
    expect(indexes['by-color']!.throttled).toEqual({ reads: 0, writes: 1 })
  })

  it('heat lists only the most active keys up to its limit, and keeps the total correct', async () => {
    const { store } = await storeWithClock(table(), { heat: { keys: 3 } })
    for (let i = 0; i < 200; i++) {
      await put(store, `cold${i}`)
      for (let j = 0; j < 3; j++) await put(store, `hot${j}`)
    }
    const { keys, rest, consumed } = store.heat(TableName).table
    expect(keys.map(({ key: { pk }, writeUnits }) => [pk!.S, writeUnits]).sort()).toEqual([
      ['hot0', 200],
      ['hot1', 200],
      ['hot2', 200],
    ])
    expect([rest.writeUnits, consumed.writeUnits]).toEqual([200, 800])
  })

  it('heat works on disk', async () => {
    const store = disk(temporaryFolder(), { heat: true, sync: false })
    await store.createTable(table())
    await put(store, 'a', { color: 'red' })
    expect(store.heat(TableName).indexes['by-color']!.keys).toHaveLength(1)
    await store.close()
  })

  it('heat of a missing table is rejected', async () => {
    const { store } = await storeWithClock(table(), { heat: true })
    expect(() => store.heat('Other')).toThrow('Requested resource not found: Table: Other not found')
  })

  it('invalid settings of heat and throttle are rejected', () => {
    expect(() => memory({ heat: { keys: 0 } })).toThrow(
      new RangeError('heat.keys: 0 is out of range; use a whole number from 1.'),
    )
    expect(() => memory({ throttle: { burstSeconds: 0.5 } })).toThrow('throttle.burstSeconds: 0.5 is out of range')
  })
})
