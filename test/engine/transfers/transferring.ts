import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import { type ExportedChange, type ExportedLine, parseLine } from '../../../src/dynamodb/export/lines.js'
import { parseFilesManifest, type SummaryManifest } from '../../../src/dynamodb/export/manifest.js'
import type {
  CreateTableInput,
  ExportDescription,
  ExportTableToPointInTimeInput,
  ImportTableDescription,
  ImportTableInput,
} from '../../../src/dynamodb/operation-types.js'
import { type MemoryOptions, memory } from '../../../src/engine/index.js'
import type { Transfers } from '../../../src/store/port.js'
import { temporaryFolder } from '../disk/temporary-folder.js'
import { NOW_MS, request } from '../tables.js'

export const TableName = 'Orders'
export const TABLE_ARN = `arn:aws:dynamodb:us-east-1:123456789012:table/${TableName}`
export const S3Bucket = 'bucket'
export const ENABLED = { TableName, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }

/** A store in memory with a clock, a folder of exports, and a table with recovery. */
export async function exporting(more: Partial<CreateTableInput> = {}, options: MemoryOptions = {}) {
  const clock = { ms: NOW_MS }
  const folder = temporaryFolder()
  const store = memory({ now: () => clock.ms, exports: folder, ...options })
  await store.createTable(request(more))
  clock.ms += options.transitionMs ?? 0
  await store.updateContinuousBackups(ENABLED)
  return { clock, store, folder }
}

const POLL_MS = 5

/** Exports the table, and waits for the end. */
export async function exported(
  store: Transfers,
  more: Partial<ExportTableToPointInTimeInput> = {},
): Promise<ExportDescription> {
  const { ExportDescription } = await store.exportTableToPointInTime({ TableArn: TABLE_ARN, S3Bucket, ...more })
  return exportEnded(store, ExportDescription!)
}

export async function exportEnded(store: Transfers, begun: ExportDescription): Promise<ExportDescription> {
  for (let described = begun; ; await new Promise(resolve => setTimeout(resolve, POLL_MS))) {
    described = (await store.describeExport({ ExportArn: begun.ExportArn! })).ExportDescription!
    if (described.ExportStatus !== 'IN_PROGRESS') return described
  }
}

/** A request to import into a table like that of `exporting`. */
export function importRequest(
  TargetName: string,
  S3KeyPrefix: string,
  more: Partial<ImportTableInput> = {},
): ImportTableInput {
  const { AttributeDefinitions, KeySchema, BillingMode } = request()
  return {
    S3BucketSource: { S3Bucket, S3KeyPrefix },
    InputFormat: 'DYNAMODB_JSON',
    TableCreationParameters: {
      TableName: TargetName,
      AttributeDefinitions: AttributeDefinitions!,
      KeySchema: KeySchema!,
      BillingMode,
    },
    ...more,
  }
}

/** Imports a table, and waits for the end. */
export async function imported(store: Transfers, given: ImportTableInput): Promise<ImportTableDescription> {
  const { ImportTableDescription } = await store.importTable(given)
  for (;;) {
    const ImportArn = ImportTableDescription!.ImportArn!
    const described = (await store.describeImport({ ImportArn })).ImportTableDescription!
    if (described.ImportStatus !== 'IN_PROGRESS') return described
    await new Promise(resolve => setTimeout(resolve, POLL_MS))
  }
}

/** The keys of the files of a bucket, in order. */
export function filesOf(folder: string): string[] {
  const entries = readdirSync(join(folder, S3Bucket), { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(join(folder, S3Bucket).length + 1))
    .sort()
}

export function summaryOf(folder: string, { ExportManifest }: ExportDescription): SummaryManifest {
  return JSON.parse(readFileSync(join(folder, S3Bucket, ExportManifest!), 'utf8'))
}

/** The lines of an export, parsed. */
function linesOf(folder: string, ended: ExportDescription): ExportedLine[] {
  const { manifestFilesS3Key } = summaryOf(folder, ended)
  const manifest = join(folder, S3Bucket, manifestFilesS3Key)
  const texts = parseFilesManifest(readFileSync(manifest, 'utf8'), basename(manifest)).map(({ dataFileS3Key }) =>
    gunzipSync(readFileSync(join(folder, S3Bucket, dataFileS3Key))).toString(),
  )
  const lines = texts.flatMap(text => text.split('\n').slice(0, -1))
  return lines.map(line => parseLine(line, ended.ExportFormat!))
}

/** The items of a full export, by partition key. */
export function itemsOf(folder: string, ended: ExportDescription): Item[] {
  const items = linesOf(folder, ended).map(line => ('item' in line ? line.item : {}))
  return items.toSorted((a, b) => (a.pk!.S! < b.pk!.S! ? -1 : 1))
}

export function changesOf(folder: string, ended: ExportDescription): ExportedChange[] {
  return linesOf(folder, ended).flatMap(line => ('change' in line ? [line.change] : []))
}
