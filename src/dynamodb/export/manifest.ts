import type { ExportFormat, ExportType, ExportViewType } from '../operation-types.js'
import { FormatError } from './format-error.js'

/** The content of `manifest-summary.json`. */
export interface SummaryManifest {
  readonly version: '2020-06-30' | '2023-08-01'
  readonly exportArn: string
  readonly startTime: string
  readonly endTime: string
  readonly tableArn: string
  readonly tableId: string
  /** Of a full export. */
  readonly exportTime?: string
  /** Of an incremental export, inclusive. */
  readonly exportFromTime?: string
  /** Of an incremental export, exclusive. */
  readonly exportToTime?: string
  readonly s3Bucket: string
  readonly s3Prefix: string | null
  readonly s3SseAlgorithm: string
  readonly s3SseKmsKeyId: string | null
  /** In the bucket. */
  readonly manifestFilesS3Key: string
  readonly billedSizeBytes: number
  readonly itemCount: number
  readonly outputFormat: ExportFormat
  /** Of an incremental export. */
  readonly outputView?: ExportViewType
  readonly exportType: ExportType
}

/** One data file, a line of `manifest-files.json`. */
export interface DataFileEntry {
  readonly itemCount: number
  /** MD5 of the file as it is, in base64. */
  readonly md5Checksum: string
  readonly etag: string
  /** In the bucket. */
  readonly dataFileS3Key: string
}

/** `file` names the manifest in errors. Exports from before 2023 name no type. */
export function parseSummaryManifest(
  text: string,
  file: string,
): Pick<SummaryManifest, 'outputFormat' | 'exportType'> & Partial<SummaryManifest> {
  const summary = parseObject(text, file)
  const { outputFormat = 'DYNAMODB_JSON', exportType = 'FULL_EXPORT' } = summary as Partial<SummaryManifest>
  if (!['DYNAMODB_JSON', 'ION'].includes(outputFormat) || !['FULL_EXPORT', 'INCREMENTAL_EXPORT'].includes(exportType))
    throw new FormatError(
      `${file}: exports of type ${exportType} in ${outputFormat} are unknown; export the table again.`,
    )
  return { ...summary, outputFormat, exportType }
}

/** The data files of `manifest-files.json`, which has one object per line. */
export function parseFilesManifest(text: string, file: string): DataFileEntry[] {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  return lines.map(line => {
    const entry = parseObject(line, file)
    if (typeof entry.dataFileS3Key !== 'string') throw incomplete(file)
    return entry as unknown as DataFileEntry
  })
}

function parseObject(text: string, file: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>
  } catch {
    // Reported below.
  }
  throw incomplete(file)
}

const incomplete = (file: string) =>
  new FormatError(`${file}: the manifest of the export is not complete; download it again.`)
