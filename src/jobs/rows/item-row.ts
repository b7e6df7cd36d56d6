import { isElsewhere } from '../../derive/sides.js'
import { isTombstone } from '../../derive/tombstone.js'
import type { Item } from '../../dynamodb/attribute-value.js'
import type { Kind } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import { isOwnItem } from '../../layout/own-items.js'
import type { DeclaredType } from '../../layout/slots.js'
import { textOf } from '../../layout/store-item.js'
import { matches } from '../../layout/template-encode.js'
import { tenantOf } from '../../plan/identity.js'
import { rowOf, valuesOf } from '../../plan/row.js'
import { columnsOf, putAt, valueAt } from './columns.js'

/** A node or an edge, as an item tells it. */
export interface ItemRow {
  readonly type: DeclaredType
  readonly tenant: string | undefined
  /** What it is written with. */
  readonly row: Record<string, unknown>
}

/** The row of an item; 'beside' where it follows from others, 'unknown' where it is of no kind of the layout. */
export function rowOfItem(layout: Layout, item: Item): ItemRow | 'beside' | 'unknown' {
  const kind = kindOf(layout, item)
  if (!kind) return isOurs(layout, item) ? 'beside' : 'unknown'
  // Another version of a node, or a copy, would be loaded in its place.
  if (isElsewhere(layout, kind, item)) return 'unknown'
  if (kind.role !== 'node' && kind.role !== 'edge') return 'beside'
  const whole = rowOf(layout, kind, item)
  const row: Record<string, unknown> = {}
  for (const column of columnsOf(kind.type)) {
    const value = valueAt(whole, column)
    if (value !== undefined) putAt(row, column, value)
  }
  const tenant = tenantOf(layout, valuesOf(layout, kind, item))
  return { type: kind.type, tenant, row }
}

/** The type of an item that cannot be read, and its tenant, as far as that can be told. */
export function ownerOfItem(
  layout: Layout,
  item: Item,
): { readonly type?: string; readonly tenant?: string | undefined } {
  const kind = kindOf(layout, item)
  if (!kind) return {}
  const type = kind.type.name
  try {
    return { type, tenant: tenantOf(layout, valuesOf(layout, kind, item)) }
  } catch {
    return { type }
  }
}

/** By its mark, or where others wrote it without one, by its keys, which no two kinds have. */
function kindOf(layout: Layout, item: Item): Kind | undefined {
  const { kinds, names } = layout
  const mark = item[names.type]?.S
  const fits = ({ keys }: Kind) => names.keys.every(name => matches(keys[name]!, textOf(item[name])))
  const marked = kinds.filter(kind => mark === undefined || kind.mark === mark)
  return marked.length === 1 && mark !== undefined ? marked[0] : marked.find(fits)
}

/** Fingerprints and receipts, and tombstones of what a node had counted. */
function isOurs(layout: Layout, item: Item): boolean {
  return isOwnItem(layout, item) || isTombstone(layout, item)
}
