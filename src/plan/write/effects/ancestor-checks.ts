import type { PlannedChange, WriteSubject } from '../../plan.js'
import { ascend } from '../ancestors.js'
import { type ItemWrites, itemWrite } from './item-write.js'
import { requireUnchanged } from './own-item.js'

/** Holds a put of an edge of a tree to the edges above it, as they were read. */
export function checkAscent(
  writes: ItemWrites,
  change: PlannedChange,
  changes: readonly PlannedChange[],
  { type, call }: WriteSubject,
): void {
  for (const key of ascend(writes.layout, change, changes, writes.readItems).keys) {
    if (writes.writeOf(key)) continue
    const part = itemWrite('ConditionCheck', key, { type, identity: change.identity, call }, 'retry')
    const before = writes.priorItem(key)
    part.before = part.after = before ?? undefined
    requireUnchanged(writes.layout.names, writes.add(part).expression, before)
  }
}
