import { assertKnownOptions } from '../store/check-options.js'
import { type EmbeddedStore, newEmbeddedStore } from './embedded.js'
import { ENGINE_OPTIONS, type EngineOptions, newEngine } from './engine.js'
import { newMemoryKeyValues } from './keyvalues/memory-key-values.js'
import { trimWhileIdle } from './streams/trim-while-idle.js'

/** How an engine in memory behaves. */
export interface MemoryOptions extends EngineOptions {}

const STREAM_BYTES = 64 * 1024 * 1024

/** A store that lives in this process and is gone with it. */
export function memory(options: MemoryOptions = {}): EmbeddedStore {
  // A path would be taken for options of which none is given, and what is written would be gone.
  if (typeof options !== 'object' || options === null)
    throw new TypeError('memory() takes options by name: a folder that keeps its data is disk(path)')
  assertKnownOptions('memory()', options, ENGINE_OPTIONS)
  const streams = { ...options.streams, retainedBytes: options.streams?.retainedBytes ?? STREAM_BYTES }
  const engine = newEngine(newMemoryKeyValues(), { ...options, streams })
  // A simulated clock moves only with calls, and a simulation must not depend on timers.
  if (!options.now) trimWhileIdle(engine)
  return newEmbeddedStore(engine)
}
