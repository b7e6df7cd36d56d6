import { describe, expect, it } from 'vitest'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import { TRANSACT_TOKEN_MS } from '../../../src/dynamodb/limits.js'
import type { CreateTableInput } from '../../../src/dynamodb/operation-types.js'
import { type Disk, type DiskOptions, disk } from '../../../src/engine/index.js'
import { policy, statement } from '../policies/policy.js'
import { temporaryFolder } from './temporary-folder.js'

const key = (AttributeName: string, KeyType: 'HASH' | 'RANGE') => ({ AttributeName, KeyType })

const TABLE: CreateTableInput = {
  TableName: 'orders',
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'N' },
    { AttributeName: 'g', AttributeType: 'B' },
  ],
  KeySchema: [key('pk', 'HASH'), key('sk', 'RANGE')],
  LocalSecondaryIndexes: [
    { IndexName: 'local', KeySchema: [key('pk', 'HASH'), key('g', 'RANGE')], Projection: { ProjectionType: 'ALL' } },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'global',
      KeySchema: [key('g', 'HASH'), key('sk', 'RANGE')],
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['kept'] },
    },
  ],
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  BillingMode: 'PAY_PER_REQUEST',
  Tags: [{ Key: 'owner', Value: 'me' }],
}
const TableName = TABLE.TableName

/** Opens a folder with a settable clock; `reopened` closes the store and opens the folder again. */
function folderWithClock(options: DiskOptions = {}) {
  const clock = { ms: Date.UTC(2026, 0, 1) }
  const path = temporaryFolder()
  const open = () => disk(path, { now: () => clock.ms, sync: false, ...options })
  const reopened = async (store: Disk) => {
    await store.close()
    return open()
  }
  return { clock, open, reopened }
}

const item = (i: number): Item => ({
  pk: { S: `p${i % 3}` },
  sk: { N: String(i) },
  g: { B: new Uint8Array([0, 255, i % 2]) },
  kept: {
    M: {
      ['__proto__']: { S: 'x' },
      list: { L: [{ NULL: true }, { BS: [new Uint8Array([i])] }, { NS: ['1', '2.5'] }] },
    },
  },
  ü: { S: '☃ 𝄞' },
})

async function everything(store: Disk) {
  const { Table } = await store.describeTable({ TableName })
  const { TableArn } = Table!
  const indexes = [...(Table!.LocalSecondaryIndexes ?? []), ...(Table!.GlobalSecondaryIndexes ?? [])]
  const scans = await Promise.all(
    [undefined, ...indexes.map(({ IndexName }) => IndexName)].map(
      async IndexName => (await store.scan({ TableName, ...(IndexName && { IndexName }) })).Items,
    ),
  )
  const streams = (await store.listStreams({})).Streams!
  return {
    Table,
    scans,
    tags: await store.listTagsOfResource({ ResourceArn: TableArn! }),
    expiry: await store.describeTimeToLive({ TableName }),
    backups: await store.describeContinuousBackups({ TableName }),
    streams: await Promise.all(streams.map(({ StreamArn }) => readStream(store, StreamArn!))),
  }
}

async function readStream(store: Disk, StreamArn: string) {
  const { StreamDescription } = await store.describeStream({ StreamArn })
  const records = []
  for (const { ShardId } of StreamDescription!.Shards!) {
    const from = { StreamArn, ShardId: ShardId!, ShardIteratorType: 'TRIM_HORIZON' as const }
    let next = (await store.getShardIterator(from)).ShardIterator
    for (let pages = 0; next && pages < 3; pages++) {
      const page = await store.getRecords({ ShardIterator: next })
      records.push(...page.Records!)
      next = page.NextShardIterator
    }
  }
  return { StreamDescription, records }
}

