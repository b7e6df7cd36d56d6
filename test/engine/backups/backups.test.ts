import { describe, expect, test } from 'vitest'
import { RECOVERY_DAYS } from '../../../src/dynamodb/limits.js'
import { defined, index, key, NOW_MS, request, UUID } from '../tables.js'
import { disabled, enabled, item, keysOf, ORDERS, put, refusal, storeWithClock, TableName } from './store-with-clock.js'

const DAY_MS = 24 * 3600 * 1000
const ARN = 'arn:aws:dynamodb:eu-west-1:123456789012'

describe('backups', () => {
  test('each backup of the same millisecond restores its own snapshot', async () => {
    const { store } = await storeWithClock()
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

  test('DescribeBackup returns the same details as the service', async () => {
    const units = { ReadCapacityUnits: 3, WriteCapacityUnits: 2 }
    const { store } = await storeWithClock({
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
    const details = {
      BackupArn,
      BackupName: 'first',
      BackupSizeBytes: 6,
      BackupStatus: 'CREATING',
      BackupType: 'USER',
      BackupCreationDateTime: new Date(NOW_MS),
    }
    expect(BackupDetails).toEqual(details)
    const { BackupDescription } = await store.describeBackup({ BackupArn })
    expect(BackupDescription).toEqual({
      BackupDetails: { ...details, BackupStatus: 'AVAILABLE' },
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

  test("the description of a plain table's backup has no features and zero units", async () => {
    const { store } = await storeWithClock({ OnDemandThroughput: { MaxReadRequestUnits: 9 } })
    const { BackupDetails } = await store.createBackup({ ...ORDERS, BackupName: 'first' })
    const { BackupDescription } = await store.describeBackup({ BackupArn: BackupDetails!.BackupArn! })
    expect(BackupDescription!.SourceTableFeatureDetails).toEqual({})
    expect(BackupDescription!.SourceTableDetails).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      ProvisionedThroughput: { ReadCapacityUnits: 0, WriteCapacityUnits: 0 },
      OnDemandThroughput: { MaxReadRequestUnits: 9 },
    })
  })

  test('a backup is a consistent snapshot while other calls write', async () => {
    const { store } = await storeWithClock()
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

  test('a backup survives the update, deletion and re-creation of its table', async () => {
    const { store, clock } = await storeWithClock()
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

  test('a new backup in the same millisecond does not get the ARN of a deleted one', async () => {
    const { store } = await storeWithClock()
    const make = async () => (await store.createBackup({ ...ORDERS, BackupName: 'one' })).BackupDetails!.BackupArn!
    await make()
    const deletedArn = await make()
    await store.deleteBackup({ BackupArn: deletedArn })
    await make()
    expect((await refusal(store.describeBackup({ BackupArn: deletedArn })))[0]).toBe('BackupNotFoundException')
  })

  test('backup ARNs of another account are denied', async () => {
    const { store } = await storeWithClock()
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

describe('ListBackups', () => {
  test('backups of one millisecond are listed in creation order across pages', async () => {
    const { store } = await storeWithClock()
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

  test('a list continues after a deleted backup but rejects a start in another region', async () => {
    const { store, clock } = await storeWithClock()
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

describe('system backups of deleted tables', () => {
  test('deleting a table with point-in-time recovery keeps a system backup for 35 days', async () => {
    const { store, clock } = await storeWithClock()
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
    const notFound = ['BackupNotFoundException', `Backup not found: ${BackupArn}`]
    expect(await refusal(store.describeBackup({ BackupArn }))).toEqual(notFound)
    await store.createBackup({ ...ORDERS, BackupName: 'forgets' })
    clock.ms = NOW_MS
    expect(await refusal(store.describeBackup({ BackupArn }))).toEqual(notFound)
  })

  test('deleting a table whose recovery was disabled before leaves no system backup', async () => {
    const { store } = await storeWithClock()
    await store.updateContinuousBackups({ ...ORDERS, ...enabled })
    await store.updateContinuousBackups({ ...ORDERS, ...disabled })
    await store.deleteTable(ORDERS)
    expect(await store.listBackups({ BackupType: 'ALL' })).toEqual({ BackupSummaries: [] })
  })
})
