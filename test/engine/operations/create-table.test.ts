import { describe, expect, test } from 'vitest'
import { createTable } from '../../../src/engine/operations/tables/create-table.js'
import { deleteTable } from '../../../src/engine/operations/tables/delete-table.js'
import { describeTable } from '../../../src/engine/operations/tables/describe-table.js'
import { toStoredItem } from '../../../src/engine/values/stored-item.js'
import { policy } from '../policies/policy.js'
import { defined, emptyEngine, index, key, keyOf, NOW_MS, request, TABLE_ARN, UUID } from '../tables.js'

const NO_CAPACITY = { NumberOfDecreasesToday: 0, ReadCapacityUnits: 0, WriteCapacityUnits: 0 }
const CREATED = new Date(NOW_MS)

test('CreateTable describes an on-demand table in creation', () => {
  expect(createTable(emptyEngine(), request())).toStrictEqual({
    TableDescription: {
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      TableName: 'Orders',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      TableStatus: 'CREATING',
      CreationDateTime: CREATED,
      ProvisionedThroughput: NO_CAPACITY,
      TableSizeBytes: 0,
      ItemCount: 0,
      TableArn: TABLE_ARN,
      TableId: expect.stringMatching(UUID),
      BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
      DeletionProtectionEnabled: false,
    },
  })
})

test('CreateTable describes a provisioned table with its capacity and without a billing mode', () => {
  const ProvisionedThroughput = { ReadCapacityUnits: 5, WriteCapacityUnits: 6 }
  const { TableDescription } = createTable(
    emptyEngine(),
    request({ BillingMode: 'PROVISIONED', ProvisionedThroughput }),
  )
  expect(TableDescription).toMatchObject({
    ProvisionedThroughput: { ...ProvisionedThroughput, NumberOfDecreasesToday: 0 },
  })
  expect(TableDescription).not.toHaveProperty('BillingModeSummary')
})

test('CreateTable describes all other members', () => {
  const { TableDescription } = createTable(
    emptyEngine(),
    request({
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      SSESpecification: { Enabled: true, SSEType: 'KMS', KMSMasterKeyId: 'abc' },
      TableClass: 'STANDARD_INFREQUENT_ACCESS',
      DeletionProtectionEnabled: true,
      OnDemandThroughput: { MaxReadRequestUnits: 10 },
      WarmThroughput: { ReadUnitsPerSecond: 12_001 },
    }),
  )
  expect(TableDescription).toMatchObject({
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    LatestStreamLabel: '2026-11-15T12:30:45.678',
    LatestStreamArn: `${TABLE_ARN}/stream/2026-11-15T12:30:45.678`,
    SSEDescription: {
      Status: 'ENABLED',
      SSEType: 'KMS',
      KMSMasterKeyArn: 'arn:aws:kms:eu-west-1:123456789012:key/abc',
    },
    TableClassSummary: { TableClass: 'STANDARD_INFREQUENT_ACCESS' },
    DeletionProtectionEnabled: true,
    OnDemandThroughput: { MaxReadRequestUnits: 10 },
    WarmThroughput: { ReadUnitsPerSecond: 12_001, WriteUnitsPerSecond: 4_000, Status: 'UPDATING' },
  })
})

test('CreateTable omits members without content', () => {
  const { TableDescription } = createTable(
    emptyEngine(),
    request({
      StreamSpecification: { StreamEnabled: false },
      SSESpecification: {},
      OnDemandThroughput: {},
      WarmThroughput: {},
      Tags: [],
    }),
  )
  for (const member of [
    'StreamSpecification',
    'LatestStreamArn',
    'SSEDescription',
    'OnDemandThroughput',
    'WarmThroughput',
  ]) {
    expect(TableDescription).not.toHaveProperty(member)
  }
})

test("the KMS key is described by its ARN for an ARN, an ID and an alias, and defaults to AWS's own", () => {
  const arnOf = (KMSMasterKeyId?: string) =>
    createTable(emptyEngine(), request({ SSESpecification: { SSEType: 'KMS', KMSMasterKeyId } })).TableDescription
      ?.SSEDescription?.KMSMasterKeyArn
  expect(arnOf('arn:aws:kms:eu-west-1:1:key/x')).toBe('arn:aws:kms:eu-west-1:1:key/x')
  expect(arnOf('alias/mine')).toBe('arn:aws:kms:eu-west-1:123456789012:alias/mine')
  expect(arnOf()).toMatch(/^arn:aws:kms:eu-west-1:123456789012:key\/.+/)
  expect(arnOf('alias/aws/dynamodb')).toBe(arnOf())
})

