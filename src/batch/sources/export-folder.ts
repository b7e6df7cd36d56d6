import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { FormatError } from '../../dynamodb/export/format-error.js'
import { parseFilesManifest, parseSummaryManifest, type SummaryManifest } from '../../dynamodb/export/manifest.js'
import { GraphError } from '../../schema/error.js'
import { sourceError } from './source-error.js'

/** A file of items in an export. */
export interface DataFile {
  readonly path: string
  readonly itemCount: number
  /** The MD5 hash of the file in base64. */
  readonly md5: string | undefined
}

/** An export of DynamoDB to S3 that is in a local folder. */
export interface ExportFolder {
  readonly folder: string
  readonly type: 'full' | 'incremental'
  readonly format: 'DYNAMODB_JSON' | 'ION'
  /** Of an incremental export, the end of its period. */
  readonly moment: string
  /** Of an incremental export, the beginning of its period. */
  readonly since: string | undefined
  readonly tableArn: string | undefined
  readonly tableId: string | undefined
  readonly files: readonly DataFile[]
}

export const SUMMARY = 'manifest-summary.json'
export const DATA_FOLDER = 'AWSDynamoDB'

/** The folder of the export that a path leads to: that folder, or one above it that holds no other export. */
export function findExportFolder(path: string): string | undefined {
  const found = exportsIn(path)
  if (found.length < 2) return found[0]
  throw sourceError(path, `it holds ${found.length} exports`, `give one of ${found.slice(0, 3).join(', ')}`)
}

function exportsIn(path: string): string[] {
  if (existsSync(join(path, SUMMARY))) return [path]
  const above = existsSync(join(path, DATA_FOLDER)) ? join(path, DATA_FOLDER) : path
  return readdirSync(above, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && existsSync(join(above, entry.name, SUMMARY)))
    .map(({ name }) => join(above, name))
    .sort()
}

/** Reads the manifests of an export and checks them against their checksums. */
export function readExport(folder: string): ExportFolder {
  const { moment, ...summary } = readSummary(folder)
  const isFull = summary.exportType === 'FULL_EXPORT'
  return {
    folder,
    type: isFull ? 'full' : 'incremental',
    format: summary.outputFormat,
    moment: new Date(moment).toISOString(),
    since: isFull ? undefined : new Date(summary.exportFromTime as string).toISOString(),
    tableArn: summary.tableArn,
    tableId: summary.tableId,
    files: dataFiles(folder, summary),
  }
}

/** The data files of an export by its manifests, as paths from its folder. */
export const dataFilePaths = (folder: string): string[] =>
  listDataFiles(folder, readSummary(folder)).map(({ path }) => path)

function readSummary(folder: string) {
  const path = join(folder, SUMMARY)
  const summary = parseManifest(path, () => parseSummaryManifest(readManifest(folder, SUMMARY), path))
  const { exportType, exportTime, exportToTime } = summary
  const moment = exportType === 'FULL_EXPORT' ? exportTime : exportToTime
  if (typeof moment !== 'string')
    throw sourceError(path, 'it is not the summary of an export', 'give the folder of an export')
  return { ...summary, moment }
}

type ManifestKey = Pick<Partial<SummaryManifest>, 'manifestFilesS3Key'>

function dataFiles(folder: string, summary: ManifestKey): DataFile[] {
  return listDataFiles(folder, summary).map(file => {
    const path = join(folder, file.path)
    if (!existsSync(path)) throw sourceError(path, 'a file of the export is missing', 'download the export again')
    return { ...file, path }
  })
}

/** Names in a manifest are keys of S3. The folders between a data file and the manifest are the same in both places. */
function listDataFiles(folder: string, { manifestFilesS3Key }: ManifestKey): DataFile[] {
  const name = posix.basename(manifestFilesS3Key ?? 'manifest-files.json')
  const manifestPath = join(folder, name)
  const entries = parseManifest(manifestPath, () => parseFilesManifest(readManifest(folder, name), manifestPath))
  return entries.map(({ dataFileS3Key, itemCount, md5Checksum }) => {
    const above = posix.dirname(manifestFilesS3Key ?? posix.join(posix.dirname(posix.dirname(dataFileS3Key)), name))
    const md5 = md5Checksum === undefined ? undefined : String(md5Checksum)
    return { path: posix.relative(above, dataFileS3Key), itemCount: Number(itemCount), md5 }
  })
}

/** AWS documents checksums in `.checksum` files; the engine writes `.md5` files. */
const CHECKSUM_ENDINGS = ['checksum', 'md5']

function readManifest(folder: string, name: string): string {
  const path = join(folder, name)
  if (!existsSync(path)) throw sourceError(path, 'the manifest is missing', 'download the export again')
  const bytes = readFileSync(path)
  for (const ending of CHECKSUM_ENDINGS) {
    const checksumPath = join(folder, name.replace(/json$/, ending))
    if (existsSync(checksumPath)) assertSameHash(path, readFileSync(checksumPath, 'utf8').trim(), hashOf(bytes))
  }
  return bytes.toString()
}

const hashOf = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('base64')

function parseManifest<T>(path: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    throw new GraphError('batch.source', error.message, { name: path })
  }
}

/** Compares a data file with its checksum. */
export async function verifyDataFile({ path, md5 }: DataFile): Promise<void> {
  if (md5 === undefined) return
  const hash = createHash('md5')
  await pipeline(createReadStream(path), hash)
  assertSameHash(path, md5, hash.digest('base64'))
}

function assertSameHash(path: string, expected: string, found: string): void {
  if (expected !== found)
    throw sourceError(path, `its MD5 checksum is ${found} instead of ${expected}`, 'download the export again')
}

/** Whether a path is a folder; throws if it does not exist. */
export function isFolder(path: string): boolean {
  if (!existsSync(path))
    throw sourceError(path, 'it does not exist', `create it, or check the path in ${dirname(path)}`)
  return statSync(path).isDirectory()
}
