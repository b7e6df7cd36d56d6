import { describe, expect, test } from 'vitest'
import { memory } from '../../src/engine/memory.js'
import { toCreateTableInput, toTimeToLiveInput } from '../../src/table/table-definition.js'
import { designed, EVERYTHING, EXPORTED, global, local } from './designs.js'

describe('createTableInput', () => {
  test('createTableInput returns the complete request for an on-demand design', () => {
    expect(toCreateTableInput(designed())).toEqual({
      TableName: 'cinema',
      AttributeDefinitions: [
        { AttributeName: 'PK', AttributeType: 'S' },
        { AttributeName: 'SK', AttributeType: 'S' },
        { AttributeName: 'GSI1PK', AttributeType: 'S' },
        { AttributeName: 'GSI1SK', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'PK', KeyType: 'HASH' },
        { AttributeName: 'SK', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'GSI1',
          KeySchema: [
            { AttributeName: 'GSI1PK', KeyType: 'HASH' },
            { AttributeName: 'GSI1SK', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    })
  })

  test('createTableInput uses the table option as the name', () => {
    expect(toCreateTableInput(designed(), { table: 'cinema-test' }).TableName).toBe('cinema-test')
  })

  test("createTableInput gives a global index its own or the table's capacity, and a local index none", () => {
    const request = toCreateTableInput(EVERYTHING)
    expect(request).toMatchObject({
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
    })
    expect(request.GlobalSecondaryIndexes?.map(index => index.ProvisionedThroughput)).toEqual([
      { ReadCapacityUnits: 20, WriteCapacityUnits: 10 },
      { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
      { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
    ])
    expect(request.LocalSecondaryIndexes?.[0]).not.toHaveProperty('ProvisionedThroughput')
  })

  test('createTableInput ignores the capacity of an index of an on-demand table', () => {
    const design = designed({ indexes: [global('GSI1', { capacity: { read: 1, write: 1 } })] })
    expect(toCreateTableInput(design).GlobalSecondaryIndexes?.[0]).not.toHaveProperty('ProvisionedThroughput')
  })

  test('createTableInput lists all partition key attributes before the sort key attributes', () => {
    expect(toCreateTableInput(EVERYTHING).GlobalSecondaryIndexes?.[1]?.KeySchema).toEqual([
      { AttributeName: 'country', KeyType: 'HASH' },
      { AttributeName: 'state', KeyType: 'HASH' },
      { AttributeName: 'city', KeyType: 'RANGE' },
      { AttributeName: 'zip', KeyType: 'RANGE' },
    ])
  })

  test.each([
    ['all', { ProjectionType: 'ALL' }],
    ['keys', { ProjectionType: 'KEYS_ONLY' }],
    [[], { ProjectionType: 'KEYS_ONLY' }],
    [['name'], { ProjectionType: 'INCLUDE', NonKeyAttributes: ['name'] }],
  ] as const)('createTableInput projects %j as %j', (project, expected) => {
    const request = toCreateTableInput(designed({ indexes: [local('LSI1', { project })] }))
    expect(request.LocalSecondaryIndexes?.[0]?.Projection).toEqual(expected)
  })

  test.each([
    ['keys', 'KEYS_ONLY'],
    ['new', 'NEW_IMAGE'],
    ['old', 'OLD_IMAGE'],
    ['both', 'NEW_AND_OLD_IMAGES'],
  ] as const)('createTableInput streams %s as %s', (stream, StreamViewType) => {
    const request = toCreateTableInput(designed({ stream }))
    expect(request.StreamSpecification).toEqual({ StreamEnabled: true, StreamViewType })
  })

  test.each(EXPORTED)('the engine accepts the result of createTableInput for $message', async ({ design }) => {
    const { TableDescription } = await memory().createTable(toCreateTableInput(design))
    expect(TableDescription).toMatchObject({ TableName: 'cinema', KeySchema: toCreateTableInput(design).KeySchema })
  })
})

describe('timeToLiveInput', () => {
  test('timeToLiveInput enables the expiry attribute, also on the engine', async () => {
    const store = memory()
    await store.createTable(toCreateTableInput(EVERYTHING))
    const request = toTimeToLiveInput(EVERYTHING)!
    expect(request).toEqual({
      TableName: 'cinema',
      TimeToLiveSpecification: { Enabled: true, AttributeName: 'expiresAt' },
    })
    expect(await store.updateTimeToLive(request)).toMatchObject({
      TimeToLiveSpecification: { Enabled: true, AttributeName: 'expiresAt' },
    })
  })

  test('timeToLiveInput returns undefined without an expiry attribute', () => {
    expect(toTimeToLiveInput(designed())).toBeUndefined()
  })
})
