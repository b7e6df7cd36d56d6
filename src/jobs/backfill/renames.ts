import type { Item } from '../../dynamodb/attribute-value.js'
import type { Layout } from '../../layout/layout.js'
import { membersOf } from '../../layout/row-members.js'
import type { DeclaredType } from '../../layout/slots.js'
import { ownKindOf } from '../../plan/identity.js'
import { hasSwappedMembers } from './rename-members.js'

const MOVED_MARK = '$moved'

/** Marks an item as migrated if it also fits the old layout. */
export const movedMarkOf = ({ fingerprint }: Layout): Item => ({ [MOVED_MARK]: { S: fingerprint } })

const hasMovedMark = ({ fingerprint }: Layout, item: Item): boolean => item[MOVED_MARK]?.S === fingerprint

/** Whether only one of the two layouts knows the type attribute of an item. */
export const isTypedOnlyBy = (layout: Layout, other: Layout, item: Item): boolean =>
  item[layout.names.type] !== undefined && item[other.names.type] === undefined

/** Whether an item is known to be migrated. */
export const isKnownAsNew = (oldLayout: Layout, newLayout: Layout, item: Item): boolean =>
  hasMovedMark(newLayout, item) || isTypedOnlyBy(newLayout, oldLayout, item)

/**
 * Removes the mark of another layout: after a return to that layout, it would mean that the item is already migrated.
 */
export const staleMarkNamesOf = (layout: Layout, item: Item): string[] =>
  hasMovedMark(layout, item) ? [] : [MOVED_MARK]

/** The stored names of a type under two layouts. */
interface TypeRenaming {
  /** Names that the new layout does not use any more. */
  readonly droppedSlots: readonly string[]
  /** New names by slot that nothing used before. Writers with the new layout may have written there. */
  readonly newNames: readonly (readonly [slot: string, name: string])[]
  /** Old names of keys and attributes that items must not keep, except for new values. */
  readonly vacatedNames: readonly string[]
  /** Whether an attribute takes the old name of another one, so that an item does not show which one it holds. */
  readonly hasSwappedNames: boolean
}

export function typeRenamingOf(
  oldLayout: Layout,
  newLayout: Layout,
  oldType: DeclaredType,
  type: DeclaredType,
): TypeRenaming {
  const [oldSlots, newSlots] = [oldType, type].map(entry => membersOf(entry).map(({ slot }) => slot)) as [
    string[],
    string[],
  ]
  const slotUnder = new Map(oldSlots.map(slot => [oldLayout.names.attributeOf(oldType, slot), slot]))
  const isShared = (slot: string) => oldSlots.includes(slot) && newSlots.includes(slot)
  const names = newSlots.map(slot => [slot, newLayout.names.attributeOf(type, slot)] as const)
  const renamed = names.filter(([slot, name]) => slotUnder.get(name) !== slot)
  // A new attribute under the name of a removed one takes over its values.
  const swapped = renamed.filter(([slot, name]) => {
    const oldSlot = slotUnder.get(name)
    return oldSlot !== undefined && (isShared(slot) || isShared(oldSlot))
  })
  return {
    droppedSlots: oldSlots.filter(slot => !newSlots.includes(slot)),
    newNames: renamed.filter(
      ([, name]) => !swapped.some(entry => entry[1] === name) && !isKeyName(oldLayout, oldType, name),
    ),
    vacatedNames: [
      // A removed attribute may be the key of an index, so it remains.
      ...Object.keys({ ...oldLayout.design.attributes, ...newLayout.design.attributes }).filter(
        name => !slotUnder.has(name) || isShared(slotUnder.get(name)!),
      ),
      ...renamed.flatMap(([slot]) => (isShared(slot) ? [oldLayout.names.attributeOf(oldType, slot)] : [])),
      ...swapped.map(([, name]) => name),
    ],
    hasSwappedNames: swapped.length > 0 || hasSwappedMembers(oldType, type),
  }
}

/** Whether items of a type have this key attribute, which may be an attribute of the schema. */
const isKeyName = (layout: Layout, type: DeclaredType, name: string): boolean => name in ownKindOf(layout, type).keys
