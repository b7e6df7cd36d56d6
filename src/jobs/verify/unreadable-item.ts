import type { Item } from '../../dynamodb/attribute-value.js'
import { itemsOfStoredRow } from '../../layout/items/items.js'
import type { Kind } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import { rowOf, valuesOf } from '../../plan/row.js'
import { isGraphError } from '../rows/graph-error.js'
import { keyRowOf, type VerifyFault } from './fault.js'

/**
 * An item that cannot be read as it is declared: others wrote it, and maybe not whole, or the store added up a number
 * beyond those that can be held. Nothing that is of it is mended by it.
 */
export function findUnreadableFault(layout: Layout, kind: Kind, item: Item): VerifyFault | undefined {
  const isOwn = kind.role === 'node' || kind.role === 'edge'
  try {
    const values = valuesOf(layout, kind, item)
    if (isOwn) rowOf(layout, kind, item)
    // Raw keys tell nothing: where it does not say what they are made of, nobody knows what it is of.
    if (isOwn) itemsOfStoredRow(layout, kind.type, values)
    return undefined
  } catch (error) {
    if (!isGraphError(error)) throw error
    const { path, name = path } = error.details
    return { code: 'item.unreadable', type: kind.type.name, row: keyRowOf(layout, item), name, found: item }
  }
}
