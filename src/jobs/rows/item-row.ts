import { hasWrongKey } from '../../derive/settle/side-items.js'
import { isTombstone } from '../../derive/settle/tombstone.js'
import type { Item } from '../../dynamodb/attribute-value.js'
import { keyAttributeText } from '../../layout/items/compose-item.js'
import { isInternalItem } from '../../layout/items/internal-items.js'
import { canMakeKey } from '../../layout/keys/encode-template.js'
import type { Kind } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import type { DeclaredType } from '../../layout/slots.js'
import { tenantOf } from '../../plan/identity.js'
import { rowOf, valuesOf } from '../../plan/row.js'
import { isClosure } from '../../schema/edge/closure.js'
import { columnsOf, columnValueOf, setColumnValue } from './columns.js'

/** A node or an edge, parsed from an item. */
export interface ItemRow {
  readonly type: DeclaredType
  readonly tenant: string | undefined
  /** The row, with the attributes that a write takes. */
  readonly row: Record<string, unknown>
}

/**
 * Returns the row of an item. `derived`: the item follows from others. `unknown`: the item has no kind of the
 * layout.
 */
export function rowOfItem(layout: Layout, item: Item): ItemRow | 'derived' | 'unknown' {
  const kind = findKind(layout, item)
  if (!kind) return isBookkeepingItem(layout, item) ? 'derived' : 'unknown'
  // An item under a foreign key is another version or a copy of a node; loading it would overwrite the node.
  if (hasWrongKey(layout, kind, item)) return 'unknown'
  if (isClosure(kind.type) || (kind.role !== 'node' && kind.role !== 'edge')) return 'derived'
  const fullRow = rowOf(layout, kind, item)
  const row: Record<string, unknown> = {}
  for (const column of columnsOf(kind.type)) {
    const value = columnValueOf(fullRow, column)
    if (value !== undefined) setColumnValue(row, column, value)
  }
  const tenant = tenantOf(layout, valuesOf(layout, kind, item))
  return { type: kind.type, tenant, row }
}

/** Returns the type and, if readable, the tenant of an item that cannot be read as a row. */
export function ownerOfItem(
  layout: Layout,
  item: Item,
): { readonly type?: string; readonly tenant?: string | undefined } {
  const kind = findKind(layout, item)
  if (!kind) return {}
  const type = kind.type.name
  try {
    return { type, tenant: tenantOf(layout, valuesOf(layout, kind, item)) }
  } catch {
    return { type }
  }
}

/** Returns the kind of an item: by its type mark or, without one, by its keys. */
function findKind(layout: Layout, item: Item): Kind | undefined {
  const { kinds, names } = layout
  const mark = item[names.type]?.S
  const fits = ({ keys }: Kind) => names.keys.every(name => canMakeKey(keys[name]!, keyAttributeText(item[name])))
  const marked = kinds.filter(kind => mark === undefined || kind.typeMark === mark)
  return marked.length === 1 && mark !== undefined ? marked[0] : marked.find(fits)
}

/** Whether an item is internal: a fingerprint, a receipt or a tombstone. */
function isBookkeepingItem(layout: Layout, item: Item): boolean {
  return isInternalItem(layout, item) || isTombstone(layout, item)
}
