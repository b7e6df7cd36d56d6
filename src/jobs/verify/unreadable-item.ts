import type { Item } from '../../dynamodb/attribute-value.js'
import { itemsOfStoredRow } from '../../layout/items/items.js'
import type { Kind } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import { rowOf, valuesOf } from '../../plan/row.js'
import { GraphError } from '../../schema/error.js'
import { keyRowOf, type VerifyFault } from './fault.js'

/**
 * Finds an item that does not match its declaration: a foreign or partial write, or a number that DynamoDB added up
 * beyond the declared range. None of its other faults are repaired.
 */
export function findUnreadableFault(layout: Layout, kind: Kind, item: Item): VerifyFault | undefined {
  const isOwn = kind.role === 'node' || kind.role === 'edge'
  try {
    const values = valuesOf(layout, kind, item)
    if (isOwn) rowOf(layout, kind, item)
    // Raw keys cannot be parsed, so an item without its identity cannot be assigned to a node or an edge.
    if (isOwn) itemsOfStoredRow(layout, kind.type, values)
    return undefined
  } catch (error) {
    if (!GraphError.is(error)) throw error
    const { path, name = path } = error.details
    return { code: 'item.unreadable', type: kind.type.name, row: keyRowOf(layout, item), name, found: item }
  }
}
