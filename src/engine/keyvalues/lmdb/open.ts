import { mkdirSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { RootDatabase, RootDatabaseOptionsWithPath } from 'lmdb'
import { checkFormat, DATA_FILE, writeFormat } from './format.js'

type Lmdb = typeof import('lmdb')

const LOCK_FOLDER = 'open'

export interface OpenedFolder {
  readonly database: RootDatabase<Buffer, Buffer>
  /** Lets others open the folder again. */
  release(): Promise<void>
}

/** Opens the database in a folder, or makes one, for this process alone. */
export function openFolder(path: string, flush: boolean): OpenedFolder {
  const lmdb = loadLmdb()
  mkdirSync(path, { recursive: true })
  const isNew = checkFormat(path)
  const release = lock(lmdb, path)
  try {
    const database = openDatabase(lmdb, path, flush)
    if (isNew) writeFormat(path)
    return { database, release }
  } catch (error) {
    void release()
    throw error
  }
}

/** An optional dependency, loaded by whoever opens a folder. */
function loadLmdb(): Lmdb {
  try {
    return createRequire(import.meta.url)('lmdb') as Lmdb
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code !== 'MODULE_NOT_FOUND') throw new Error(`the package lmdb cannot be loaded: ${message}`, { cause })
    throw new Error("disk() needs the package lmdb, which is not installed: run 'npm install lmdb'", { cause })
  }
}

function openDatabase(lmdb: Lmdb, path: string, flush: boolean): RootDatabase<Buffer, Buffer> {
  try {
    return lmdb.open({ ...RAW, path: realpathSync(path), ...(!flush && { noSync: true }) })
  } catch (error) {
    throw new Error(`${join(path, DATA_FILE)} cannot be opened: ${(error as Error).message}`, { cause: error })
  }
}

/** Writes are gathered before they come to LMDB, which need not wait for more. */
const RAW = {
  encoding: 'binary',
  keyEncoding: 'binary',
  noSubdir: false,
  eventTurnBatching: false,
} satisfies RootDatabaseOptionsWithPath

/**
 * LMDB itself lets many processes in. A database beside the data in which nothing is ever written has each process that
 * opened the folder among its readers, and by a lock of the system LMDB knows which of them are alive. Each enters
 * itself before it looks, so of two that come at once at least one sees the other.
 */
function lock(lmdb: Lmdb, path: string): () => Promise<void> {
  // Within a process LMDB knows a folder by its name, which must be one.
  const readers = lmdb.open({ ...RAW, path: join(realpathSync(path), LOCK_FOLDER), noSync: true })
  readers.readerCheck()
  const before = processes(readers)
  const reading = readers.useReadTransaction()
  readers.getBinaryFast(Buffer.from('reader'))
  const others = before.length > 0 ? before : withoutOwn(processes(readers))
  const release = async () => {
    reading.done()
    await readers.close()
  }
  if (others.length === 0) return release
  void release()
  const where = others[0] === process.pid ? 'this process already' : `process ${others[0]}`
  throw new Error(`${path} is open in ${where}: close it there first`)
}

function processes(database: RootDatabase): number[] {
  return Array.from(database.readerList().matchAll(/^\s*(\d+) /gm), ([, pid]) => Number(pid))
}

/** Whoever else has the number of this process is another one still, in another container. */
function withoutOwn(entered: readonly number[]): number[] {
  const own = entered.indexOf(process.pid)
  return entered.filter((_, i) => i !== own)
}
