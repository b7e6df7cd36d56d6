import type { Engine } from '../engine.js'
import { carryOut } from '../items/action.js'

/** Deletes every item whose time is over. Within a write. */
export function deleteExpired(engine: Engine): void {
  const nowMs = engine.now()
  engine.agenda.clear()
  for (const table of engine.tables.values()) {
    if (!table.expiry) continue
    if (table.expiry.isDue(nowMs))
      for (const key of table.expiry.due(nowMs))
        carryOut({ table, key, before: table.space.get(key), after: undefined }, false, true)
    table.expiry.planNext(nowMs)
  }
}
