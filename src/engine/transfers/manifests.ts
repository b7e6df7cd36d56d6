import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DataFileEntry, SummaryManifest } from '../../dynamodb/export/manifest.js'
import type { Engine } from '../engine.js'
import { newMd5 } from '../md5.js'
import { tableArn } from '../tables/arns.js'
import type { Bucket } from './bucket.js'
import { type ExportOutcome, exportKey, type TableExport } from './table-export.js'
import { arnOfTransfer } from './transfer-arns.js'

type Completed = ExportOutcome & { readonly status: 'COMPLETED' }

/** Shows that the bucket can be written, and that the export has begun. */
export async function writeStarted(bucket: Bucket, of: TableExport): Promise<void> {
  await writeFlushed(bucket.pathOf(`${exportKey(of)}_started`), '')
}

/** The summary comes last: an export with a summary is complete. */
export async function writeManifests(
  engine: Engine,
  bucket: Bucket,
  of: TableExport,
  outcome: Completed,
  files: readonly DataFileEntry[],
): Promise<void> {
  const lines = files.map(file => `${JSON.stringify(file)}\n`).join('')
  await writeWithChecksum(bucket, `${exportKey(of)}manifest-files`, lines)
  await writeWithChecksum(bucket, `${exportKey(of)}manifest-summary`, JSON.stringify(summaryOf(engine, of, outcome)))
}

function summaryOf(engine: Engine, of: TableExport, { itemCount, sizeBytes, endMs }: Completed): SummaryManifest {
  const { exportMs, period } = of
  return {
    version: period ? '2023-08-01' : '2020-06-30',
    exportArn: arnOfTransfer(engine, 'export', of),
    startTime: timeText(of.startMs),
    endTime: timeText(endMs),
    tableArn: tableArn(engine, of.tableName),
    tableId: of.tableId,
    ...(exportMs !== undefined && { exportTime: timeText(exportMs) }),
    ...(period && { exportFromTime: timeText(period.fromMs), exportToTime: timeText(period.toMs) }),
    s3Bucket: of.bucket,
    s3Prefix: of.prefix ?? null,
    s3SseAlgorithm: of.sseAlgorithm,
    s3SseKmsKeyId: of.sseKmsKeyId ?? null,
    manifestFilesS3Key: `${exportKey(of)}manifest-files.json`,
    billedSizeBytes: sizeBytes,
    itemCount,
    outputFormat: of.format,
    ...(period && { outputView: period.view }),
    exportType: period ? 'INCREMENTAL_EXPORT' : 'FULL_EXPORT',
  }
}

const timeText = (ms: number) => new Date(ms).toISOString()

async function writeWithChecksum(bucket: Bucket, key: string, text: string): Promise<void> {
  const md5 = newMd5()
  md5.update(Buffer.from(text))
  await writeFlushed(bucket.pathOf(`${key}.md5`), md5.digest().toString('base64'))
  await writeFlushed(bucket.pathOf(`${key}.json`), text)
}

/** Flushed to the disk, so that a loss of power leaves no manifest of missing files. */
async function writeFlushed(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const file = await open(path, 'w')
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
