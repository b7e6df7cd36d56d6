import { describe, expect, it } from 'vitest'
import type { AttributeValue, Item } from '../../src/dynamodb/attribute-value.js'
import type { CreateTableInput } from '../../src/dynamodb/operations/tables.js'
import { memory } from '../../src/engine/index.js'
import type { Store } from '../../src/store/port.js'

const hash = (AttributeName: string) => ({ AttributeName, KeyType: 'HASH' as const })
const range = (AttributeName: string) => ({ AttributeName, KeyType: 'RANGE' as const })
const text = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' as const })

/** A store with a table of that name, keyed by `pk` and `sk`, with a local, an inverted and a sparse index. */
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

describe('what a caller does to its objects', () => {
  it('changes nothing in the store, though binaries came in as buffers', async () => {
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
  it.each(['constructor', '__proto__', 'toString'])('can be the name of a table: %s', async TableName => {
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

  it('can be the names of keys', async () => {
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

describe('members that are given without a value', () => {
  it('are as if they were not given, at any depth', async () => {
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

  it('are complained of in the words of the service where they are needed', async () => {
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

describe('one table', () => {
  it('is the same by its name and its ARN within one batch', async () => {
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

  it('is not found by the ARN of another account or region, and is made by name', async () => {
    const store = await tableOf('tab')
    const arn = (await store.describeTable({ TableName: 'tab' })).Table!.TableArn!
    expect((await store.getItem({ TableName: arn, Key })).Item).toBeUndefined()
    const foreign = arn.replace('us-east-1', 'eu-west-1')
    await expect(store.getItem({ TableName: foreign, Key })).rejects.toThrow('Requested resource not found')
  })
})

describe('the keys of an index', () => {
  it('are held to their size in an item that an update makes, too', async () => {
    const store = await tableOf('tab')
    const long = { pk: { S: 'p'.repeat(1500) }, sk: { S: 's' } }
    const tooLong = 'Aggregated size of all range keys has exceeded the size limit of 1024 bytes'
    await expect(store.putItem({ TableName: 'tab', Item: long })).rejects.toThrow(tooLong)
    await expect(store.updateItem({ TableName: 'tab', Key: long })).rejects.toThrow(tooLong)
    expect((await store.scan({ TableName: 'tab' })).Count).toBe(0)
  })
})

describe('values of some size', () => {
  it('are compared in time that grows with them, not with their square', async () => {
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

  it('are named one by one in time that grows with their number, not with its square', async () => {
    const store = await tableOf('tab')
    const names = Array.from({ length: 50_000 }, (_, i) => `a${i}`)
    const put = { Action: 'PUT' as const, Value: { BOOL: true } }
    const AttributeUpdates = Object.fromEntries(names.map(name => [name, put]))
    await store.updateItem({ TableName: 'tab', Key, AttributeUpdates })
    const { Item } = await store.getItem({ TableName: 'tab', Key, AttributesToGet: names })
    expect(Object.keys(Item!)).toEqual(names)
  }, 15_000)
})

describe('texts that UTF-8 cannot hold', () => {
  it('are kept as the wire would bring them', async () => {
    const store = await tableOf('tab')
    const half = (S: string) => ({ pk: { S }, sk: { S: 's' } })
    await store.putItem({ TableName: 'tab', Item: half('\ud800') })
    expect((await store.getItem({ TableName: 'tab', Key: half('\ud801') })).Item).toEqual(half('\ufffd'))
  })
})

describe('numbers of a request', () => {
  it('lose their fractions, as on the wire', async () => {
    const store = await tableOf('tab')
    for (const S of ['1', '2', '3']) await store.putItem({ TableName: 'tab', Item: { pk: { S: 'p' }, sk: { S } } })
    expect((await store.scan({ TableName: 'tab', Limit: 1.9 })).Count).toBe(1)
  })

  it('of cached expressions are whole and not negative', () => {
    expect(() => memory({ cachedExpressions: Number.NaN })).toThrow(RangeError)
    expect(() => memory({ cachedExpressions: -1 })).toThrow(RangeError)
  })
})
