import { describe, expect, it } from 'vitest'
import type { AttributeValue, Item } from '../../src/dynamodb/attribute-value.js'
import type { CreateTableInput } from '../../src/dynamodb/operation-types.js'
import { memory } from '../../src/engine/index.js'
import type { Store } from '../../src/store/port.js'

const hash = (AttributeName: string) => ({ AttributeName, KeyType: 'HASH' as const })
const range = (AttributeName: string) => ({ AttributeName, KeyType: 'RANGE' as const })
const text = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' as const })

/** Creates a store with a table keyed by `pk` and `sk`, with a local, an inverted and a sparse index. */
async function tableOf(TableName: string, more: Partial<CreateTableInput> = {}): Promise<Store> {
  const store = memory()
  await store.createTable({
    TableName,
    AttributeDefinitions: ['pk', 'sk', 'g'].map(text),
    KeySchema: [hash('pk'), range('sk')],
    LocalSecondaryIndexes: [
      { IndexName: 'local', KeySchema: [hash('pk'), range('g')], Projection: { ProjectionType: 'ALL' } },
    ],
    GlobalSecondaryIndexes: [
      { IndexName: 'inverted', KeySchema: [hash('sk'), range('pk')], Projection: { ProjectionType: 'ALL' } },
      { IndexName: '__proto__', KeySchema: [hash('g')], Projection: { ProjectionType: 'ALL' } },
    ],
    BillingMode: 'PAY_PER_REQUEST',
    ...more,
  })
  return store
}

const Key = { pk: { S: 'p' }, sk: { S: 's' } }

describe('objects that the caller modifies', () => {
  it('modifying inputs and outputs does not change the store, even with Buffers', async () => {
    const store = await tableOf('tab')
    const b = Buffer.from('abc')
    const Item = { ...Key, b: { B: b }, l: { L: [{ BS: [Buffer.from('abc')] }] } }
    await store.putItem({ TableName: 'tab', Item })
    b[0] = 1
    const first = (await store.getItem({ TableName: 'tab', Key })).Item!
    first.b!.B![0] = 1
    first.l!.L![0]!.BS![0]![0] = 1
    const again = (await store.getItem({ TableName: 'tab', Key })).Item!
    expect(Buffer.from(again.b!.B!).toString()).toBe('abc')
    expect(Buffer.from(again.l!.L![0]!.BS![0]!).toString()).toBe('abc')
  })
})

describe('names that objects inherit', () => {
  it.each(['constructor', '__proto__', 'toString'])('a table can have the inherited name %s', async TableName => {
    const store = await tableOf(TableName)
    const Item: Item = { ...Key, g: { S: 'g' } }
    const written = await store.batchWriteItem({
      RequestItems: Object.fromEntries([[TableName, [{ PutRequest: { Item } }]]]),
      ReturnItemCollectionMetrics: 'SIZE',
      ReturnConsumedCapacity: 'INDEXES',
    })
    expect(Object.keys(written.ItemCollectionMetrics!)).toEqual([TableName])
    expect(Object.keys(written.ConsumedCapacity![0]!.GlobalSecondaryIndexes!).sort()).toEqual(['__proto__', 'inverted'])
    const read = await store.batchGetItem({ RequestItems: Object.fromEntries([[TableName, { Keys: [Key] }]]) })
    expect(Object.entries(read.Responses!)).toEqual([[TableName, [Item]]])
  })

  it('key attributes can have inherited names', async () => {
    const store = memory()
    await store.createTable({
      TableName: 'tab',
      AttributeDefinitions: [text('__proto__'), text('constructor')],
      KeySchema: [hash('__proto__'), range('constructor')],
      BillingMode: 'PAY_PER_REQUEST',
    })
    const item = (sort: string) =>
      Object.fromEntries<AttributeValue>([
        ['__proto__', { S: 'p' }],
        ['constructor', { S: sort }],
      ])
    await store.batchWriteItem({
      RequestItems: { tab: [{ PutRequest: { Item: item('1') } }, { PutRequest: { Item: item('2') } }] },
    })
    const first = await store.scan({ TableName: 'tab', Limit: 1 })
    expect(Object.entries(first.LastEvaluatedKey!)).toEqual(Object.entries(item('1')))
    const second = await store.scan({ TableName: 'tab', ExclusiveStartKey: first.LastEvaluatedKey })
    expect(second.Items!.map(found => Object.entries(found))).toEqual([Object.entries(item('2'))])
  })
})

