import { describe, expect, test } from 'vitest'
import { RECOVERY_DAYS } from '../../../src/dynamodb/limits.js'
import { defined, index, key, NOW_MS, request, UUID } from '../tables.js'
import { clocked, disabled, enabled, item, keysOf, ORDERS, put, refusal, TableName } from './store-with-clock.js'

const DAY_MS = 24 * 3600 * 1000
const ARN = 'arn:aws:dynamodb:eu-west-1:123456789012'

describe('a backup', () => {
  test('is another than those of the same moment, each of which is what was there', async () => {
    const { store } = await clocked()
    const arns: string[] = []
    for (const pk of ['a', 'b', 'c']) {
      await put(store, item(pk))
      arns.push((await store.createBackup({ ...ORDERS, BackupName: 'some' })).BackupDetails!.BackupArn!)
    }
    expect((await store.listBackups({})).BackupSummaries!.map(({ BackupArn }) => BackupArn)).toEqual(arns)
    for (const [i, BackupArn] of arns.entries()) {
      await store.restoreTableFromBackup({ TargetTableName: `restored${i}`, BackupArn })
      expect(await keysOf(store, `restored${i}`)).toEqual(['a', 'b', 'c'].slice(0, i + 1))
    }
  })

  test('is told of as the service tells of it', async () => {
    const units = { ReadCapacityUnits: 3, WriteCapacityUnits: 2 }
    const { store } = await clocked({
      AttributeDefinitions: defined('pk', 'sk', 'c'),
      KeySchema: key('pk', 'sk'),
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: units,
      GlobalSecondaryIndexes: [index('byC', key('c'), { ProvisionedThroughput: units })],
      LocalSecondaryIndexes: [index('local', key('pk', 'c'))],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
      SSESpecification: { Enabled: true, SSEType: 'KMS', KMSMasterKeyId: 'alias/own' },
      TableClass: 'STANDARD_INFREQUENT_ACCESS',
      DeletionProtectionEnabled: true,
      Tags: [{ Key: 'k', Value: 'v' }],
    })
    await store.updateTimeToLive({ ...ORDERS, TimeToLiveSpecification: { AttributeName: 'until', Enabled: true } })
    await put(store, item('a', { sk: { S: 'b' } }))
    const { BackupDetails } = await store.createBackup({ ...ORDERS, BackupName: 'first' })
    const BackupArn = BackupDetails!.BackupArn!
    expect(BackupArn).toMatch(new RegExp(`^${ARN}:table/Orders/backup/0${NOW_MS}-[0-9a-f]{8}$`))
    const told = {
      BackupArn,
      BackupName: 'first',
      BackupSizeBytes: 6,
      BackupStatus: 'CREATING',
      BackupType: 'USER',
      BackupCreationDateTime: new Date(NOW_MS),
    }
    expect(BackupDetails).toEqual(told)
    const { BackupDescription } = await store.describeBackup({ BackupArn })
    expect(BackupDescription).toEqual({
      BackupDetails: { ...told, BackupStatus: 'AVAILABLE' },
      SourceTableDetails: {
        TableName,
        TableId: expect.stringMatching(UUID),
        TableArn: `${ARN}:table/Orders`,
        TableSizeBytes: 6,
        KeySchema: key('pk', 'sk'),
        TableCreationDateTime: new Date(NOW_MS),
        ProvisionedThroughput: units,
        ItemCount: 1,
        BillingMode: 'PROVISIONED',
      },
      SourceTableFeatureDetails: {
        LocalSecondaryIndexes: [index('local', key('pk', 'c'))],
        GlobalSecondaryIndexes: [index('byC', key('c'), { ProvisionedThroughput: units })],
        StreamDescription: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
        TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: 'until' },
        SSEDescription: {
          Status: 'ENABLED',
          SSEType: 'KMS',
          KMSMasterKeyArn: 'arn:aws:kms:eu-west-1:123456789012:alias/own',
        },
      },
    })
  })

  test('of a plain table tells of no features, and of units that are none', async () => {
    const { store } = await clocked({ OnDemandThroughput: { MaxReadRequestUnits: 9 } })
    const { BackupDetails } = await store.createBackup({ ...ORDERS, BackupName: 'first' })
    const { BackupDescription } = await store.describeBackup({ BackupArn: BackupDetails!.BackupArn! })
    expect(BackupDescription!.SourceTableFeatureDetails).toEqual({})
    expect(BackupDescription!.SourceTableDetails).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      ProvisionedThroughput: { ReadCapacityUnits: 0, WriteCapacityUnits: 0 },
      OnDemandThroughput: { MaxReadRequestUnits: 9 },
    })
  })

  test('is one moment, beside writers that are under way', async () => {
    const { store } = await clocked()
    const numbers = Array.from({ length: 50 }, (_, i) => i)
    const both = (i: number) =>
      store.transactWriteItems({
        TransactItems: [item(`a${i}`), item(`b${i}`)].map(Item => ({ Put: { TableName, Item } })),
      })
    const [backups] = await Promise.all([
      Promise.all(numbers.map(() => store.createBackup({ ...ORDERS, BackupName: 'some' }))),
      ...numbers.map(both),
    ])
    for (const [i, { BackupDetails }] of backups.entries()) {
      const TargetTableName = `restored${i}`
      await store.restoreTableFromBackup({ TargetTableName, BackupArn: BackupDetails!.BackupArn! })
      const found = await keysOf(store, TargetTableName)
      expect(found.filter(pk => pk.startsWith('a')).length).toBe(found.length / 2)
    }
  })

  test('stays when its table is changed, deleted and made again', async () => {
    const { store, clock } = await clocked()
    await put(store, item('a'))
    const first = (await store.createBackup({ ...ORDERS, BackupName: 'first' })).BackupDetails!.BackupArn!
    await store.deleteTable(ORDERS)
    await store.createTable(request())
    clock.ms++
    await store.createBackup({ ...ORDERS, BackupName: 'first' })
    const { BackupSummaries } = await store.listBackups(ORDERS)
    expect(BackupSummaries!.map(({ BackupName, TableArn }) => [BackupName, TableArn])).toEqual(
      Array(2).fill(['first', `${ARN}:table/Orders`]),
    )
    expect(new Set(BackupSummaries!.map(({ TableId }) => TableId)).size).toBe(2)
    await store.restoreTableFromBackup({ TargetTableName: 'restored', BackupArn: first })
    expect(await keysOf(store, 'restored')).toEqual(['a'])
  })

  test('that was deleted is not another that is made in the same millisecond', async () => {
    const { store } = await clocked()
    const make = async () => (await store.createBackup({ ...ORDERS, BackupName: 'one' })).BackupDetails!.BackupArn!
    await make()
    const gone = await make()
    await store.deleteBackup({ BackupArn: gone })
    await make()
    expect((await refusal(store.describeBackup({ BackupArn: gone })))[0]).toBe('BackupNotFoundException')
  })

  test('is named by an ARN of this account', async () => {
    const { store } = await clocked()
    const { BackupDetails } = await store.createBackup({ ...ORDERS, BackupName: 'first' })
    const arn = BackupDetails!.BackupArn!
    const describe = (BackupArn: string) => refusal(store.describeBackup({ BackupArn }))
    const invalid = ['ValidationException', 'Invalid Backup ARN']
    const denied = ['AccessDeniedException', 'Access is denied']
    for (const short of ['', 'x', 'x'.repeat(40)]) expect(await describe(short)).toEqual(invalid)
    expect(await refusal(store.deleteBackup({ BackupArn: '' }))).toEqual(invalid)
    expect(await describe(`${ARN}:table/Orders`)).toEqual(invalid)
    expect(await describe(arn.replace('123456789012', '210987654321'))).toEqual(denied)
    expect(await describe(arn.replace('eu-west-1', ''))).toEqual(denied)
    const unknown = ['ValidationException', 'Invalid Request: BackupArn is not valid']
    expect(await describe(arn.replace('arn:aws:', 'arn:aws-cn:'))).toEqual(unknown)
    expect(await describe(arn.replace('eu-west-1', 'xx-fake-1'))).toEqual(unknown)
    expect(await refusal(store.deleteBackup({ BackupArn: arn.replace('eu-west-1', 'xx-fake-1') }))).toEqual(unknown)
    const elsewhere = arn.replace('eu-west-1', 'us-east-1')
    const { BackupDescription } = await store.describeBackup({ BackupArn: elsewhere })
    expect(BackupDescription!.BackupDetails!.BackupArn).toBe(elsewhere)
  })
})

