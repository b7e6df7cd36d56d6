import type { Service, Streams } from '../store/port.js'
import type { Engine } from './engine.js'
import { engineStore } from './store.js'

/** Tells whoever opens it that nothing has to be paid or waited for: a table can be made without being asked for. */
const EMBEDDED = Symbol.for('edgewise.embedded')

export function embeddedStore(engine: Engine): Service & Streams {
  return Object.defineProperty(engineStore(engine), EMBEDDED, { value: true })
}
