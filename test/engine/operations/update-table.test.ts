import { describe, expect, test } from 'vitest'
import type { UpdateTableInput, UpdateTableOutput, VectorIndex } from '../../../src/dynamodb/operation-types.js'
import type { Engine } from '../../../src/engine/engine.js'
import { createTable } from '../../../src/engine/operations/tables/create-table.js'
import { describeTable } from '../../../src/engine/operations/tables/describe-table.js'
import { updateTable } from '../../../src/engine/operations/tables/update-table.js'
import { defined, emptyEngine, index, key, request } from '../tables.js'

const INVALID = 'One or more parameter values were invalid: '
const DAY_MS = 24 * 3600 * 1000

function engineWithTable(more: Parameters<typeof request>[0] = {}, engine: Engine = emptyEngine()): Engine {
  createTable(engine, request(more))
  return engine
}

function update(engine: Engine, more: Omit<UpdateTableInput, 'TableName'>) {
  return (updateTable(engine, { TableName: 'Orders', ...more }) as UpdateTableOutput).TableDescription!
}

const described = (engine: Engine) => describeTable(engine, { TableName: 'Orders' }).Table!

function expectComplaint(engine: Engine, more: Omit<UpdateTableInput, 'TableName'>, message: string, name?: string) {
  expect(() => update(engine, more)).toThrow(expect.objectContaining({ name: name ?? 'ValidationException', message }))
}

describe('vector indexes in UpdateTable', () => {
  const vector: VectorIndex = {
    IndexName: 'byMeaning',
    VectorAttribute: { AttributeName: 'embedding' },
    SearchSchema: [{ AttributeName: 'kind', SearchSchemaElementType: 'HASH' }],
    Projection: { ProjectionType: 'KEYS_ONLY' },
    Dimensions: 8,
    DistanceFunction: 'COSINE',
  }
  const AttributeDefinitions = defined('kind')

  test('vector indexes are added and deleted with their search attributes', () => {
    const engine = engineWithTable()
    const answer = update(engine, { AttributeDefinitions, VectorIndexUpdates: [{ Create: vector }] })
    expect([answer.TableStatus, answer.VectorIndexes![0]!.IndexStatus]).toEqual(['UPDATING', 'CREATING'])
    expect(described(engine)).toMatchObject({
      AttributeDefinitions: defined('kind', 'pk'),
      VectorIndexes: [{ IndexName: 'byMeaning', IndexStatus: 'ACTIVE', Dimensions: 8 }],
    })
    update(engine, { VectorIndexUpdates: [{ Delete: { IndexName: 'byMeaning' } }] })
    const { VectorIndexes, AttributeDefinitions: left } = described(engine)
    expect([VectorIndexes, left]).toEqual([undefined, defined('pk')])
  })

  test('vector indexes are rejected for the same reasons as global indexes', () => {
    const engine = engineWithTable()
    const both = { Create: vector, Delete: { IndexName: 'byMeaning' } }
    expectComplaint(
      engine,
      { VectorIndexUpdates: [{}] },
      `${INVALID}One of VectorIndexUpdate.Create, VectorIndexUpdate.Delete must not be null`,
    )
    expectComplaint(
      engine,
      { VectorIndexUpdates: [both] },
      `${INVALID}Only one vector index action is allowed per VectorIndexUpdate object`,
    )
    expectComplaint(
      engine,
      { AttributeDefinitions, VectorIndexUpdates: [{ Create: vector }, { Delete: { IndexName: 'other' } }] },
      'Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table',
      'LimitExceededException',
    )
    expectComplaint(
      engine,
      { VectorIndexUpdates: [{ Delete: { IndexName: 'other' } }] },
      'Requested resource not found: Index other for table Orders',
      'ResourceNotFoundException',
    )
    update(engine, { AttributeDefinitions, VectorIndexUpdates: [{ Create: vector }] })
    expectComplaint(
      engine,
      { AttributeDefinitions, VectorIndexUpdates: [{ Create: vector }] },
      'Attempting to create an index which already exists',
    )
    const ProvisionedThroughput = { ReadCapacityUnits: 1, WriteCapacityUnits: 1 }
    expectComplaint(
      engine,
      { BillingMode: 'PROVISIONED', ProvisionedThroughput },
      `${INVALID}Vector indexes are only supported for PAY_PER_REQUEST tables`,
    )
  })
})