describe('a list of backups', () => {
  test('has those of one millisecond in the order in which they were made, page by page', async () => {
    const { store } = await clocked()
    await store.createTable(request({ TableName: 'Others' }))
    const names = Array.from({ length: 25 }, (_, i) => `backup-${i}`)
    for (const [i, BackupName] of names.entries())
      await store.createBackup({ TableName: i % 2 === 0 ? TableName : 'Others', BackupName })
    const seen: string[] = []
    let start: string | undefined
    do {
      const page = await store.listBackups({ Limit: 5, ...(start && { ExclusiveStartBackupArn: start }) })
      seen.push(...page.BackupSummaries!.map(({ BackupName }) => BackupName!))
      start = page.LastEvaluatedBackupArn
    } while (start)
    expect(seen).toEqual(names)
    const { BackupSummaries } = await store.listBackups({ TableName: `${ARN}:table/Others` })
    expect(BackupSummaries).toHaveLength(12)
  })

  test('goes on after a backup that is gone, and not after one of another region', async () => {
    const { store, clock } = await clocked()
    const arns: string[] = []
    for (const BackupName of ['one', 'two', 'three']) {
      clock.ms++
      arns.push((await store.createBackup({ ...ORDERS, BackupName })).BackupDetails!.BackupArn!)
    }
    await store.deleteBackup({ BackupArn: arns[1]! })
    const { BackupSummaries } = await store.listBackups({ ExclusiveStartBackupArn: arns[1] })
    expect(BackupSummaries!.map(({ BackupArn }) => BackupArn)).toEqual([arns[2]])
    const elsewhere = arns[1]!.replace('eu-west-1', 'us-east-1')
    expect(await refusal(store.listBackups({ ExclusiveStartBackupArn: elsewhere }))).toEqual([
      'ValidationException',
      'Invalid Request: The supplied ExclusiveStartBackupArn does not match the region',
    ])
  })
})

