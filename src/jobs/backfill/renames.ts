import type { Item } from '../../dynamodb/attribute-value.js'
import type { Layout } from '../../layout/layout.js'
import { membersOf } from '../../layout/row-members.js'
import type { DeclaredType } from '../../layout/slots.js'
import { ownKindOf } from '../../plan/identity.js'
import { hasSwappedMembers } from './rename-members.js'

const MOVED_MARK = '$moved'

/** On an item that is as the new layout has it, though it reads as one of the layout before too. */
export const movedMarkOf = ({ fingerprint }: Layout): Item => ({ [MOVED_MARK]: { S: fingerprint } })

const hasMovedMark = ({ fingerprint }: Layout, item: Item): boolean => item[MOVED_MARK]?.S === fingerprint

/** Whether only one of two layouts knows the attribute that tells the type of an item. */
export const isTypedOnlyBy = (layout: Layout, other: Layout, item: Item): boolean =>
  item[layout.names.type] !== undefined && item[other.names.type] === undefined

/** Whether an item is known to be as the new layout has it, whatever it reads as. */
export const isKnownAsNew = (oldLayout: Layout, newLayout: Layout, item: Item): boolean =>
  hasMovedMark(newLayout, item) || isTypedOnlyBy(newLayout, oldLayout, item)

/** The mark of another layout: of an item that comes back to that one, it would say that it is there already. */
export const staleMarkNamesOf = (layout: Layout, item: Item): string[] =>
  hasMovedMark(layout, item) ? [] : [MOVED_MARK]

/** Under which names the items of a type hold what both layouts know, and what only the new one does. */
interface TypeRenaming {
  /** What the new layout knows no more. */
  readonly droppedSlots: readonly string[]
  /** By slot: the names of the new layout under which nothing else was. Those who know it may have written there. */
  readonly newNames: readonly (readonly [slot: string, name: string])[]
  /** Names under which items have nothing any more, but for what the new layout has there: of keys, and of attributes. */
  readonly vacatedNames: readonly string[]
  /** Whether something is to be where something else was: from the item alone nobody can tell which of them is there. */
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
  // What takes the name of something that is declared no more, and is new itself, takes what lies there too.
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
      // An attribute that is declared no more may be in an index by itself, and stays.
      ...Object.keys({ ...oldLayout.design.attributes, ...newLayout.design.attributes }).filter(
        name => !slotUnder.has(name) || isShared(slotUnder.get(name)!),
      ),
      ...renamed.flatMap(([slot]) => (isShared(slot) ? [oldLayout.names.attributeOf(oldType, slot)] : [])),
      ...swapped.map(([, name]) => name),
    ],
    hasSwappedNames: swapped.length > 0 || hasSwappedMembers(oldType, type),
  }
}

/** Whether the items of a type have a key there, which may be an attribute itself. */
const isKeyName = (layout: Layout, type: DeclaredType, name: string): boolean => name in ownKindOf(layout, type).keys
