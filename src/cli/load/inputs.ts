import { createReadStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createGunzip, gunzipSync } from 'node:zlib'
import type { LoadSource } from '../../jobs/load/source.js'
import type { Layout } from '../../layout/layout.js'
import { CommandFailure } from '../command-failure.js'
import { toReadFailure } from '../files/file-failures.js'
import { readExportFolder } from './export-folder.js'
import { STANDARD_INPUT } from './standard-input.js'

/** A file of rows, with its size and modification time to detect changes. */
export interface LoadInput extends LoadSource {
  readonly sizeBytes: number
  readonly changedMs: number
  readonly isGzipped: boolean
}

export interface InputOptions {
  readonly format?: LoadSource['format']
  readonly type?: string
  readonly column?: Readonly<Record<string, string>>
  readonly separator?: string
}

/** The names of data files in a folder. */
export const DATA_FILE_NAME = /\.(jsonl|ndjson|json|csv|tsv|ion)(\.gz)?$/i
const NON_DATA_FILE_NAME =
  /(^|\/)(manifest-(files|summary)\.json|_started|.*\.checksum|.*\.failed\.jsonl|.*\.checkpoint)$/

/**
 * Resolves the paths to data files: files, the data files of folders, or the files in the manifest of an export.
 * Standard input resolves to its temporary file.
 */
export async function resolveInputs(
  layout: Layout,
  paths: readonly string[],
  options: InputOptions,
  standard: string | undefined,
): Promise<LoadInput[]> {
  const files = (await Promise.all(paths.map(path => (path === STANDARD_INPUT ? path : listDataFiles(path))))).flat()
  return Promise.all(
    files.map(file => toLoadInput(layout, file === STANDARD_INPUT ? standard! : file, options, basename(file))),
  )
}

/** Throws if any of the inputs does not exist. */
export async function assertInputsExist(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.filter(path => path !== STANDARD_INPUT).map(listDataFiles))
}

async function listDataFiles(path: string): Promise<readonly string[]> {
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw toReadFailure(path, error)
  })
  if (!stats.isDirectory()) return [path]
  const names = await readdir(path)
  if (names.includes('manifest-files.json')) return listExportedFiles(path)
  if (names.includes('AWSDynamoDB')) return listDataFiles(join(path, 'AWSDynamoDB'))
  const data = names.filter(name => DATA_FILE_NAME.test(name) && !NON_DATA_FILE_NAME.test(name)).sort()
  if (data.length > 0) return data.map(name => join(path, name))
  const paths = names.map(name => join(path, name))
  const [folder, ...otherFolders] = await Promise.all(
    paths.map(async entry => ((await stat(entry)).isDirectory() ? entry : [])),
  )
    .then(folders => folders.flat())
    .catch(() => [])
  if (folder !== undefined && otherFolders.length === 0) return listDataFiles(folder)
  throw new CommandFailure(
    `${path}: the folder has no data files (.jsonl, .json, .csv, .tsv, .ion, also with .gz); name a data file.`,
  )
}

/** The data files of a full export; all of them must exist. */
async function listExportedFiles(folder: string): Promise<readonly string[]> {
  const { type, files } = await readExportFolder(folder)
  if (type === 'FULL_EXPORT') return files
  throw new CommandFailure(`${folder}: the changes of an incremental export are not rows; load it with --items.`)
}

/** Describes a file as an input of `load`. */
export async function toLoadInput(
  layout: Layout,
  path: string,
  options: InputOptions,
  name: string,
): Promise<LoadInput> {
  const stats = await stat(path).catch(() => {
    throw new CommandFailure(
      `${path}: the manifest names this file, but it does not exist; download all files of the export.`,
    )
  })
  if (!stats.isFile()) throw new CommandFailure(`${path}: this is not a file; name a file or a folder.`)
  const isGzipped = /\.gz$/i.test(path)
  const { nodes, edges } = layout.graph.declared
  const byName = [...nodes, ...edges].find(type => type.name === name.split('.')[0])?.name
  const format = options.format ?? (/\.(csv|tsv)(\.gz)?$/i.test(name) ? 'csv' : await detectFormat(path, isGzipped))
  const type = options.type ?? (format === 'dynamodb' || format === 'ion' ? undefined : byName)
  const separator = options.separator ?? (/\.tsv(\.gz)?$/i.test(name) ? '\t' : undefined)
  return {
    name: name === STANDARD_INPUT ? name : path,
    format,
    columns: options.column ?? {},
    sizeBytes: stats.size,
    changedMs: stats.mtimeMs,
    isGzipped,
    open: start => readBytes(path, isGzipped, start),
    ...(type !== undefined && { type }),
    ...(separator !== undefined && { separator }),
  }
}

const SNIFFED_BYTES = 65_536

/** Lines of DynamoDB JSON begin with the item, and those of Ion with the version of Ion. */
async function detectFormat(path: string, isGzipped: boolean): Promise<'json' | 'dynamodb' | 'ion'> {
  const file = await open(path).catch(error => {
    throw toInputFailure(path, error)
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES)
    const head = buffer.subarray(0, bytesRead)
    const text = isGzipped ? gunzipSync(head, { finishFlush: 2 /* the rest of the file is missing */ }) : head
    if (/^\s*\$ion_1_0\b/.test(text.toString('utf8'))) return 'ion'
    return /^\s*\{\s*"(Item|Metadata|Keys|NewImage|OldImage)"\s*:\s*\{/.test(text.toString('utf8'))
      ? 'dynamodb'
      : 'json'
  } catch (error) {
    throw toInputFailure(path, error as NodeJS.ErrnoException)
  } finally {
    await file.close()
  }
}

async function* readBytes(path: string, isGzipped: boolean, start: number): AsyncGenerator<Uint8Array> {
  const stream = createReadStream(path, { start: isGzipped ? 0 : start, highWaterMark: 256 * 1024 })
  try {
    if (!isGzipped) {
      yield* stream
      return
    }
    const gunzipped = stream.on('error', error => gunzipped.destroy(error)).pipe(createGunzip())
    let bytesToSkip = start
    for await (const chunk of gunzipped as AsyncIterable<Buffer>) {
      if (chunk.length > bytesToSkip) yield bytesToSkip > 0 ? chunk.subarray(bytesToSkip) : chunk
      bytesToSkip = Math.max(0, bytesToSkip - chunk.length)
    }
  } catch (error) {
    throw toInputFailure(path, error as NodeJS.ErrnoException)
  } finally {
    stream.destroy()
  }
}

function toInputFailure(path: string, error: NodeJS.ErrnoException): Error {
  if (error.code?.startsWith('Z_'))
    return new CommandFailure(`${path}: the gzip file is not complete (${error.message}); copy it again.`)
  return error.code ? toReadFailure(path, error) : error
}
