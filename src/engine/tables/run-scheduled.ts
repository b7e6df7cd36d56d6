import type { Engine } from '../engine.js'
import { applyLaggedChanges } from '../indexes/maintain-indexes.js'
import { applyLaggedVectorChanges, fillVectorIndexes } from '../vectors/maintain-vector-indexes.js'
import { deleteExpiredItems } from './delete-expired.js'

/** Runs all due background work of the service. Must run within a write. */
export function runScheduledWork(engine: Engine): void {
  const nowMs = engine.now()
  engine.schedule.clear()
  for (const table of engine.tables.values()) {
    fillVectorIndexes(table)
    deleteExpiredItems(table, nowMs)
    applyLaggedChanges(table, nowMs)
    applyLaggedVectorChanges(table, nowMs)
  }
}
