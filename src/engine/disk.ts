import { resolve } from 'node:path'
import { assertKnownOptions } from '../store/check-options.js'
import { type EmbeddedStore, newEmbeddedStore } from './embedded.js'
import { ENGINE_OPTIONS, type EngineOptions, newEngine } from './engine.js'
import { ServiceError } from './errors.js'
import { openLmdbKeyValues } from './keyvalues/lmdb/lmdb-key-values.js'
import { newMemoryKeyValues } from './keyvalues/memory-key-values.js'
import { DefinitionStore } from './persistence/definition-store.js'
import { decodeStored, encodeStored } from './persistence/stored-bytes.js'
import type { StoredItem } from './values/stored-item.js'

/** How an engine on disk behaves. */
export interface DiskOptions extends EngineOptions {
  /**
   * Whether a write is flushed to the disk itself before it is acknowledged, so that it survives the loss of power; yes
   * unless said. Without it, what was acknowledged survives the end of the process, also by `kill -9`, and writes that
   * are awaited one by one are several times as fast, but the loss of power may damage all of it.
   */
  readonly sync?: boolean | undefined
  /**
   * Whether every page of the file is read and checked before it is opened; no by default. A damaged page then throws,
   * where it would end the process later. Values have checksums that are verified on every read, with this or without.
   */
  readonly check?: boolean | undefined
}

export interface Disk extends EmbeddedStore {
  /** Waits for the writes that are under way, and lets others open the folder. */
  close(): Promise<void>
}

/** A store in a folder on disk, made where there is none, by the package `lmdb`. One process at a time has it open. */
export function disk(path: string, options: DiskOptions = {}): Disk {
  // An empty one would be the folder in which the program is run.
  if (typeof path !== 'string' || path === '' || typeof options !== 'object' || options === null)
    throw new TypeError("disk() takes the path of a folder, and options by name: disk('./data', { sync: false })")
  assertKnownOptions('disk()', options, `sync, check, ${ENGINE_OPTIONS}`)
  if (options.streams?.retainedBytes !== undefined)
    throw new TypeError(
      'disk(): streams.retainedBytes is an option of memory() only; a folder keeps records for 24 hours',
    )
  // Throws where an option is wrong, before there is a folder that would stay open.
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
    throw new Error(`${path} is damaged: its tables cannot be read`, { cause: error })
  }
  keyValues.setCommitListener({ beforeCommit: () => definitions.save(), afterFailure: () => definitions.load() })
  return Object.assign(newEmbeddedStore(engine), { close: () => keyValues.close() })
}

/** A value that cannot be read is damaged: nothing else writes to the file. */
function decodeOrReportDamage(path: string, bytes: Buffer): StoredItem {
  try {
    return decodeStored(bytes)
  } catch (cause) {
    throw new Error(`${path} is damaged: a value cannot be read; restore the folder from a backup copy`, { cause })
  }
}