test('decreases of capacity are counted per day', () => {
  const clock = { ms: Date.UTC(2026, 0, 1, 12) }
  const units = (n: number) => ({ ProvisionedThroughput: { ReadCapacityUnits: n, WriteCapacityUnits: n } })
  const engine = engineWithTable({ BillingMode: 'PROVISIONED', ...units(9) }, emptyEngine({ now: () => clock.ms }))
  update(engine, units(8))
  update(engine, units(7))
  expect(described(engine).ProvisionedThroughput!.NumberOfDecreasesToday).toBe(2)
  clock.ms += DAY_MS
  expect(described(engine).ProvisionedThroughput!.NumberOfDecreasesToday).toBe(0)
  update(engine, units(6))
  expect(described(engine).ProvisionedThroughput!.NumberOfDecreasesToday).toBe(1)
})

test('after four decreases in a day one per hour is allowed, and the count restarts the next day', () => {
  const clock = { ms: Date.UTC(2026, 9, 8, 22, 20, 48) }
  const units = (n: number) => ({ ProvisionedThroughput: { ReadCapacityUnits: n, WriteCapacityUnits: n } })
  const engine = engineWithTable({ BillingMode: 'PROVISIONED', ...units(20) }, emptyEngine({ now: () => clock.ms }))
  for (const n of [19, 18, 17, 16]) update(engine, units(n))
  const refusal = (today: number, last: string, next: string) =>
    'Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. After the first ' +
    '4 decreases, each subsequent decrease in the same UTC day can be performed at most once every 3600 seconds. ' +
    `Number of decreases today: ${today}. Last decrease at ${last} Coordinated Universal Time. ` +
    `Next decrease can be made at ${next} Coordinated Universal Time`
  const [first, second] = ['Thursday, October 8, 2026 at 10:20:48 PM', 'Thursday, October 8, 2026 at 11:20:48 PM']
  clock.ms += 3_599_999
  expectComplaint(engine, units(15), refusal(4, first, second), 'LimitExceededException')
  clock.ms += 1
  update(engine, units(15))
  expectComplaint(
    engine,
    units(14),
    refusal(5, second, 'Friday, October 9, 2026 at 12:00:00 AM'),
    'LimitExceededException',
  )
  update(engine, units(30))
  clock.ms = Date.UTC(2026, 9, 9)
  for (const n of [13, 12, 11, 10]) update(engine, units(n))
  expect(described(engine).ProvisionedThroughput!.NumberOfDecreasesToday).toBe(4)
})

test('a KMS key can be changed and removed, but not set to the current one', () => {
  const arn = 'arn:aws:kms:eu-west-1:123456789012:key/one'
  const engine = engineWithTable()
  update(engine, { SSESpecification: { SSEType: 'KMS', KMSMasterKeyId: 'one' } })
  expect(described(engine).SSEDescription!.KMSMasterKeyArn).toBe(arn)
  expectComplaint(
    engine,
    { SSESpecification: { Enabled: true, SSEType: 'KMS', KMSMasterKeyId: arn } },
    `${INVALID}Table is already encrypted with given KMSMasterKeyId. ` +
      'Use KMSMasterKeyId parameter if you want to change Master Key',
  )
  update(engine, { SSESpecification: { Enabled: false } })
  expect(described(engine).SSEDescription).toBeUndefined()
})

test('a table whose class never changed does not show a class', () => {
  const engine = engineWithTable()
  update(engine, { TableClass: 'STANDARD' })
  expect(described(engine).TableClassSummary).toBeUndefined()
  update(engine, { TableClass: 'STANDARD_INFREQUENT_ACCESS' })
  update(engine, { TableClass: 'STANDARD' })
  expect(described(engine).TableClassSummary!.TableClass).toBe('STANDARD')
})