describe('reopened folders', () => {
  it('a reopened folder has every table, index, item, setting and stream record', async () => {
    const { open, reopened } = folderWithClock({ streams: { shards: 2, splitAfterRecords: 10 } })
    let store = open()
    await store.createTable(TABLE)
    await Promise.all(Array.from({ length: 30 }, (_, i) => store.putItem({ TableName, Item: item(i) })))
    await store.deleteItem({ TableName, Key: { pk: { S: 'p0' }, sk: { N: '3' } } })
    await store.updateTimeToLive({ TableName, TimeToLiveSpecification: { AttributeName: 'until', Enabled: true } })
    await store.updateContinuousBackups({
      TableName,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    })
    await store.updateTable({
      TableName,
      AttributeDefinitions: [{ AttributeName: 'ü', AttributeType: 'S' }],
      GlobalSecondaryIndexUpdates: [
        { Create: { IndexName: 'later', KeySchema: [key('ü', 'HASH')], Projection: { ProjectionType: 'ALL' } } },
      ],
    })
    const before = await everything(store)
    expect(before.scans.map(items => items?.length)).toEqual([29, 29, 29, 29])
    expect(before.streams[0]!.records).toHaveLength(31)
    store = await reopened(store)
    expect(await everything(store)).toEqual(before)
    await store.deleteItem({ TableName, Key: { pk: { S: 'p1' }, sk: { N: '1' } } })
    store = await reopened(store)
    const after = await everything(store)
    expect(after.scans.map(items => items?.length)).toEqual([28, 28, 28, 28])
    expect(after.streams[0]!.records.slice(0, 31)).toHaveLength(31)
    expect(after.streams[0]!.records).toHaveLength(32)
    await store.close()
  })

  it('a reopened folder has separate table changes and their counts', async () => {
    const { open, reopened } = folderWithClock()
    let store = open()
    await store.createTable({
      TableName,
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [key('pk', 'HASH')],
      BillingMode: 'PAY_PER_REQUEST',
    })
    await store.putItem({ TableName, Item: { pk: { S: 'a' } } })
    await store.updateTable({ TableName, DeletionProtectionEnabled: true })
    store = await reopened(store)
    for (const TableClass of ['STANDARD_INFREQUENT_ACCESS', 'STANDARD'] as const) {
      await store.updateTable({ TableName, TableClass })
      store = await reopened(store)
    }
    const { Table } = await store.describeTable({ TableName })
    expect([Table!.DeletionProtectionEnabled, Table!.ItemCount, Table!.TableSizeBytes]).toEqual([true, 1, 3])
    await store.putItem({ TableName, Item: { pk: { S: 'b' } } })
    store = await reopened(store)
    expect((await store.describeTable({ TableName })).Table).toMatchObject({ ItemCount: 2, TableSizeBytes: 6 })
    await expect(store.updateTable({ TableName, TableClass: 'STANDARD_INFREQUENT_ACCESS' })).rejects.toThrow(
      'Updates to TableClass are limited to 2 times in 30 day(s).',
    )
    await store.close()
  })

  it('a reopened folder has the tags of a stream, separate from those of its table', async () => {
    const { open, reopened } = folderWithClock()
    let store = open()
    const { TableDescription } = await store.createTable(TABLE)
    const ResourceArn = TableDescription!.LatestStreamArn!
    const Tags = [{ Key: 'own', Value: '1' }]
    await store.tagResource({ ResourceArn, Tags })
    store = await reopened(store)
    expect(await store.listTagsOfResource({ ResourceArn })).toEqual({ Tags })
    await store.close()
  })

  it('a reopened folder has the policies of a table and of its stream', async () => {
    const { open, reopened } = folderWithClock()
    let store = open()
    const { TableDescription } = await store.createTable(TABLE)
    const { TableArn, LatestStreamArn } = TableDescription!
    const putOn = (ResourceArn: string, Action: string) =>
      store.putResourcePolicy({ ResourceArn, Policy: policy(statement({ Action, Resource: ResourceArn })) })
    await putOn(TableArn!, 'dynamodb:GetItem')
    await putOn(LatestStreamArn!, 'dynamodb:GetRecords')
    const policies = () =>
      Promise.all([TableArn!, LatestStreamArn!].map(ResourceArn => store.getResourcePolicy({ ResourceArn })))
    const before = await policies()
    store = await reopened(store)
    expect(await policies()).toEqual(before)
    await store.deleteResourcePolicy({ ResourceArn: TableArn! })
    store = await reopened(store)
    await expect(policies()).rejects.toMatchObject({ name: 'PolicyNotFoundException' })
    await store.close()
  })

  it('a reopened folder has its contributor insights', async () => {
    const { open, reopened } = folderWithClock()
    let store = open()
    await store.createTable(TABLE)
    const { IndexName } = TABLE.GlobalSecondaryIndexes![0]!
    for (const named of [{ TableName }, { TableName, IndexName }])
      await store.updateContributorInsights({ ...named, ContributorInsightsAction: 'ENABLE' })
    const insights = () =>
      Promise.all([{ TableName }, { TableName, IndexName }].map(named => store.describeContributorInsights(named)))
    const before = await insights()
    expect(before.map(({ ContributorInsightsStatus }) => ContributorInsightsStatus)).toEqual(['ENABLED', 'ENABLED'])
    store = await reopened(store)
    expect(await insights()).toEqual(before)
    await store.close()
  })

  it('sequence numbers increase after reopening, even if the clock was set back', async () => {
    const { clock, open, reopened } = folderWithClock()
    let store = open()
    await store.createTable(TABLE)
    await store.putItem({ TableName, Item: item(1) })
    clock.ms -= 3_600_000
    store = await reopened(store)
    await store.putItem({ TableName, Item: item(2) })
    const [stream] = (await everything(store)).streams
    const [first, second] = stream!.records.map(({ dynamodb }) => dynamodb!.SequenceNumber!)
    expect(second! > first!).toBe(true)
    await store.close()
  })

  it('a reopened folder recognizes transaction tokens of the last ten minutes', async () => {
    const { clock, open, reopened } = folderWithClock()
    let store = open()
    await store.createTable(TABLE)
    const Key = { pk: { S: 'counter' }, sk: { N: '0' } }
    const add = () =>
      store.transactWriteItems({
        ClientRequestToken: 'once ü',
        ReturnConsumedCapacity: 'TOTAL',
        TransactItems: [
          {
            Update: {
              TableName,
              Key,
              UpdateExpression: 'ADD n :one',
              ExpressionAttributeValues: { ':one': { N: '1' } },
            },
          },
        ],
      })
    const count = async () => (await store.getItem({ TableName, Key })).Item?.n?.N
    await add()
    store = await reopened(store)
    clock.ms += TRANSACT_TOKEN_MS - 1
    expect((await add()).ConsumedCapacity).toEqual([{ TableName, CapacityUnits: 2, ReadCapacityUnits: 2 }])
    expect(await count()).toBe('1')
    store = await reopened(store)
    clock.ms += 1
    await add()
    expect(await count()).toBe('2')
    await store.close()
  })

  it('items that expired while the folder was closed are removed after reopening', async () => {
    const { clock, open, reopened } = folderWithClock({ expiryDelayMs: 0 })
    let store = open()
    await store.createTable(TABLE)
    await store.updateTimeToLive({ TableName, TimeToLiveSpecification: { AttributeName: 'until', Enabled: true } })
    const seconds = clock.ms / 1000
    await store.putItem({ TableName, Item: { ...item(1), until: { N: String(seconds + 60) } } })
    await store.putItem({ TableName, Item: { ...item(2), until: { N: String(seconds + 600) } } })
    store = await reopened(store)
    clock.ms += 60_000
    expect((await store.scan({ TableName })).Count).toBe(1)
    clock.ms += 540_000
    expect((await store.scan({ TableName })).Count).toBe(0)
    await store.close()
  })

  it('a reopened folder has no deleted table, but its stream records', async () => {
    const { clock, open, reopened } = folderWithClock({ transitionMs: 1000 })
    let store = open()
    await store.createTable(TABLE)
    await expect(store.scan({ TableName })).rejects.toThrow('Requested resource not found')
    store = await reopened(store)
    expect((await store.describeTable({ TableName })).Table!.TableStatus).toBe('CREATING')
    clock.ms += 1000
    await store.putItem({ TableName, Item: item(1) })
    await store.deleteTable({ TableName })
    store = await reopened(store)
    expect((await store.describeTable({ TableName })).Table!.TableStatus).toBe('DELETING')
    clock.ms += 1000
    expect((await store.listTables({})).TableNames).toEqual([])
    store = await reopened(store)
    expect((await store.listTables({})).TableNames).toEqual([])
    const [stream] = (await store.listStreams({})).Streams!
    expect((await readStream(store, stream!.StreamArn!)).records).toHaveLength(1)
    await store.createTable(TABLE)
    clock.ms += 1000
    expect((await store.scan({ TableName })).Count).toBe(0)
    await store.close()
  })

  it('a reopened folder shows an update as pending until it is over', async () => {
    const { clock, open, reopened } = folderWithClock({ transitionMs: 1000 })
    let store = open()
    await store.createTable(TABLE)
    clock.ms += 1000
    await store.updateTable({ TableName, TableClass: 'STANDARD_INFREQUENT_ACCESS' })
    store = await reopened(store)
    const described = async () => (await store.describeTable({ TableName })).Table!
    const { TableStatus, TableClassSummary } = await described()
    expect([TableStatus, TableClassSummary]).toEqual(['UPDATING', undefined])
    clock.ms += 1000
    expect(await described()).toMatchObject({
      TableStatus: 'ACTIVE',
      TableClassSummary: { TableClass: 'STANDARD_INFREQUENT_ACCESS' },
    })
    await store.close()
  })

  it('items with the longest possible keys keep their order on disk', async () => {
    const { open, reopened } = folderWithClock()
    let store = open()
    await store.createTable({
      ...TABLE,
      AttributeDefinitions: ['pk', 'sk', 'gpk', 'gsk'].map(name => ({
        AttributeName: name,
        AttributeType: 'S' as const,
      })),
      LocalSecondaryIndexes: undefined,
      GlobalSecondaryIndexes: [
        {
          IndexName: 'global',
          KeySchema: [key('gpk', 'HASH'), key('gsk', 'RANGE')],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    })
    const text = (bytes: number, end: string) => ({ S: '\u0000'.repeat(bytes - 1) + end })
    const ends = ['a', 'b', 'c']
    for (const pk of ends)
      for (const sk of ends.toReversed())
        await store.putItem({
          TableName,
          Item: { pk: text(2048, pk), sk: text(1024, sk), gpk: text(2048, 'g'), gsk: text(1024, 'g') },
        })
    store = await reopened(store)
    const ask = async (ScanIndexForward: boolean) =>
      (
        await store.query({
          TableName,
          KeyConditionExpression: 'pk = :pk AND sk > :sk',
          ExpressionAttributeValues: { ':pk': text(2048, 'b'), ':sk': text(1024, 'a') },
          ScanIndexForward,
        })
      ).Items!.map(({ sk }) => sk!.S!.at(-1))
    expect(await ask(true)).toEqual(['b', 'c'])
    expect(await ask(false)).toEqual(['c', 'b'])
    const query = {
      TableName,
      IndexName: 'global',
      KeyConditionExpression: 'gpk = :g',
      ExpressionAttributeValues: { ':g': text(2048, 'g') },
    }
    const seen: (string | undefined)[] = []
    let ExclusiveStartKey: Item | undefined
    do {
      const page = await store.query({ ...query, Limit: 2, ...(ExclusiveStartKey && { ExclusiveStartKey }) })
      seen.push(...page.Items!.map(({ pk, sk }) => pk!.S!.at(-1)! + sk!.S!.at(-1)!))
      ExclusiveStartKey = page.LastEvaluatedKey
    } while (ExclusiveStartKey)
    expect(seen.toSorted()).toEqual(['aa', 'ab', 'ac', 'ba', 'bb', 'bc', 'ca', 'cb', 'cc'])
    await store.close()
  })
})
