import { checkKnown } from '../store/known-options.js'
import { type Embedded, embeddedStore } from './embedded.js'
import { ENGINE_OPTIONS, type EngineOptions, newEngine } from './engine.js'
import { memoryKeyValues } from './keyvalues/memory.js'

/** How an engine in memory behaves. */
export interface MemoryOptions extends EngineOptions {}

/** A store that lives in this process and is gone with it. */
export function memory(options: MemoryOptions = {}): Embedded {
  // A path would be taken for options of which none is given, and what is written would be gone.
  if (typeof options !== 'object' || options === null)
    throw new TypeError('memory() takes options by name: a folder that keeps its data is disk(path)')
  checkKnown('memory()', options, ENGINE_OPTIONS)
  return embeddedStore(newEngine(memoryKeyValues(), options))
}