test('CreateTable describes indexes in request order, and definitions and included attributes by name', () => {
  const { TableDescription } = createTable(
    emptyEngine(),
    request({
      AttributeDefinitions: defined('z', 'pk', 'sk', 'a'),
      KeySchema: key('pk', 'sk'),
      LocalSecondaryIndexes: [index('byZ', key('pk', 'z'), { Projection: { ProjectionType: 'KEYS_ONLY' } })],
      GlobalSecondaryIndexes: [
        index('second', key('z'), { OnDemandThroughput: { MaxWriteRequestUnits: 7 } }),
        index('first', key('a'), { Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['y', 'x'] } }),
      ],
    }),
  )
  expect(TableDescription?.AttributeDefinitions?.map(definition => definition.AttributeName)).toEqual([
    'a',
    'pk',
    'sk',
    'z',
  ])
  expect(TableDescription?.LocalSecondaryIndexes).toStrictEqual([
    {
      IndexName: 'byZ',
      KeySchema: key('pk', 'z'),
      Projection: { ProjectionType: 'KEYS_ONLY' },
      IndexSizeBytes: 0,
      ItemCount: 0,
      IndexArn: `${TABLE_ARN}/index/byZ`,
    },
  ])
  const global = { IndexStatus: 'CREATING', ProvisionedThroughput: NO_CAPACITY, IndexSizeBytes: 0, ItemCount: 0 }
  expect(TableDescription?.GlobalSecondaryIndexes).toStrictEqual([
    {
      IndexName: 'second',
      KeySchema: key('z'),
      Projection: { ProjectionType: 'ALL' },
      OnDemandThroughput: { MaxWriteRequestUnits: 7 },
      IndexArn: `${TABLE_ARN}/index/second`,
      ...global,
    },
    {
      IndexName: 'first',
      KeySchema: key('a'),
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['x', 'y'] },
      IndexArn: `${TABLE_ARN}/index/first`,
      ...global,
    },
  ])
})

test('an existing table name is rejected, after errors within the request', () => {
  const engine = emptyEngine()
  createTable(engine, request())
  expect(() => createTable(engine, request())).toThrow(
    expect.objectContaining({ name: 'ResourceInUseException', message: 'Table already exists: Orders' }),
  )
  expect(() => createTable(engine, request({ KeySchema: [] }))).toThrow('Invalid KeySchema')
  expect(createTable(engine, request({ TableName: 'orders' })).TableDescription?.TableName).toBe('orders')
})

test('modifying the request after CreateTable does not change the table', () => {
  const engine = emptyEngine()
  const input = request()
  createTable(engine, input)
  input.KeySchema![0]!.AttributeName = 'changed'
  expect(describeTable(engine, { TableName: 'Orders' }).Table?.KeySchema).toEqual(key('pk'))
})

describe('the internal table', () => {
  test('keys have the types of their definitions in the order of the schema', () => {
    const engine = emptyEngine()
    createTable(
      engine,
      request({
        AttributeDefinitions: [
          { AttributeName: 'pk', AttributeType: 'B' },
          { AttributeName: 'year', AttributeType: 'N' },
          ...defined('country', 'city'),
        ],
        GlobalSecondaryIndexes: [index('byPlace', keyOf(['country', 'city'], ['year', 'pk']))],
      }),
    )
    const table = engine.tables.get('Orders')!
    expect(table.keys).toEqual({ partition: [{ name: 'pk', type: 'B' }], sort: [] })
    expect(table.indexes[0]).toMatchObject({
      name: 'byPlace',
      kind: 'global',
      keys: {
        partition: [
          { name: 'country', type: 'S' },
          { name: 'city', type: 'S' },
        ],
        sort: [
          { name: 'year', type: 'N' },
          { name: 'pk', type: 'B' },
        ],
      },
      projection: 'ALL',
      projected: undefined,
    })
  })

  test('an index projects its own keys, the table keys and its included attributes', () => {
    const engine = emptyEngine()
    createTable(
      engine,
      request({
        AttributeDefinitions: defined('pk', 'sk', 'l'),
        KeySchema: key('pk', 'sk'),
        LocalSecondaryIndexes: [
          index('keys', key('pk', 'l'), { Projection: { ProjectionType: 'KEYS_ONLY' } }),
          index('more', key('pk', 'l'), { Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['x'] } }),
        ],
      }),
    )
    const [keys, more] = engine.tables.get('Orders')!.indexes
    expect(keys).toMatchObject({ kind: 'local', projection: [], projected: new Set(['pk', 'l', 'sk']) })
    expect(more).toMatchObject({ kind: 'local', projection: ['x'], projected: new Set(['pk', 'l', 'sk', 'x']) })
  })

  test('a table stores its tags and policy', () => {
    const engine = emptyEngine()
    const Tags = [{ Key: 'team', Value: 'graphs' }]
    createTable(engine, request({ Tags, ResourcePolicy: policy() }))
    const storedPolicy = { document: policy(), revisionMs: NOW_MS }
    expect(engine.tables.get('Orders')).toMatchObject({ tags: Tags, policy: storedPolicy })
  })

  test('a re-created table has no data of the first one', () => {
    const engine = emptyEngine()
    const create = () => createTable(engine, request({ GlobalSecondaryIndexes: [index('again', key('pk'))] }))
    const first = create()
    const before = engine.tables.get('Orders')!
    for (const { space } of [before, before.indexes[0]!]) space.put('key', toStoredItem({ pk: { S: 'a' } }))
    deleteTable(engine, { TableName: 'Orders' })
    const second = create()
    const after = engine.tables.get('Orders')!
    expect(after.space.get('key')).toBeUndefined()
    expect(after.indexes[0]!.space.get('key')).toBeUndefined()
    expect(second.TableDescription?.TableArn).toBe(first.TableDescription?.TableArn)
    expect(second.TableDescription?.TableId).not.toBe(first.TableDescription?.TableId)
  })
})
