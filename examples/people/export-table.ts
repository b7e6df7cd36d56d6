import { dirname, join } from 'node:path'
import type { memory } from 'edgewise/engine'

const BUCKET = 'nightly'
const TableArn = 'arn:aws:dynamodb:us-east-1:123456789012:table/people'

/** Exports the table as DynamoDB exports it to S3, and resolves to the folder of the export. */
export async function exportTable(store: ReturnType<typeof memory>, exports: string): Promise<string> {
  await store.updateContinuousBackups({
    TableName: 'people',
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  })
  const started = await store.exportTableToPointInTime({ TableArn, S3Bucket: BUCKET })
  const ExportArn = started.ExportDescription!.ExportArn!
  for (;;) {
    const { ExportDescription: described } = await store.describeExport({ ExportArn })
    if (described!.ExportStatus === 'FAILED') throw new Error(described!.FailureMessage)
    if (described!.ExportStatus === 'COMPLETED') return join(exports, BUCKET, dirname(described!.ExportManifest!))
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}