describe('a table that is deleted', () => {
  test('leaves a backup for 35 days where it could be restored to any moment', async () => {
    const { store, clock } = await clocked()
    await put(store, item('a'))
    await store.updateContinuousBackups({ ...ORDERS, ...enabled })
    await store.deleteTable(ORDERS)
    expect(await store.listBackups(ORDERS)).toEqual({ BackupSummaries: [] })
    const { BackupSummaries } = await store.listBackups({ ...ORDERS, BackupType: 'SYSTEM' })
    const BackupArn = `${ARN}:table/Orders/backup/0${NOW_MS}-00000000`
    const expires = new Date(NOW_MS + RECOVERY_DAYS * DAY_MS)
    expect(BackupSummaries).toEqual([
      expect.objectContaining({
        BackupArn,
        BackupName: 'Orders$DeletedTableBackup',
        BackupType: 'SYSTEM',
        BackupExpiryDateTime: expires,
      }),
    ])
    expect(await store.listBackups({ ...ORDERS, BackupType: 'ALL' })).toEqual({ BackupSummaries })
    expect(await refusal(store.deleteBackup({ BackupArn }))).toEqual([
      'ValidationException',
      `Invalid Request: User is not allowed to delete the system backup with arn ${BackupArn}. ` +
        `It will automatically expire on ${expires.toISOString()}`,
    ])
    await store.restoreTableFromBackup({ TargetTableName: TableName, BackupArn })
    expect(await keysOf(store, TableName)).toEqual(['a'])
    clock.ms = expires.getTime()
    expect(await store.listBackups({ BackupType: 'ALL' })).toEqual({ BackupSummaries: [] })
    const gone = ['BackupNotFoundException', `Backup not found: ${BackupArn}`]
    expect(await refusal(store.describeBackup({ BackupArn }))).toEqual(gone)
    await store.createBackup({ ...ORDERS, BackupName: 'forgets' })
    clock.ms = NOW_MS
    expect(await refusal(store.describeBackup({ BackupArn }))).toEqual(gone)
  })

  test('leaves none where that was turned off before', async () => {
    const { store } = await clocked()
    await store.updateContinuousBackups({ ...ORDERS, ...enabled })
    await store.updateContinuousBackups({ ...ORDERS, ...disabled })
    await store.deleteTable(ORDERS)
    expect(await store.listBackups({ BackupType: 'ALL' })).toEqual({ BackupSummaries: [] })
  })
})
