import type { Item } from '../dynamodb/attribute-value.js'
import { itemsOfFact } from '../layout/items.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { rowOf, valuesOf } from '../plan/row.js'
import { type Fault, keyRow } from './fault.js'
import { isGraphError } from './rows/graph-error.js'

/**
 * An item that cannot be read as it is declared: others wrote it, and maybe not whole, or the store added up a number
 * beyond those that can be held. Nothing that is of it is mended by it.
 */
export function unreadable(layout: Layout, kind: Kind, item: Item): Fault | undefined {
  const isOwn = kind.role === 'node' || kind.role === 'edge'
  try {
    const values = valuesOf(layout, kind, item)
    if (isOwn) rowOf(layout, kind, item)
    // Raw keys tell nothing: where it does not say what they are made of, nobody knows what it is of.
    if (isOwn) itemsOfFact(layout, kind.type, values)
    return undefined
  } catch (error) {
    if (!isGraphError(error)) throw error
    const { path, name = path } = error.details
    return { code: 'item.unreadable', type: kind.type.name, row: keyRow(layout, item), name, found: item }
  }
}
