import { describe, expect, it } from 'vitest'
import { get, item, provisioned, put, storeWithClock, TableName, untilThrottled } from './store-with-clock.js'

const EXCEEDED = { name: 'ProvisionedThroughputExceededException' }

describe('throttled batches', () => {
  const puts = (count: number) => Array.from({ length: count }, (_, i) => ({ PutRequest: { Item: item(`p${i}`) } }))

  it('a throttled batch write executes what capacity allows and returns the rest as unprocessed', async () => {
    const { store } = await storeWithClock(provisioned())
    const writes = puts(8)
    const answer = await store.batchWriteItem({
      RequestItems: { [TableName]: writes },
      ReturnConsumedCapacity: 'TOTAL',
    })
    expect(answer).toEqual({
      UnprocessedItems: { [TableName]: writes.slice(5) },
      ConsumedCapacity: [{ TableName, CapacityUnits: 5 }],
    })
    expect((await store.scan({ TableName })).Count).toBe(5)
  })

  it('a batch write without any capacity is rejected', async () => {
    const { store } = await storeWithClock(provisioned())
    await untilThrottled(i => put(store, `q${i}`))
    await expect(store.batchWriteItem({ RequestItems: { [TableName]: puts(2) } })).rejects.toMatchObject(EXCEEDED)
  })

  it('a throttled batch read returns the other keys as unprocessed with their options', async () => {
    const { store } = await storeWithClock(provisioned(2))
    for (let i = 0; i < 4; i++) await put(store, `p${i}`)
    const asked = { Keys: [0, 1, 2, 3].map(i => item(`p${i}`)), ConsistentRead: true, ProjectionExpression: 'pk' }
    const answer = await store.batchGetItem({ RequestItems: { [TableName]: asked } })
    expect(answer.Responses).toEqual({ [TableName]: [item('p0'), item('p1')] })
    expect(answer.UnprocessedKeys).toEqual({ [TableName]: { ...asked, Keys: asked.Keys.slice(2) } })
    await expect(store.batchGetItem({ RequestItems: { [TableName]: asked } })).rejects.toMatchObject(EXCEEDED)
  })

  it('a throttled batch read without items found is not rejected', async () => {
    const { store } = await storeWithClock(provisioned(2))
    const Keys = ['a', 'b', 'c'].map(pk => item(pk))
    const answer = await store.batchGetItem({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } })
    expect(answer).toEqual({
      Responses: { [TableName]: [] },
      UnprocessedKeys: { [TableName]: { Keys: Keys.slice(2), ConsistentRead: true } },
    })
  })

  it('a batch of statements reports throttling for each statement', async () => {
    const { store } = await storeWithClock(provisioned(5, 1))
    const Statements = ['a', 'b'].map(pk => ({ Statement: `INSERT INTO "Orders" VALUE {'pk': '${pk}'}` }))
    const { Responses } = await store.batchExecuteStatement({ Statements })
    expect(Responses).toMatchObject([{ TableName }, { TableName, Error: { Code: 'ProvisionedThroughputExceeded' } }])
  })
})

describe('throttled transactions', () => {
  const write = (...names: string[]) => ({
    TransactItems: names.map(name => ({ Put: { TableName, Item: item(name) } })),
  })

  it('write and read transactions are cancelled without capacity', async () => {
    const { store } = await storeWithClock(provisioned(2, 2))
    await store.transactWriteItems(write('a'))
    await expect(store.transactWriteItems(write('b', 'c'))).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      message: expect.stringMatching(/\[ProvisionedThroughputExceeded, ProvisionedThroughputExceeded\]$/),
      CancellationReasons: [0, 1].map(() => ({
        Code: 'ProvisionedThroughputExceeded',
        Message: expect.stringMatching(/^The level of configured provisioned throughput for the table was exceeded\./),
      })),
    })
    const read = () => store.transactGetItems({ TransactItems: [{ Get: { TableName, Key: item('a') } }] })
    await read()
    await expect(read()).rejects.toMatchObject({ CancellationReasons: [{ Code: 'ProvisionedThroughputExceeded' }] })
  })

  it('an on-demand transaction has its own cancellation reason and consumes double units', async () => {
    const { clock, store } = await storeWithClock(
      {
        ...provisioned(),
        BillingMode: 'PAY_PER_REQUEST',
        ProvisionedThroughput: undefined,
        GlobalSecondaryIndexes: undefined,
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      },
      { throttle: { onDemandWriteUnits: 4 } },
    )
    await store.transactWriteItems(write('a', 'b'))
    await expect(store.transactWriteItems(write('c'))).rejects.toMatchObject({
      CancellationReasons: [{ Code: 'ThrottlingError' }],
    })
    clock.ms += 1000
    await store.transactWriteItems(write('c'))
    expect((await get(store, 'c')).Item).toEqual(item('c'))
  })
})
