import { expect, test } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { put, read, shards, storeWithClock } from '../streams/read-stream.js'
import { defined, index, key, request } from '../tables.js'

const EUROPE = { region: 'eu-central-1' }
const TABLE_ARN = 'arn:aws:dynamodb:eu-central-1:123456789012:table/Orders'

test('ARNs have the region of the call, or else that of the engine', async () => {
  const store = memory({ region: 'sa-east-1' })
  const made = request({
    AttributeDefinitions: defined('group', 'pk'),
    GlobalSecondaryIndexes: [index('byGroup', key('group'))],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
  })
  const { TableDescription } = await store.createTable(made, EUROPE)
  expect(TableDescription!.TableArn).toBe(TABLE_ARN)
  const { Table } = await store.describeTable({ TableName: 'Orders' }, EUROPE)
  expect([Table!.TableArn, Table!.GlobalSecondaryIndexes![0]!.IndexArn]).toEqual([
    TABLE_ARN,
    `${TABLE_ARN}/index/byGroup`,
  ])
  expect(Table!.LatestStreamArn).toBe(`${TABLE_ARN}/stream/${Table!.LatestStreamLabel}`)
  const own = await store.describeTable({ TableName: 'Orders' })
  expect(own.Table!.TableArn).toBe('arn:aws:dynamodb:sa-east-1:123456789012:table/Orders')
  const { Endpoints } = await store.describeEndpoints({}, EUROPE)
  expect(Endpoints![0]!.Address).toBe('dynamodb.eu-central-1.amazonaws.com')
})

test('a table is found only by an ARN with the region of the call', async () => {
  const store = memory()
  await store.createTable(request())
  const Item = { pk: { S: 'a' } }
  await store.putItem({ TableName: TABLE_ARN, Item }, EUROPE)
  expect((await store.getItem({ TableName: 'Orders', Key: Item })).Item).toEqual(Item)
  const refuses = async (TableName: string, name: string, message: string) => {
    await expect(store.describeTable({ TableName })).rejects.toMatchObject({ name, message })
    await expect(store.putItem({ TableName, Item })).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
  }
  const invalid = (what: string, arn: string) => `1 validation error detected: Invalid ${what} in '${arn}'`
  await refuses(TABLE_ARN, 'ValidationException', invalid('AWS region', TABLE_ARN))
  const index = 'arn:aws:dynamodb:us-east-1:123456789012:table/Orders/index/byGroup'
  const noTable = { name: 'ValidationException', message: invalid('resource type', index) }
  await expect(store.describeTable({ TableName: index })).rejects.toMatchObject(noTable)
  await expect(store.putItem({ TableName: index, Item })).rejects.toMatchObject(noTable)
  const china = 'arn:aws-cn:dynamodb:us-east-1:123456789012:table/Orders'
  await refuses(china, 'ValidationException', invalid('AWS partition', china))
  await refuses('arn:aws:dynamodb:us-east-1:999999999999:table/Orders', 'AccessDeniedException', 'Access is denied')
  await store.tagResource({ ResourceArn: TABLE_ARN, Tags: [{ Key: 'k', Value: 'v' }] }, EUROPE)
  await expect(store.listTagsOfResource({ ResourceArn: TABLE_ARN })).rejects.toMatchObject({
    message: `Invalid TableArn: Invalid ResourceArn provided as input ${TABLE_ARN}`,
  })
})

test('tags of another account are denied, including the account 000000000000', async () => {
  for (const account of ['999999999999', '000000000000']) {
    const ResourceArn = `arn:aws:dynamodb:us-east-1:${account}:table/Orders`
    await expect(memory().listTagsOfResource({ ResourceArn }, EUROPE)).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: 'Access is denied',
    })
  }
})

test('records and stream ARNs have the region of the reader', async () => {
  const { store, arn } = await storeWithClock()
  await put(store, 'a')
  const [shard] = await shards(store, arn)
  expect((await read(store, arn, shard!)).map(({ awsRegion }) => awsRegion)).toEqual(['us-east-1'])
  const { Streams } = await store.listStreams({}, EUROPE)
  const StreamArn = Streams![0]!.StreamArn!
  expect(StreamArn).toBe(arn.replace('us-east-1', 'eu-central-1'))
  const { ShardIterator } = await store.getShardIterator(
    { StreamArn, ShardId: shard!.ShardId!, ShardIteratorType: 'TRIM_HORIZON' },
    EUROPE,
  )
  const { Records } = await store.getRecords({ ShardIterator: ShardIterator! }, EUROPE)
  expect(Records!.map(({ awsRegion }) => awsRegion)).toEqual(['eu-central-1'])
  await expect(store.describeStream({ StreamArn })).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
})
