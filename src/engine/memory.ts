import type { Service, Streams } from '../store/port.js'
import { type EngineOptions, newEngine } from './engine.js'
import { memoryKeyValues } from './keyvalues/memory.js'
import { engineStore } from './store.js'

/** Tells whoever opens it that nothing has to be paid or waited for: a table can be made without being asked for. */
const EMBEDDED = Symbol.for('edgewise.embedded')

export interface MemoryOptions extends EngineOptions {}

/** A store that lives in this process and is gone with it. */
export function memory(options: MemoryOptions = {}): Service & Streams {
  const store = engineStore(newEngine(memoryKeyValues(), options))
  return Object.defineProperty(store, EMBEDDED, { value: true })
}
