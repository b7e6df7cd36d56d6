import type { Key } from '../../../dynamodb/attribute-value.js'
import { closureStateOf, lineageBelow } from '../../../layout/items/closure.js'
import { closureItemsOf } from '../../../layout/items/closure-items.js'
import { keySlotsOf } from '../../../layout/kinds.js'
import type { DeclaredEdge } from '../../../schema/declarations.js'
import type { PlannedChange, WriteSubject } from '../../plan.js'
import { traitsOf } from '../../type-traits.js'
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
  const { keys } = ascend(writes.layout, change, changes, writes.readItems)
  assertPathFits(writes, change, keys[0]!)
  for (const key of keys) {
    if (writes.writeOf(key)) continue
    const part = itemWrite('ConditionCheck', key, { type, identity: change.identity, call }, 'retry')
    const before = writes.priorItem(key)
    part.before = part.after = before ?? undefined
    requireUnchanged(writes.layout.names, writes.add(part).expression, before)
  }
}

/**
 * Throws `key.long` if a key of the closure cannot hold the path to the child. Otherwise the consumer could not write
 * the closure of the child after the put.
 */
function assertPathFits(writes: ItemWrites, { type, identity }: PlannedChange, above: Key): void {
  const { layout } = writes
  const tree = traitsOf(layout, type).type as DeclaredEdge
  const isPathInKey = layout.kinds.some(kind => kind.type.name === tree.closure && keySlotsOf(kind).includes('path'))
  if (!isPathInKey) return
  const edgeAbove = writes.priorItem(above)
  const state = edgeAbove ? closureStateOf(layout, tree, edgeAbove) : undefined
  closureItemsOf(layout, tree, identity, lineageBelow(tree, identity, state?.lineage ?? []))
}
