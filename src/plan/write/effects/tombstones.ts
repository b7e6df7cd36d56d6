import type { Item } from '../../../dynamodb/attribute-value.js'
import { createTombstone } from '../../../layout/items/internal-items.js'
import type { Kind } from '../../../layout/kinds.js'
import { keyOfItem, tenantOf } from '../../identity.js'
import type { SlotValues } from '../../plan.js'
import { endNodeOf, type ItemWrite, type ItemWrites, itemWrite } from './item-write.js'
import { partitionEndOf, unchangedCountCondition } from './stream-counters.js'

/**
 * Makes the deletion of an edge or a mirror depend on the contribution that the stream had counted when it was read.
 * The deletion stores the contribution in a tombstone, so that the stream can subtract it from the node's counters.
 */
export function deleteCounted(
  writes: ItemWrites,
  kind: Kind,
  deletion: ItemWrite,
  existing: Item,
  values: SlotValues,
  etag: string,
): void {
  const { layout } = writes
  const { names } = layout
  const tag = existing[names.countedState]?.M?.tag?.S ?? ''
  const end = partitionEndOf(kind, layout)
  deletion.before = existing
  deletion.expectedCountTag = tag
  deletion.expression.where(unchangedCountCondition(names, deletion.expression, existing))
  if (!tag || !end) return
  const record = createTombstone(
    layout,
    endNodeOf(layout, end, values).key,
    existing,
    `${etag}#${tag}#${kind.role}`,
    tenantOf(layout, values),
  )
  writes.add({ ...itemWrite('Put', keyOfItem(names, record), deletion.subject, 'retry'), after: record })
}
