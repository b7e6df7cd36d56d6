import {
  BackupNotFoundException,
  DynamoDB,
  InvalidRestoreTimeException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import { expect, onTestFinished, test } from 'vitest'
import { memory } from '../../src/engine/index.js'
import { serve } from '../../src/http/index.js'
import { call } from './raw-requests.js'

async function serving() {
  const served = await serve(memory({ transitionMs: 50 }), { port: 0 })
  const client = new DynamoDB({
    endpoint: served.url,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
  })
  onTestFinished(async () => {
    client.destroy()
    await served.close()
  })
  const exists = (TableName: string) => waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 0.05 }, { TableName })
  await client.createTable({
    TableName: 'seeded',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  })
  await exists('seeded')
  await client.putItem({ TableName: 'seeded', Item: { id: { S: 'a' } } })
  return { url: served.url, client, exists }
}

test("the AWS SDK's client backs up a table, restores it and lists backups", async () => {
  const { client, exists } = await serving()
  const { BackupDetails } = await client.createBackup({ TableName: 'seeded', BackupName: 'seed' })
  const BackupArn = BackupDetails!.BackupArn!
  await client.deleteItem({ TableName: 'seeded', Key: { id: { S: 'a' } } })
  await expect
    .poll(async () => (await client.describeBackup({ BackupArn })).BackupDescription!.BackupDetails!.BackupStatus)
    .toBe('AVAILABLE')
  const { TableDescription } = await client.restoreTableFromBackup({ TargetTableName: 'restored', BackupArn })
  expect(TableDescription!.RestoreSummary).toEqual({
    SourceBackupArn: BackupArn,
    SourceTableArn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/seeded',
    RestoreDateTime: BackupDetails!.BackupCreationDateTime,
    RestoreInProgress: true,
  })
  await exists('restored')
  expect((await client.scan({ TableName: 'restored' })).Items).toEqual([{ id: { S: 'a' } }])
  const at = BackupDetails!.BackupCreationDateTime!
  const listed = await client.listBackups({ TimeRangeLowerBound: at, TimeRangeUpperBound: new Date(at.getTime() + 1) })
  expect(listed.BackupSummaries!.map(summary => summary.BackupArn)).toEqual([BackupArn])
  await client.deleteBackup({ BackupArn })
  await expect(client.describeBackup({ BackupArn })).rejects.toThrow(BackupNotFoundException)
})

test('a table is restored to a moment before a mistake', async () => {
  const { client, exists } = await serving()
  await client.updateContinuousBackups({
    TableName: 'seeded',
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  })
  const RestoreDateTime = new Date()
  await new Promise(resolve => setTimeout(resolve, 5))
  await client.deleteItem({ TableName: 'seeded', Key: { id: { S: 'a' } } })
  const request = { SourceTableName: 'seeded', TargetTableName: 'before' }
  await client.restoreTableToPointInTime({ ...request, RestoreDateTime })
  await exists('before')
  expect((await client.scan({ TableName: 'before' })).Count).toBe(1)
  const early = client.restoreTableToPointInTime({ ...request, RestoreDateTime: new Date(0) })
  await expect(early).rejects.toThrow(InvalidRestoreTimeException)
})

test('a time that is not a valid date is rejected', async () => {
  const { url, client } = await serving()
  await client.updateContinuousBackups({
    TableName: 'seeded',
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  })
  const restore = { SourceTableName: 'seeded', TargetTableName: 'before', RestoreDateTime: 1e300 }
  const { status, text } = await call(url, 'RestoreTableToPointInTime', restore)
  expect([status, JSON.parse(text).__type]).toEqual([
    400,
    'com.amazonaws.dynamodb.v20120810#InvalidRestoreTimeException',
  ])
})

test('times are sent in seconds with any fraction', async () => {
  const { url } = await serving()
  const made = await call(url, 'CreateBackup', { TableName: 'seeded', BackupName: 'seed' })
  const { BackupArn, BackupCreationDateTime: at } = JSON.parse(made.text).BackupDetails
  expect(String(at).replace('.', '').padEnd(13, '0')).toBe(BackupArn.match(/\/backup\/0(\d{13})/)[1])
  for (const [range, count] of [
    [{ TimeRangeLowerBound: at }, 1],
    [{ TimeRangeUpperBound: at }, 0],
    [{ TimeRangeUpperBound: at + 0.001 }, 1],
  ] as const) {
    const listed = await call(url, 'ListBackups', range)
    expect(JSON.parse(listed.text).BackupSummaries).toHaveLength(count)
  }
})
