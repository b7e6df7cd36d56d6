import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { TREE_DEPTH } from '../../layout/items/derived-values.js'
import { edgeAbove, treeEndsOf } from '../../layout/items/tree.js'
import type { Layout } from '../../layout/layout.js'
import { referenceSlots } from '../../layout/slots.js'
import type { DeclaredEdge } from '../../schema/declarations.js'
import { ownKindOf, tableKeyOf, uniqueKeyTextOf } from '../identity.js'
import type { PlannedChange, SlotValues, WriteSubject } from '../plan.js'
import { type TypeTraits, traitsOf } from '../type-traits.js'
import type { ReadItems } from './effects/item-write.js'
import { refusalError } from './refusals.js'

/** Whether a change makes an edge of a tree, so that it could close a cycle. */
export const isTreePut = ({ isTree }: TypeTraits, { verb }: PlannedChange): boolean =>
  isTree && (verb === 'put' || verb === 'create')

/** The edges above an edge of a tree, from its parent's on: all that are known, and the first that was not read yet. */
export interface Ascent {
  readonly keys: readonly Key[]
  readonly unread: Key | undefined
}

/**
 * Follows the parents of an edge that is put, among what was read and what the same request writes. Throws if they lead
 * back to its child, or are too many.
 */
export function ascend(
  layout: Layout,
  change: PlannedChange,
  changes: readonly PlannedChange[],
  known: ReadItems | undefined,
): Ascent {
  const type = traitsOf(layout, change.type).type as DeclaredEdge
  const about: WriteSubject = { type: type.name, identity: change.identity, call: changes.indexOf(change) }
  const planned = plannedEdges(layout, type, changes)
  const visited = new Set([uniqueKeyTextOf(layout, change.key)])
  const keys: Key[] = []
  for (let at: SlotValues = change.identity; keys.length < TREE_DEPTH; ) {
    const above = edgeAbove(type, at)
    const key = edgeKey(layout, type, above)
    const text = uniqueKeyTextOf(layout, key)
    // Other edges of the same request may close the cycle.
    if (visited.has(text)) throw refusalError('tree.cycle', about)
    visited.add(text)
    keys.push(key)
    const write = planned.get(text)
    const item = write ? undefined : known?.get(text)
    if (!write && item === undefined) return { keys, unread: key }
    if (write === 'delete' || item === null) return { keys, unread: undefined }
    at = write ?? slotsOf(layout, type, above, item!)
  }
  throw refusalError('tree.depth', about)
}

/** A child has one edge to its parent, so the identity of the child determines the key of the edge. */
const edgeKey = (layout: Layout, type: DeclaredEdge, slots: SlotValues): Key =>
  tableKeyOf(layout, ownKindOf(layout, type), slots)

function slotsOf({ names }: Layout, type: DeclaredEdge, identity: SlotValues, item: Item): SlotValues {
  const { parent } = treeEndsOf(type)
  const slots = referenceSlots(parent).map(slot => [slot, item[names.attributeOf(type, slot)]!] as const)
  return { ...identity, ...Object.fromEntries(slots) }
}

/** The edges of this type that the same request makes or deletes, by their keys. */
function plannedEdges(
  layout: Layout,
  type: DeclaredEdge,
  changes: readonly PlannedChange[],
): ReadonlyMap<string, SlotValues | 'delete'> {
  const planned = new Map<string, SlotValues | 'delete'>()
  for (const { type: name, verb, identity, key } of changes) {
    if (name !== type.name || (verb !== 'put' && verb !== 'create' && verb !== 'delete')) continue
    planned.set(uniqueKeyTextOf(layout, key), verb === 'delete' ? 'delete' : identity)
  }
  return planned
}
