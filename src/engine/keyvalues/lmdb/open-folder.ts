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
  /** Lets others open the folder again. */
  release(): Promise<void>
}

/** Opens the database in a folder, or makes one, for this process alone. */
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
    const why = isFile ? 'it is a file' : (error as Error).message
    throw new Error(`${path} cannot be a folder of data: ${why}`, { cause: error })
  }
}

/** LMDB ends the process where it may not write a file, or has no room for one that it makes. */
function checkFiles(path: string): void {
  const files = [DATA_FILE, LOCK_FILE].flatMap(file => [join(path, file), join(path, LOCK_FOLDER, file)])
  const existing = files.filter(file => existsSync(file))
  for (const file of existing) checkAccess(file)
  if (existing.length < files.length) checkRoom(path)
}

/** Without opening it, after which the system forgets the locks that this process may have on it. */
function checkAccess(file: string): void {
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
  } catch (error) {
    throw new Error(`${file} cannot be opened: ${(error as Error).message}`, { cause: error })
  }
}

/** The files of a new folder take less than the room below which a disk counts as full. */
function checkRoom(path: string): void {
  if (isDiskFull(path)) throw new Error(`${path} cannot be opened: its disk is full`)
}

function openDatabase(lmdb: Lmdb, path: string, flush: boolean): RootDatabase<Buffer, string> {
  try {
    return lmdb.open({ ...RAW_OPTIONS, path: realpathSync(path), ...(!flush && { noSync: true }) })
  } catch (error) {
    throw new Error(`${join(path, DATA_FILE)} cannot be opened: ${(error as Error).message}`, { cause: error })
  }
}

/** Writes are gathered before they come to LMDB, which need not wait for more. */
const RAW_OPTIONS = {
  // As it is: what is put is copied within the call, and what is got is valid until the next.
  encoding: 'binary',
  encoder: { encode: (bytes: Buffer) => bytes, decode: (bytes: Buffer) => bytes },
  keyEncoder: { writeKey, readKey },
  noSubdir: false,
  eventTurnBatching: false,
} satisfies RootDatabaseOptionsWithPath

/**
 * LMDB itself lets many processes in. A database beside the data in which nothing is ever written has each process that
 * opened the folder among its readers, and by a lock of the system LMDB knows which of them are alive. Each enters
 * itself before it looks, so of two that come at once at least one sees the other.
 */
function lockFolder(lmdb: Lmdb, path: string): () => Promise<void> {
  // Within a process LMDB knows a folder by its name, which must be one.
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
  const where = others[0] === process.pid ? 'this process already' : `process ${others[0]}`
  throw new Error(`${path} is open in ${where}: close it there first`)
}

function readerProcessesOf(database: RootDatabase): number[] {
  return Array.from(database.readerList().matchAll(/^\s*(\d+) /gm), ([, pid]) => Number(pid))
}

/** Whoever else has the number of this process is another one still, in another container. */
function excludeOwnProcess(entered: readonly number[]): number[] {
  const ownIndex = entered.indexOf(process.pid)
  return entered.filter((_, i) => i !== ownIndex)
}

/** Keys are texts of one character a byte. */
function writeKey(key: string, target: Buffer, start: number): number {
  const end = start + key.length
  if (end > target.length) throw new RangeError(`a key of ${key.length} bytes`)
  target.write(key, start, 'latin1')
  return end
}

function readKey(source: Buffer, start: number, end: number): string {
  return source.toString('latin1', start, end)
}
