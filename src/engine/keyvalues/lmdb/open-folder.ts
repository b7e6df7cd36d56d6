import { accessSync, constants, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { RootDatabase, RootDatabaseOptionsWithPath } from 'lmdb'
import { isDiskFull } from './disk-full.js'
import { checkDataFile, checkFolderFormat, DATA_FILE, writeFolderFormat } from './folder-format.js'
import { loadLmdb } from './load-lmdb.js'

type Lmdb = typeof import('lmdb')

const LOCK_FOLDER = 'open'
const LOCK_FILE = 'lock.mdb'

export interface OpenedFolder {
  readonly database: RootDatabase<Buffer, string>
  /** Releases the folder for other processes. */
  release(): Promise<void>
}

/** Opens or creates the database in a folder, exclusively for this process. */
export function openFolder(path: string, flush: boolean, check = false): OpenedFolder {
  const lmdb = loadLmdb()
  makeFolder(path)
  const mustWriteFormat = checkFolderFormat(path)
  checkFiles(path)
  const release = lockFolder(lmdb, path)
  try {
    const mustFlush = checkDataFile(path, check)
    const database = openDatabase(lmdb, path, flush || mustFlush)
    if (mustWriteFormat) writeFolderFormat(path)
    return { database, release }
  } catch (error) {
    void release()
    throw error
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true })
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const isFile = existsSync(path) && !statSync(path).isDirectory()
    const why = isFile ? 'the path is a file' : (error as Error).message
    throw new Error(`${path}: the data folder cannot be opened (${why}); use a folder that this process can write.`, {
      cause: error,
    })
  }
}

/** LMDB ends the process if it has no permission to write a file, or no disk space for a new one. */
function checkFiles(path: string): void {
  const files = [DATA_FILE, LOCK_FILE].flatMap(file => [join(path, file), join(path, LOCK_FOLDER, file)])
  const existing = files.filter(file => existsSync(file))
  for (const file of existing) checkAccess(file)
  if (existing.length < files.length) checkRoom(path)
}

/** Checks the permissions without opening the file, because closing it would release this process's locks on it. */
function checkAccess(file: string): void {
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
  } catch (error) {
    throw new Error(
      `${file}: the file cannot be opened (${(error as Error).message}); allow this process to read and write it.`,
      { cause: error },
    )
  }
}

/** A new folder's files need less space than the limit below which a disk counts as full. */
function checkRoom(path: string): void {
  if (isDiskFull(path))
    throw new Error(`${path}: the folder cannot be opened because its disk is full; free some space.`)
}

function openDatabase(lmdb: Lmdb, path: string, flush: boolean): RootDatabase<Buffer, string> {
  try {
    return lmdb.open({ ...RAW_OPTIONS, path: realpathSync(path), ...(!flush && { noSync: true }) })
  } catch (error) {
    throw new Error(
      `${join(path, DATA_FILE)}: LMDB cannot open the file (${(error as Error).message}); check the folder and its disk.`,
      { cause: error },
    )
  }
}

/** The commit queue already batches writes, so LMDB need not wait for more. */
const RAW_OPTIONS = {
  // No encoding: written bytes are copied within the call, and read bytes are valid until the next read.
  encoding: 'binary',
  encoder: { encode: (bytes: Buffer) => bytes, decode: (bytes: Buffer) => bytes },
  keyEncoder: { writeKey, readKey },
  noSubdir: false,
  eventTurnBatching: false,
} satisfies RootDatabaseOptionsWithPath

/**
 * Locks a folder for this process; LMDB itself would admit many processes. Each process that opens the folder becomes a
 * reader of a second database next to the data, which is never written. LMDB uses a system lock to know which readers
 * are alive. Each process registers before it looks, so of two concurrent ones at least one sees the other.
 */
function lockFolder(lmdb: Lmdb, path: string): () => Promise<void> {
  // Within a process LMDB identifies a folder by its path, so the path must be canonical.
  const folder = join(realpathSync(path), LOCK_FOLDER)
  checkDataFile(folder)
  const readers = lmdb.open({ ...RAW_OPTIONS, path: folder, noSync: true })
  readers.readerCheck()
  const before = readerProcessesOf(readers)
  const reading = readers.useReadTransaction()
  readers.getBinaryFast('reader')
  const others = before.length > 0 ? before : excludeOwnProcess(readerProcessesOf(readers))
  const release = async () => {
    reading.done()
    await readers.close()
  }
  if (others.length === 0) return release
  void release()
  const where = others[0] === process.pid ? 'this process' : `process ${others[0]}`
  throw new Error(`${path}: the folder is already open in ${where}; close it there first.`)
}

function readerProcessesOf(database: RootDatabase): number[] {
  return Array.from(database.readerList().matchAll(/^\s*(\d+) /gm), ([, pid]) => Number(pid))
}

/** Removes this process's own entry. A second entry with the same process ID is a process in another container. */
function excludeOwnProcess(entered: readonly number[]): number[] {
  const ownIndex = entered.indexOf(process.pid)
  return entered.filter((_, i) => i !== ownIndex)
}

/** Writes a key, which is a text with one character per byte. */
function writeKey(key: string, target: Buffer, start: number): number {
  const end = start + key.length
  if (end > target.length)
    throw new RangeError(`engine: a key of ${key.length} bytes exceeds LMDB's limit; report this bug of edgewise.`)
  target.write(key, start, 'latin1')
  return end
}

function readKey(source: Buffer, start: number, end: number): string {
  return source.toString('latin1', start, end)
}
