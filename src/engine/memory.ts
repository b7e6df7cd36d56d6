import type { Service, Streams } from '../store/port.js'
import { embeddedStore } from './embedded.js'
import { type EngineOptions, newEngine } from './engine.js'
import { memoryKeyValues } from './keyvalues/memory.js'

export interface MemoryOptions extends EngineOptions {}

/** A store that lives in this process and is gone with it. */
export function memory(options: MemoryOptions = {}): Service & Streams {
  return embeddedStore(newEngine(memoryKeyValues(), options))
}
