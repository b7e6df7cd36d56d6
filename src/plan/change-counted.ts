import type { Item } from '../dynamodb/attribute-value.js'
import type { Kind } from '../layout/kinds.js'
import { tombstone } from '../layout/own-items.js'
import { endOf, newPart, type Part, type Writes } from './change-part.js'
import { keyOf, tenantOf } from './identity.js'
import { countedAsRead, endOfSide } from './kept-by-stream.js'
import type { Slots } from './plan.js'

/**
 * Holds the deletion of an edge's or a mirror's item to what the stream had counted of it when it was read, and leaves
 * that in a tombstone for the stream to take out of the node's counters.
 */
export function goneCounted(writes: Writes, kind: Kind, part: Part, there: Item, values: Slots, etag: string): void {
  const { layout } = writes
  const { names } = layout
  const tag = there[names.counted]?.M?.tag?.S ?? ''
  const end = endOfSide(kind, layout)
  part.before = there
  part.counted = tag
  part.expression.where(countedAsRead(names, part.expression, there))
  if (!tag || !end) return
  const after = tombstone(
    layout,
    endOf(layout, end, values).key,
    there,
    `${etag}#${tag}#${kind.role}`,
    tenantOf(layout, values),
  )
  writes.add({ ...newPart('Put', keyOf(names, after), part.about, 'again'), after })
}
