import { checkKnown } from '../store/known-options.js'
import { type Embedded, embeddedStore } from './embedded.js'
import { ENGINE_OPTIONS, type EngineOptions, newEngine } from './engine.js'
import { memoryKeyValues } from './keyvalues/memory.js'
import { trimWhileIdle } from './streams/trim-while-idle.js'

/** How an engine in memory behaves. */
export interface MemoryOptions extends EngineOptions {}

const STREAM_BYTES = 64 * 1024 * 1024

/** A store that lives in this process and is gone with it. */
export function memory(options: MemoryOptions = {}): Embedded {
  // A path would be taken for options of which none is given, and what is written would be gone.
  if (typeof options !== 'object' || options === null)
    throw new TypeError('memory() takes options by name: a folder that keeps its data is disk(path)')
  checkKnown('memory()', options, ENGINE_OPTIONS)
  const streams = { ...options.streams, retainedBytes: options.streams?.retainedBytes ?? STREAM_BYTES }
  const engine = newEngine(memoryKeyValues(), { ...options, streams })
  // A simulated clock moves only with calls, and a simulation must not depend on timers.
  if (!options.now) trimWhileIdle(engine)
  return embeddedStore(engine)
}