test('an on-demand index has its own limits and warm throughput', () => {
  const engine = engineWithTable({
    AttributeDefinitions: defined('g', 'pk'),
    GlobalSecondaryIndexes: [index('byG', key('g'))],
  })
  const change = (more: object) => ({ GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'byG', ...more } }] })
  const ofIndex = () => described(engine).GlobalSecondaryIndexes![0]!
  update(engine, change({ OnDemandThroughput: { MaxReadRequestUnits: 7 } }))
  expect(ofIndex().OnDemandThroughput).toEqual({ MaxReadRequestUnits: 7 })
  update(engine, change({ WarmThroughput: { ReadUnitsPerSecond: 13_000 } }))
  expect(ofIndex().WarmThroughput).toEqual({
    ReadUnitsPerSecond: 13_000,
    WriteUnitsPerSecond: 4000,
    Status: 'ACTIVE',
  })
  expectComplaint(
    engine,
    change({ WarmThroughput: { ReadUnitsPerSecond: 12_999 } }),
    `${INVALID}Requested ReadUnitsPerSecond for WarmThroughput for index byG is lower than current WarmThroughput, ` +
      'decreasing WarmThroughput is not supported',
  )
  expectComplaint(
    engine,
    change({ OnDemandThroughput: { MaxReadRequestUnits: 0 } }),
    `${INVALID}Requested MaxReadRequestUnits for OnDemandThroughput for index : byG is outside of valid range`,
  )
  expectComplaint(
    engine,
    change({ WarmThroughput: {} }),
    `${INVALID}WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond specified for ` +
      'index: byG',
  )
})

// Observed in eu-west-2, July 2026: neither is rejected, and neither is in the response.
test('definitions that a new index does not use leave the table unchanged', () => {
  const engine = engineWithTable()
  const AttributeDefinitions = [{ AttributeName: 'pk', AttributeType: 'N' as const }, ...defined('g', 'unused')]
  const answer = update(engine, {
    AttributeDefinitions,
    GlobalSecondaryIndexUpdates: [{ Create: index('byG', key('g')) }],
  })
  for (const table of [answer, described(engine)]) expect(table.AttributeDefinitions).toEqual(defined('g', 'pk'))
})

test('the warm throughput of a new index must not be below the initial throughput', () => {
  const Create = { ...index('byG', key('g')), WarmThroughput: { ReadUnitsPerSecond: 1 } }
  expect(() =>
    update(engineWithTable(), { AttributeDefinitions: defined('g'), GlobalSecondaryIndexUpdates: [{ Create }] }),
  ).toThrow(`${INVALID}Requested ReadUnitsPerSecond for WarmThroughput for index byG is lower than initial throughput`)
})

test('changes to several regions are rejected with a message', () => {
  expectComplaint(
    engineWithTable(),
    { ReplicaUpdates: [{ Create: { RegionName: 'us-east-1' } }] },
    'This engine has one region and does not take ReplicaUpdates',
  )
})

test.each(['Create', 'Delete'])("a table's own region cannot be a replica: %s", action => {
  expectComplaint(
    engineWithTable(),
    { ReplicaUpdates: [{ [action]: { RegionName: 'eu-west-1' } }] },
    'Cannot add or delete the local region through ReplicaUpdates. ' +
      'Use CreateTable, DeleteTable, or UpdateTable as required.',
  )
})

