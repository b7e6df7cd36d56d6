import { resolve } from 'node:path'
import { assertKnownOptions } from '../store/check-options.js'
import { type EmbeddedStore, newEmbeddedStore } from './embedded.js'
import { ENGINE_OPTIONS, type Engine, type EngineOptions, newEngine } from './engine.js'
import { ServiceError } from './errors.js'
import { openLmdbKeyValues } from './keyvalues/lmdb/lmdb-key-values.js'
import { newMemoryKeyValues } from './keyvalues/memory-key-values.js'
import { DefinitionStore } from './persistence/definition-store.js'
import { decodeStored, encodeStored } from './persistence/stored-bytes.js'
import { Bucket } from './transfers/bucket.js'
import { failInterruptedExports } from './transfers/run-export.js'
import { failInterruptedImports } from './transfers/run-import.js'
import type { StoredItem } from './values/stored-item.js'

/** Options of {@link disk}. */
export interface DiskOptions extends EngineOptions {
  /**
   * Whether each write is flushed to the disk before it is acknowledged, so that it survives a power failure; default
   * true. With `false`, sequential writes are several times as fast and acknowledged writes survive the end of the
   * process, including `kill -9`. A power failure may then damage the whole folder.
   */
  readonly sync?: boolean | undefined
  /**
   * Whether every page of the file is read and checked before the store opens; default false. A damaged page then
   * throws an error here instead of ending the process later. Checksums of values are verified on every read in both
   * cases.
   */
  readonly check?: boolean | undefined
}

/** A store in a folder on disk. */
export interface Disk extends EmbeddedStore {
  /** Waits for pending writes to finish, then releases the folder for other processes. */
  close(): Promise<void>
}

/**
 * Opens a store in a folder on disk, which is created if it does not exist. Requires the package `lmdb`. Only one
 * process can have the folder open at a time.
 *
 * @param path - The folder.
 * @param options - Options of the engine, and how writes are flushed and checked.
 * @returns The store. Call `close()` when you no longer need it.
 * @throws {TypeError} when the path or an option is invalid.
 * @throws {Error} when the folder is damaged, is open in another process or has a newer format, or `lmdb` is not
 * installed.
 * @example
 * ```ts
 * import { disk } from 'edgewise/engine'
 *
 * const store = disk('./data')
 * await store.listTables({})
 * await store.close()
 * ```
 */
export function disk(path: string, options: DiskOptions = {}): Disk {
  // An empty path would resolve to the current working directory.
  if (typeof path !== 'string' || path === '' || typeof options !== 'object' || options === null)
    throw new TypeError(
      "disk(): a folder path is required and the options must be an object; call disk('./data', { sync: false }).",
    )
  assertKnownOptions('disk()', options, `sync, check, ${ENGINE_OPTIONS}`)
  if (options.streams?.retainedBytes !== undefined)
    throw new TypeError(
      'disk(): streams.retainedBytes is an option of memory() only; remove it, because a folder retains records for 24 hours.',
    )
  // Throws on invalid options before the folder is created or opened.
  newEngine(newMemoryKeyValues(), options)
  const keyValues = openLmdbKeyValues(resolve(path), {
    encode: encodeStored,
    decode: bytes => decodeOrReportDamage(path, bytes),
    isRefusal: error => error instanceof ServiceError,
    flush: options.sync ?? true,
    check: options.check ?? false,
  })
  const engine = newEngine(keyValues, options)
  const definitions = new DefinitionStore(engine)
  try {
    definitions.load()
  } catch (error) {
    void keyValues.close()
    throw new Error(
      `${path}: the folder is damaged because its tables cannot be read; restore it from a backup copy.`,
      { cause: error },
    )
  }
  keyValues.setCommitListener({ beforeCommit: () => definitions.save(), afterFailure: () => definitions.load() })
  failInterrupted(engine)
  const close = async () => {
    await engine.jobs.stop()
    await keyValues.close()
  }
  return Object.assign(newEmbeddedStore(engine), { close })
}

/** Ends the exports and imports that were in progress when the folder was closed. */
function failInterrupted(engine: Engine): void {
  const { exportsFolder } = engine.settings
  failInterruptedExports(engine, name => (exportsFolder === undefined ? undefined : new Bucket(exportsFolder, name)))
  failInterruptedImports(engine)
}

/** Only this engine writes the file, so a value that cannot be decoded is damaged. */
function decodeOrReportDamage(path: string, bytes: Buffer): StoredItem {
  try {
    return decodeStored(bytes)
  } catch (cause) {
    throw new Error(`${path}: the folder is damaged because a value cannot be read; restore it from a backup copy.`, {
      cause,
    })
  }
}
