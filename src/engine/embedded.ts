import type { Administration, Backups, Service, Streams, Vectors } from '../store/port.js'
import type { Engine } from './engine.js'
import { attachEngineHooks, withEngineHooks } from './hooks.js'
import { newEngineStore } from './store.js'
import { type HeatReport, newHeatReport } from './traffic/heat-report.js'

/** Tells whoever opens it that nothing has to be paid or waited for: a table can be made without being asked for. */
const EMBEDDED = Symbol.for('edgewise.embedded')

/** A store in this process: DynamoDB's operations, and what only such a store can tell. */
export interface EmbeddedStore extends Service, Streams, Vectors, Administration, Backups {
  /**
   * Which partition keys of a table and of each of its indexes are read and written most, and what was throttled, since
   * the store was opened; for stores with the option `heat` or `throttle`.
   */
  heat(tableName: string): HeatReport
}

export function newEmbeddedStore(engine: Engine): EmbeddedStore {
  const { engine: telling, of } = withEngineHooks(engine)
  const store = Object.assign(newEngineStore(telling), {
    heat: (tableName: string) => newHeatReport(engine, tableName),
  })
  attachEngineHooks(store, of)
  // Whoever can keep derived data says by a function that it does: see the entry `src/embedded.ts`.
  return Object.defineProperty(store, EMBEDDED, { value: true, configurable: true })
}
