import { executeWrite } from '../items/write-action.js'
import type { Table } from './table.js'

/** Deletes a batch of expired items of a table. Must run within a write. */
export function deleteExpiredItems(table: Table, nowMs: number): void {
  if (!table.expiry) return
  if (table.expiry.isDue(nowMs))
    for (const key of table.expiry.dueKeys(nowMs))
      executeWrite({ table, key, before: table.space.get(key), after: undefined }, false, { expired: true })
  table.expiry.scheduleNext(nowMs)
}
