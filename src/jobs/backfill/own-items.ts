import { findKindsByKeys, isAtExpectedKey } from '../../derive/settle/side-items.js'
import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { isInternalItem } from '../../layout/items/internal-items.js'
import type { Kind } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import { type DeclaredType, identitySlotsOf, idSlots, storedSlots } from '../../layout/slots.js'
import { ownKindOf } from '../../plan/identity.js'
import { rowOf, valuesOf } from '../../plan/row.js'
import type { DeclaredAttribute, DeclaredNode } from '../../schema/declarations.js'
import { isKnownAsNew, isTypedOnlyBy, typeRenamingOf } from './renames.js'

type Values = Readonly<Record<string, AttributeValue>>

/**
 * Returns the kind of an own item: by its type mark or, without one, by its keys, if no other kind fits and all
 * required values exist.
 */
export function findOwnKind(layout: Layout, item: Item): Kind | undefined {
  const { kinds, names } = layout
  const mark = item[names.type]?.S
  const isTyped = mark !== undefined
  const isMarked = isTyped || isInternalItem(layout, item)
  const [kind, secondKind] = isMarked
    ? kinds.filter(candidate => candidate.typeMark === mark)
    : findKindsByKeys(layout, kinds, item)
  if (!kind || secondKind || (kind.role !== 'node' && kind.role !== 'edge')) return undefined
  return isTyped || hasRequiredValues(layout, kind, item) ? kind : undefined
}

function hasRequiredValues(layout: Layout, kind: Kind, item: Item): boolean {
  const { type } = kind
  const values = valuesOf(layout, kind, item)
  const isOptional = ({ optional, derived }: DeclaredAttribute) => optional || derived
  return storedSlots(type).every(slot => values[slot] || (type.attributes[slot] && isOptional(type.attributes[slot])))
}

export function findType({ graph }: Layout, name: string): DeclaredType | undefined {
  const { nodes, edges } = graph.declared
  return [...nodes, ...edges].find(type => type.name === name)
}

/**
 * Whether a marked item is stored at a key that neither layout gives it. With raw keys, foreign writers may store
 * other versions of an item under the same mark; they do not belong to the graph.
 */
export function isMisplaced(oldLayout: Layout, newLayout: Layout, item: Item): boolean {
  return isPlacedBy(oldLayout, item) === false && !isPlacedBy(newLayout, item)
}

/**
 * Whether an item exists only in the new layout. Writers with the old layout do not find it, and may have written or
 * deleted their own version of it since.
 */
export const isOnlyInNewLayout = (oldLayout: Layout, newLayout: Layout, item: Item): boolean =>
  isKnownAsNew(oldLayout, newLayout, item) ||
  (isPlacedBy(newLayout, item, 'its own') === true && !isPlacedBy(oldLayout, item, 'its own'))

export function isPlacedBy(layout: Layout, item: Item, shard?: 'its own'): boolean | undefined {
  const kind = findOwnKind(layout, item)
  return kind && isAtExpectedKey(layout, kind, item, shard)
}

/**
 * Returns the values of an item under a layout. Undefined if the item has another layout, is a side item, or does not
 * identify itself.
 */
export function parseOwnItem(
  layout: Layout,
  item: Item,
): { readonly type: DeclaredType; readonly values: Values } | undefined {
  const kind = findOwnKind(layout, item)
  if (!kind) return undefined
  try {
    const values = valuesOf(layout, kind, item)
    return identitySlotsOf(kind.type).every(slot => values[slot]) ? { type: kind.type, values } : undefined
  } catch {
    return undefined
  }
}

/**
 * Whether an item is a node or an edge of either layout. Side items of the old layout may have the keys of own items
 * in the new one; the type mark of the old layout distinguishes them.
 */
export function isNodeOrEdge(oldLayout: Layout, newLayout: Layout, item: Item): boolean {
  return Boolean(
    parseOwnItem(oldLayout, item) ??
      (isTypedOnlyBy(oldLayout, newLayout, item) ? undefined : parseOwnItem(newLayout, item)),
  )
}

/** Chooses the layout that reads an item that fits both. */
export const shouldParseWith = (
  [oldLayout, newLayout]: readonly [Layout, Layout],
  layout: Layout,
  item: Item,
): boolean =>
  !hasSwappedNames(oldLayout, newLayout, item) || isKnownAsNew(oldLayout, newLayout, item) === (layout === newLayout)

export function hasSwappedNames(oldLayout: Layout, newLayout: Layout, item: Item): boolean {
  const oldParsed = parseOwnItem(oldLayout, item)
  const type = oldParsed && findType(newLayout, oldParsed.type.name)
  return type !== undefined && typeRenamingOf(oldLayout, newLayout, oldParsed!.type, type).hasSwappedNames
}

/** Returns the id of a node in the form that calls take. */
export function nodeIdOf(layout: Layout, type: DeclaredNode, item: Item): unknown {
  const row = rowOf(layout, ownKindOf(layout, type), item)
  return idSlots(type).length === 1 ? row[type.id[0]!] : row
}
