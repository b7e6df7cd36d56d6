import { type Embedded, embeddedStore } from './embedded.js'
import { type EngineOptions, newEngine } from './engine.js'
import { memoryKeyValues } from './keyvalues/memory.js'

/** How an engine in memory behaves. */
export interface MemoryOptions extends EngineOptions {}

/** A store that lives in this process and is gone with it. */
export function memory(options: MemoryOptions = {}): Embedded {
  return embeddedStore(newEngine(memoryKeyValues(), options))
}
