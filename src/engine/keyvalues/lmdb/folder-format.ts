import { closeSync, existsSync, fstatSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCurrentMeta } from './meta-pages.js'
import { hasAllReachablePages } from './reachable-pages.js'

/** Since format 2, values end in a checksum. Values of format 1 stay readable. */
const FORMAT = 2
const FORMAT_FILE = 'edgewise.json'
export const DATA_FILE = 'data.mdb'
const RESTORE = 'restore the folder from a backup copy.'

/**
 * Returns whether the format file must be written, because the folder is new or has an older format. Throws if the data
 * is missing, because an existing folder is never treated as new.
 */
export function checkFolderFormat(path: string): boolean {
  const file = join(path, FORMAT_FILE)
  if (!existsSync(file)) return true
  const format = readFolderFormat(file)
  if (format > FORMAT)
    throw new Error(
      `${path}: the folder has the newer format ${format}, but this version supports formats up to ${FORMAT}; update edgewise.`,
    )
  const dataBytes = statSync(join(path, DATA_FILE), { throwIfNoEntry: false })?.size
  if (!dataBytes)
    throw new Error(
      `${path}: the folder is damaged because ${DATA_FILE} is ${dataBytes === 0 ? 'empty' : 'missing'}; ${RESTORE}`,
    )
  return format < FORMAT
}

/** Returns whether a folder certainly has no data of the engine, for callers that must not create any. */
export function isNoData(path: string): boolean {
  try {
    return !statSync(join(path, FORMAT_FILE), { throwIfNoEntry: false })
  } catch {
    // The path is a file or is not accessible. Opening it reports the error.
    return false
  }
}

/** Writes a new file and renames it. A partially written format file could not be distinguished from a damaged one. */
export function writeFolderFormat(path: string): void {
  const file = join(path, FORMAT_FILE)
  writeFileSync(`${file}.new`, `${JSON.stringify({ format: FORMAT })}\n`, { flush: true })
  renameSync(`${file}.new`, file)
}

function readFolderFormat(file: string): number {
  const text = readFileSync(file, 'utf8')
  try {
    const { format } = JSON.parse(text) as { format?: unknown }
    if (typeof format === 'number') return format
  } catch {}
  throw new Error(`${file}: the file is damaged because it does not state the format of the data; ${RESTORE}`)
}

/**
 * Checks the data file before LMDB opens it, because LMDB ends the process on a wrong or truncated file. Returns
 * whether LMDB must roll back to the last flush before the machine stopped. With `checksAllPages`, every page is read
 * and the trees must be valid, because LMDB ends the process on a damaged page.
 */
export function checkDataFile(path: string, checksAllPages = false): boolean {
  const file = join(path, DATA_FILE)
  if (!statSync(file, { throwIfNoEntry: false })?.size) return false
  const descriptor = openSync(file, 'r')
  try {
    const meta = readCurrentMeta(descriptor)
    if (!meta)
      throw new Error(
        `${path}: the folder is damaged because ${DATA_FILE} is not an LMDB file or its first pages are damaged; ${RESTORE}`,
      )
    const pages = Math.floor(fstatSync(descriptor).size / meta.pageBytes)
    if ((checksAllPages || pages <= meta.lastPage) && !hasAllReachablePages(descriptor, meta, pages))
      throw new Error(
        `${path}: the folder is damaged because ${DATA_FILE} was truncated or has damaged pages; ${RESTORE}`,
      )
    return meta.mustRollBack
  } finally {
    closeSync(descriptor)
  }
}
