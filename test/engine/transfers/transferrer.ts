import { disk } from '../../../src/engine/index.js'

/** Exports and imports a table again and again, until the process is killed. */
const [path, exports] = process.argv.slice(2) as [string, string]
const store = disk(path, { exports, sync: false })
const TableName = 'Orders'
const TableArn = `arn:aws:dynamodb:us-east-1:123456789012:table/${TableName}`
const definition = {
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' as const }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' as const }],
  BillingMode: 'PAY_PER_REQUEST' as const,
}

const { TableNames } = await store.listTables({})
if (!TableNames!.includes(TableName)) {
  await store.createTable({ TableName, ...definition })
  await store.updateContinuousBackups({
    TableName,
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  })
  await Promise.all(
    Array.from({ length: 5000 }, (_, i) => store.putItem({ TableName, Item: { pk: { S: String(i) } } })),
  )
}
process.stdout.write('ready\n')
for (;;) {
  const { ExportDescription } = await store.exportTableToPointInTime({ TableArn, S3Bucket: 'bucket' })
  let described = ExportDescription!
  while (described.ExportStatus === 'IN_PROGRESS') {
    await store.putItem({ TableName, Item: { pk: { S: 'during' } } })
    described = (await store.describeExport({ ExportArn: described.ExportArn! })).ExportDescription!
  }
  await store.importTable({
    S3BucketSource: {
      S3Bucket: 'bucket',
      S3KeyPrefix: described.ExportManifest!.replace('manifest-summary.json', 'data/'),
    },
    InputFormat: 'DYNAMODB_JSON',
    InputCompressionType: 'GZIP',
    TableCreationParameters: { TableName: `import-${crypto.randomUUID()}`, ...definition },
  })
}