describe('account quotas', () => {
  const guide = 'Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.'
  const quota = (way: string) => `TableMax${way}CapacityUnits of the account in region eu-west-1`
  const provisioned = (ReadCapacityUnits: number, WriteCapacityUnits: number) => ({
    ProvisionedThroughput: { ReadCapacityUnits, WriteCapacityUnits },
  })
  const expectAbove = (engine: Engine, more: Omit<UpdateTableInput, 'TableName'>, message: string) =>
    expectComplaint(engine, more, message, 'LimitExceededException')

  test('provisioned units above the account quota are rejected', () => {
    const engine = engineWithTable({ BillingMode: 'PROVISIONED', ...provisioned(1, 1) })
    const above = (name: string, units: number) =>
      `The requested ${name}, ${units}, is above the per table maximum for the account in eu-west-1. ` +
      `Per table maximum: 40000. ${guide}`
    expectAbove(engine, provisioned(40_001, 50_000), above('ReadCapacityUnits', 40_001))
    expectAbove(engine, provisioned(1, 50_000), above('WriteCapacityUnits', 50_000))
    expect(update(engine, provisioned(40_000, 40_000)).TableStatus).toBe('UPDATING')
    expect(() => engineWithTable({ BillingMode: 'PROVISIONED', ...provisioned(50_000, 1) })).toThrow(
      expect.objectContaining({ name: 'LimitExceededException', message: above('ReadCapacityUnits', 50_000) }),
    )
  })

  test('index units above the account quota are rejected', () => {
    const engine = engineWithTable({ BillingMode: 'PROVISIONED', ...provisioned(1, 1) })
    const Create = { ...index('byG', key('g')), ...provisioned(50_000, 1) }
    expectAbove(
      engine,
      { AttributeDefinitions: defined('g'), GlobalSecondaryIndexUpdates: [{ Create }] },
      'The requested ReadCapacityUnits for index byG, 50000, is above the per index maximum for the account in ' +
        `eu-west-1. Per index maximum: 40000. ${guide}`,
    )
  })

  test('on-demand limits and warm throughput above the account quota are rejected', () => {
    const engine = engineWithTable({
      AttributeDefinitions: defined('pk', 'g'),
      GlobalSecondaryIndexes: [index('byG', key('g'))],
    })
    const onIndex = (more: object) => ({ GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'byG', ...more } }] })
    const bounds = { OnDemandThroughput: { MaxReadRequestUnits: 40_001 } }
    const warm = { WarmThroughput: { ReadUnitsPerSecond: 40_000, WriteUnitsPerSecond: 40_001 } }
    const requested = 'Subscriber limit exceeded: Requested'
    expectAbove(
      engine,
      bounds,
      `${requested} MaxReadRequestUnits for OnDemandThroughput for table exceeds ${quota('Read')}`,
    )
    expectAbove(
      engine,
      onIndex(bounds),
      `${requested} MaxReadRequestUnits for OnDemandThroughput for index : byG exceeds ${quota('Read')}`,
    )
    expectAbove(engine, warm, `${requested} WriteUnitsPerSecond for WarmThroughput for table exceeds ${quota('Write')}`)
    expectAbove(
      engine,
      onIndex(warm),
      `${requested} WriteUnitsPerSecond for WarmThroughput for index byG exceeds ${quota('Write')}`,
    )
  })
})

test('a table of one region accepts only full or no settings replication', () => {
  const engine = engineWithTable()
  for (const mode of ['ENABLED', 'ENABLED', 'DISABLED', 'DISABLED'] as const)
    expect(update(engine, { GlobalTableSettingsReplicationMode: mode })).toMatchObject({
      GlobalTableSettingsReplicationMode: mode,
      TableStatus: 'ACTIVE',
    })
  expectComplaint(
    engine,
    { GlobalTableSettingsReplicationMode: 'ENABLED_WITH_OVERRIDES' },
    "Value 'ENABLED_WITH_OVERRIDES' at 'GlobalTableSettingsReplicationMode' failed to satisfy constraint: " +
      'Only ENABLED and DISABLED settings replication are supported for a Regional Table.',
  )
})

test('modifying the request after UpdateTable does not change the table', () => {
  const engine = engineWithTable()
  const AttributeDefinitions = defined('g')
  const Create = index('byG', key('g'))
  update(engine, { AttributeDefinitions, GlobalSecondaryIndexUpdates: [{ Create }] })
  Create.IndexName = 'other'
  AttributeDefinitions[0]!.AttributeName = 'other'
  expect(described(engine)).toMatchObject({
    AttributeDefinitions: defined('g', 'pk'),
    GlobalSecondaryIndexes: [{ IndexName: 'byG' }],
  })
})
