import { closeSync, existsSync, fstatSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCurrentMeta } from './meta-pages.js'
import { hasAllReachablePages } from './reachable-pages.js'

/** 2 since values end in a checksum. Values of format 1 stay readable. */
const FORMAT = 2
const FORMAT_FILE = 'edgewise.json'
export const DATA_FILE = 'data.mdb'

/** Whether the format of a folder is yet to be written: it is new or of an older version. Missing data is never taken for a new folder. */
export function checkFolderFormat(path: string): boolean {
  const file = join(path, FORMAT_FILE)
  if (!existsSync(file)) return true
  const format = readFolderFormat(file)
  if (format > FORMAT)
    throw new Error(`${path} has format ${format} of a newer edgewise, and this one knows ${FORMAT}: update edgewise`)
  const dataBytes = statSync(join(path, DATA_FILE), { throwIfNoEntry: false })?.size
  if (!dataBytes) throw new Error(`${path} is damaged: ${DATA_FILE} is ${dataBytes === 0 ? 'empty' : 'missing'}`)
  return format < FORMAT
}

/** Whether it is certain that nobody keeps data of the engine there: for those who would not make any. */
export function isNoData(path: string): boolean {
  try {
    return !statSync(join(path, FORMAT_FILE), { throwIfNoEntry: false })
  } catch {
    // A file, or a folder that is closed to this process: whoever opens it is told.
    return false
  }
}

/** Under its name it is whole or absent: a part of it could not be told from damage. */
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
  throw new Error(`${file} is damaged: it does not tell the format of the data`)
}

/**
 * Looks at the data before LMDB does, which ends the process where it is given another file or one that was cut short.
 * Answers whether it has to be opened with flushing, so that LMDB goes back to what was flushed last before the machine
 * stopped. With `wholly`, every page is read and the trees must be sound: LMDB ends the process where a page is not.
 */
export function checkDataFile(path: string, checksAllPages = false): boolean {
  const file = join(path, DATA_FILE)
  if (!statSync(file, { throwIfNoEntry: false })?.size) return false
  const descriptor = openSync(file, 'r')
  try {
    const meta = readCurrentMeta(descriptor)
    if (!meta) throw new Error(`${path} is damaged: ${DATA_FILE} is not a file of LMDB, or its beginning is damaged`)
    const pages = Math.floor(fstatSync(descriptor).size / meta.pageBytes)
    if ((checksAllPages || pages <= meta.lastPage) && !hasAllReachablePages(descriptor, meta, pages))
      throw new Error(`${path} is damaged: ${DATA_FILE} was cut short, or pages of it are damaged`)
    return meta.mustRollBack
  } finally {
    closeSync(descriptor)
  }
}
