import type { Administration, Backups, Service, Streams, Vectors } from '../store/port.js'
import type { Engine } from './engine.js'
import { attachEngineHooks, withEngineHooks } from './hooks.js'
import { newEngineStore } from './store.js'
import { type HeatReport, newHeatReport } from './traffic/heat-report.js'

/**
 * Marks stores that cost nothing and create tables without delay, so that a client may create its table automatically.
 */
const EMBEDDED = Symbol.for('edgewise.embedded')

/** A store in this process: the operations of DynamoDB, and reports that only an embedded store can give. */
export interface EmbeddedStore extends Service, Streams, Vectors, Administration, Backups {
  /**
   * Returns the partition keys of a table and of each of its indexes that were read and written most since the store
   * was opened, with their throttled requests. Requires the option `heat` or `throttle`.
   */
  heat(tableName: string): HeatReport
}

export function newEmbeddedStore(engine: Engine): EmbeddedStore {
  const { engine: telling, of } = withEngineHooks(engine)
  const store = Object.assign(newEngineStore(telling), {
    heat: (tableName: string) => newHeatReport(engine, tableName),
  })
  attachEngineHooks(store, of)
  // `src/embedded.ts` replaces this value by a function that adds the handling of derived data.
  return Object.defineProperty(store, EMBEDDED, { value: true, configurable: true })
}
