import type { Engine } from '../engine.js'
import { applyLaggedChanges } from '../indexes/maintain-indexes.js'
import { applyLaggedVectorChanges, fillVectorIndexes } from '../vectors/maintain-vector-indexes.js'
import { deleteExpiredItems } from './delete-expired.js'

/** Does what the service does by itself, as far as its time has come. Within a write. */
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
