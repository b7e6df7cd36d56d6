import { declareEmbedded } from '../store/embedded.js'
import type { Administration, Backups, Service, Streams, Transfers, Vectors } from '../store/port.js'
import type { Engine } from './engine.js'
import { attachEngineHooks, withEngineHooks } from './hooks.js'
import { newEngineStore } from './store.js'
import { type HeatReport, newHeatReport } from './traffic/heat-report.js'

/** A store in this process: the operations of DynamoDB, and reports that only an embedded store can give. */
export interface EmbeddedStore extends Service, Streams, Vectors, Administration, Backups, Transfers {
  /**
   * Returns the partition keys of a table and of each of its indexes that were read and written most since the store
   * was opened, with their throttled requests. Requires the option `heat` or `throttle`.
   *
   * @param tableName - The name or ARN of the table.
   * @returns The traffic of the table and of each of its indexes.
   * @throws {Error} when the store does not count traffic.
   * @throws {ResourceNotFoundException} when the table does not exist.
   * @example
   * ```ts
   * import { graph, node, open, string } from 'edgewise'
   * import { memory } from 'edgewise/engine'
   *
   * const store = memory({ heat: true })
   * await open(graph('orders', [node('order', { id: string() }, { id: 'id' })]), store)
   * const report = store.heat('orders')
   * ```
   */
  heat(tableName: string): HeatReport
}

export function newEmbeddedStore(engine: Engine): EmbeddedStore {
  const { engine: notifyingEngine, hooks } = withEngineHooks(engine)
  const store = Object.assign(newEngineStore(notifyingEngine), {
    heat: (tableName: string) => newHeatReport(engine, tableName),
  })
  attachEngineHooks(store, hooks)
  // `src/embedded.ts` replaces the services by those that maintain derived data.
  return declareEmbedded(store, {})
}
