import type { Engine } from '../engine.js'
import { findControlPlaneTable } from '../tables/find-table.js'
import type { Table, TableIndex } from '../tables/table.js'
import type { KeyHeat, TakenUnits } from './key-heat.js'
import type { Traffic } from './traffic.js'

/** The traffic of a table or an index since the store was opened. */
export interface TrafficReport {
  /** The partition keys with the highest traffic first, measured as a share of the limits of a partition. */
  readonly keys: readonly KeyHeat[]
  /** Traffic that is not attributed to a key: scans, and the keys with the least traffic beyond the maximum number. */
  readonly rest: TakenUnits
  readonly consumed: TakenUnits
  /** The numbers of throttled requests. */
  readonly throttled: { readonly reads: number; readonly writes: number }
}

/** The traffic of a table and of each of its indexes. */
export interface HeatReport {
  readonly table: TrafficReport
  readonly indexes: Readonly<Record<string, TrafficReport>>
}

export function newHeatReport(engine: Engine, tableName: string): HeatReport {
  const { traffic } = engine
  if (!traffic)
    throw new Error('heat(): the store does not count its traffic; create it with the option { heat: true }.')
  const table = findControlPlaneTable(engine, tableName)
  return {
    table: newTrafficReport(traffic, table, undefined),
    indexes: Object.fromEntries(table.indexes.map(index => [index.name, newTrafficReport(traffic, table, index)])),
  }
}

function newTrafficReport(traffic: Traffic, table: Table, index: TableIndex | undefined): TrafficReport {
  const { consumed, throttled, heat } = traffic.measuresOf({ table, index })
  return {
    keys: heat.hottest((index ?? table).keys),
    rest: heat.rest(),
    consumed: { readUnits: consumed.Read, writeUnits: consumed.Write },
    throttled: { reads: throttled.Read, writes: throttled.Write },
  }
}
