import type { Engine } from '../engine.js'
import { catchUp } from '../indexes/maintain.js'
import { catchUpVectorIndexes, fillVectorIndexes } from '../vectors/maintain.js'
import { deleteExpired } from './delete-expired.js'

/** Does what the service does by itself, as far as its time has come. Within a write. */
export function doWhatIsDue(engine: Engine): void {
  const nowMs = engine.now()
  engine.agenda.clear()
  for (const table of engine.tables.values()) {
    fillVectorIndexes(table)
    deleteExpired(table, nowMs)
    catchUp(table, nowMs)
    catchUpVectorIndexes(table, nowMs)
  }
}
