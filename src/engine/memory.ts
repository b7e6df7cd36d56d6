import { assertKnownOptions } from '../store/check-options.js'
import { type EmbeddedStore, newEmbeddedStore } from './embedded.js'
import { ENGINE_OPTIONS, type EngineOptions, newEngine } from './engine.js'
import { newMemoryKeyValues } from './keyvalues/memory-key-values.js'
import { trimWhileIdle } from './streams/trim-while-idle.js'

/** Options of {@link memory}. */
export interface MemoryOptions extends EngineOptions {}

const STREAM_BYTES = 64 * 1024 * 1024

/**
 * Creates a store in the memory of this process. Its data is lost when the process ends.
 *
 * @param options - Options of the engine.
 * @returns The store.
 * @throws {TypeError} when an option is unknown.
 * @throws {RangeError} when the value of an option is invalid.
 * @example
 * ```ts
 * import { memory } from 'edgewise/engine'
 *
 * const store = memory({ region: 'eu-west-1' })
 * await store.listTables({})
 * ```
 */
export function memory(options: MemoryOptions = {}): EmbeddedStore {
  // A path would otherwise be treated as empty options, and the data would be lost.
  if (typeof options !== 'object' || options === null)
    throw new TypeError("memory(): the options must be an object; use disk('./data') to store data in a folder.")
  assertKnownOptions('memory()', options, ENGINE_OPTIONS)
  const streams = { ...options.streams, retainedBytes: options.streams?.retainedBytes ?? STREAM_BYTES }
  const engine = newEngine(newMemoryKeyValues(), { ...options, streams })
  // A simulated clock moves only between calls, and a simulation must not depend on timers.
  if (!options.now) trimWhileIdle(engine)
  return newEmbeddedStore(engine)
}
