import type { Engine } from '../engine.js'
import { findControlPlaneTable } from '../tables/find-table.js'
import type { Table, TableIndex } from '../tables/table.js'
import type { KeyHeat, TakenUnits } from './key-heat.js'
import type { Traffic } from './traffic.js'

/** What went to a table or an index since the store was opened. */
export interface TrafficReport {
  /** Its partition keys, the hottest first, by what share of a partition's limits they took. */
  readonly keys: readonly KeyHeat[]
  /** What is not told by key: Scans, and the coldest keys where there are more than are told apart. */
  readonly rest: TakenUnits
  readonly consumed: TakenUnits
  /** How many requests it had no capacity for. */
  readonly throttled: { readonly reads: number; readonly writes: number }
}

/** What went to a table and to each of its indexes. */
export interface HeatReport {
  readonly table: TrafficReport
  readonly indexes: Readonly<Record<string, TrafficReport>>
}

export function newHeatReport(engine: Engine, tableName: string): HeatReport {
  const { traffic } = engine
  if (!traffic) throw new Error('nothing is counted: open the store with { heat: true }')
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