describe('members without a value', () => {
  it('undefined and null members count as absent at any depth', async () => {
    const store = await tableOf('tab')
    const a = { M: null, L: [{ S: 'x', N: undefined }] } as unknown as AttributeValue
    const set = { SS: null, NS: ['1'] } as unknown as AttributeValue
    const gone = undefined as unknown as AttributeValue
    await store.putItem({ TableName: 'tab', Item: { ...Key, a, set, gone } })
    expect((await store.getItem({ TableName: 'tab', Key })).Item).toEqual({
      ...Key,
      a: { L: [{ S: 'x' }] },
      set: { NS: ['1'] },
    })
  })

  it("missing required members are reported with the service's messages", async () => {
    const store = await tableOf('tab')
    const undefinedValue = { ':v': undefined as unknown as AttributeValue, ':w': { S: '' } }
    const update = {
      TableName: 'tab',
      Key,
      UpdateExpression: 'SET a = :v, b = :w',
      ExpressionAttributeValues: undefinedValue,
    }
    const complaint = 'An expression attribute value used in expression is not defined; attribute value: :v'
    await expect(store.updateItem(update)).rejects.toThrow(complaint)
    await expect(store.transactWriteItems({ TransactItems: [{ Update: update }] })).rejects.toThrow(complaint)
    await expect(store.batchGetItem({ RequestItems: { tab: undefined as never } })).rejects.toThrow(
      "Value at 'RequestItems' failed to satisfy constraint: Member must have length greater than or equal to 1",
    )
    await expect(store.batchWriteItem({ RequestItems: { tab: undefined as never } })).rejects.toThrow('required')
  })
})

describe('table names and ARNs', () => {
  it('the name and the ARN in one batch refer to the same table', async () => {
    const store = await tableOf('tab')
    const { Table } = await store.describeTable({ TableName: 'tab' })
    const put = (g: string) => [{ PutRequest: { Item: { ...Key, g: { S: g } } } }]
    const RequestItems = { tab: put('one'), [Table!.TableArn!]: put('two') }
    await expect(store.batchWriteItem({ RequestItems })).rejects.toThrow(
      'Provided list of item keys contains duplicates',
    )
    const Keys = [Key]
    const reads = { tab: { Keys }, [Table!.TableArn!]: { Keys } }
    await expect(store.batchGetItem({ RequestItems: reads })).rejects.toThrow('contains duplicates')
  })

  it('an ARN of another account or region does not find a table, and tables are created by name', async () => {
    const store = await tableOf('tab')
    const arn = (await store.describeTable({ TableName: 'tab' })).Table!.TableArn!
    expect((await store.getItem({ TableName: arn, Key })).Item).toBeUndefined()
    const foreign = arn.replace('us-east-1', 'eu-west-1')
    await expect(store.getItem({ TableName: foreign, Key })).rejects.toThrow('Requested resource not found')
  })
})

describe('index key sizes', () => {
  it('an update cannot create an item with an index key that is too long', async () => {
    const store = await tableOf('tab')
    const long = { pk: { S: 'p'.repeat(1500) }, sk: { S: 's' } }
    const tooLong = 'Aggregated size of all range keys has exceeded the size limit of 1024 bytes'
    await expect(store.putItem({ TableName: 'tab', Item: long })).rejects.toThrow(tooLong)
    await expect(store.updateItem({ TableName: 'tab', Key: long })).rejects.toThrow(tooLong)
    expect((await store.scan({ TableName: 'tab' })).Count).toBe(0)
  })
})

describe('large values', () => {
  it('sets are compared in less than quadratic time', async () => {
    const store = await tableOf('tab')
    const BS = Array.from({ length: 30_000 }, (_, i) => Uint8Array.of(i >> 16, i >> 8, i))
    const Item = { ...Key, b: { BS } }
    await store.putItem({ TableName: 'tab', Item })
    const request = {
      TableName: 'tab',
      Item,
      ConditionExpression: 'b = :b',
      ExpressionAttributeValues: { ':b': { BS } },
    }
    await store.putItem({ ...request, ReturnConsumedCapacity: 'INDEXES' })
  })

  it('many attribute names are processed in less than quadratic time', async () => {
    const store = await tableOf('tab')
    const names = Array.from({ length: 50_000 }, (_, i) => `a${i}`)
    const put = { Action: 'PUT' as const, Value: { BOOL: true } }
    const AttributeUpdates = Object.fromEntries(names.map(name => [name, put]))
    await store.updateItem({ TableName: 'tab', Key, AttributeUpdates })
    const { Item } = await store.getItem({ TableName: 'tab', Key, AttributesToGet: names })
    expect(Object.keys(Item!)).toEqual(names)
  }, 15_000)
})

describe('texts with lone surrogates', () => {
  it('lone surrogates are stored as U+FFFD, as they arrive over the wire', async () => {
    const store = await tableOf('tab')
    const half = (S: string) => ({ pk: { S }, sk: { S: 's' } })
    await store.putItem({ TableName: 'tab', Item: half('\ud800') })
    expect((await store.getItem({ TableName: 'tab', Key: half('\ud801') })).Item).toEqual(half('\ufffd'))
  })
})

describe('numbers in requests', () => {
  it('integers lose their fraction, as over the wire', async () => {
    const store = await tableOf('tab')
    for (const S of ['1', '2', '3']) await store.putItem({ TableName: 'tab', Item: { pk: { S: 'p' }, sk: { S } } })
    expect((await store.scan({ TableName: 'tab', Limit: 1.9 })).Count).toBe(1)
  })

  it('the option cachedExpressions must be a whole number from 0', () => {
    expect(() => memory({ cachedExpressions: Number.NaN })).toThrow(RangeError)
    expect(() => memory({ cachedExpressions: -1 })).toThrow(RangeError)
  })
})
