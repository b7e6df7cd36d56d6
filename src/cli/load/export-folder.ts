import { readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { FormatError } from '../../dynamodb/export/format-error.js'
import { type DataFileEntry, parseFilesManifest, parseSummaryManifest } from '../../dynamodb/export/manifest.js'
import { fileChecksum } from '../../engine/transfers/verify-object.js'
import { CommandFailure } from '../command-failure.js'

/** An export of DynamoDB in a folder. All its data files exist. */
export interface LoadableExport {
  readonly type: 'FULL_EXPORT' | 'INCREMENTAL_EXPORT'
  readonly tableId: string | undefined
  /** The period of an incremental export; a full export has only its end. */
  readonly fromMs: number | undefined
  readonly toMs: number | undefined
  readonly files: readonly string[]
}

/** Reads the manifests of the folder, and compares the data files with their checksums. */
export async function readExportFolder(folder: string): Promise<LoadableExport> {
  const summaryFile = join(folder, 'manifest-summary.json')
  const filesFile = join(folder, 'manifest-files.json')
  const summaryText = await readFile(summaryFile, 'utf8').catch(() => '{}')
  const filesText = await readFile(filesFile, 'utf8')
  const [summary, entries] = parseManifest(() => [
    parseSummaryManifest(summaryText, summaryFile),
    parseFilesManifest(filesText, filesFile),
  ])
  const { exportType: type, tableId, exportTime, exportFromTime, exportToTime } = summary
  // The data of incremental exports is in a folder that those of a prefix share.
  const data = type === 'INCREMENTAL_EXPORT' ? join(folder, '..', 'data') : join(folder, 'data')
  const files: string[] = []
  for (const entry of entries) files.push(await dataFile(data, entry))
  return { type, tableId, fromMs: msOf(exportFromTime), toMs: msOf(exportToTime ?? exportTime), files }
}

const msOf = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time))

async function dataFile(data: string, { dataFileS3Key, md5Checksum }: DataFileEntry): Promise<string> {
  const path = join(data, basename(dataFileS3Key))
  await stat(path).catch(() => {
    throw new CommandFailure(
      `${path}: the manifest names this file, but it does not exist; download all files of the export.`,
    )
  })
  if (typeof md5Checksum === 'string' && (await fileChecksum(path)) !== md5Checksum)
    throw new CommandFailure(`${path}: the file does not have the checksum in its manifest; download it again.`)
  return path
}

function parseManifest<Result>(parse: () => Result): Result {
  try {
    return parse()
  } catch (error) {
    if (error instanceof FormatError) throw new CommandFailure(error.message)
    throw error
  }
}
