import type { Item } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import { membersOf } from '../layout/members.js'
import type { DeclaredType } from '../layout/slots.js'
import { ownKind } from '../plan/identity.js'
import { isTangledWithin } from './backfill-members.js'

const MARK = '$moved'

/** On an item that is as the new layout has it, though it reads as one of the layout before too. */
export const markOf = ({ fingerprint }: Layout): Item => ({ [MARK]: { S: fingerprint } })

const hasMark = ({ fingerprint }: Layout, item: Item): boolean => item[MARK]?.S === fingerprint

/** Whether only one of two layouts knows the attribute that tells the type of an item. */
export const isTypedBy = (layout: Layout, other: Layout, item: Item): boolean =>
  item[layout.names.type] !== undefined && item[other.names.type] === undefined

/** Whether an item is known to be as the new layout has it, whatever it reads as. */
export const isMarked = (before: Layout, after: Layout, item: Item): boolean =>
  hasMark(after, item) || isTypedBy(after, before, item)

/** The mark of another layout: of an item that comes back to that one, it would say that it is there already. */
export const staleMark = (layout: Layout, item: Item): string[] => (hasMark(layout, item) ? [] : [MARK])

/** Under which names the items of a type hold what both layouts know, and what only the new one does. */
interface Renaming {
  /** What the new layout knows no more. */
  readonly dropped: readonly string[]
  /** By slot: the names of the new layout under which nothing else was. Those who know it may have written there. */
  readonly free: readonly (readonly [slot: string, name: string])[]
  /** Names under which items have nothing any more, but for what the new layout has there: of keys, and of attributes. */
  readonly left: readonly string[]
  /** Whether something is to be where something else was: from the item alone nobody can tell which of them is there. */
  readonly isTangled: boolean
}

export function renamingOf(before: Layout, after: Layout, was: DeclaredType, type: DeclaredType): Renaming {
  const [known, slots] = [was, type].map(each => membersOf(each).map(({ slot }) => slot)) as [string[], string[]]
  const slotUnder = new Map(known.map(slot => [before.names.of(was, slot), slot]))
  const isKept = (slot: string) => known.includes(slot) && slots.includes(slot)
  const names = slots.map(slot => [slot, after.names.of(type, slot)] as const)
  const others = names.filter(([slot, name]) => slotUnder.get(name) !== slot)
  // What takes the name of something that is declared no more, and is new itself, takes what lies there too.
  const tangled = others.filter(([slot, name]) => {
    const other = slotUnder.get(name)
    return other !== undefined && (isKept(slot) || isKept(other))
  })
  return {
    dropped: known.filter(slot => !slots.includes(slot)),
    free: others.filter(([, name]) => !tangled.some(each => each[1] === name) && !isKey(before, was, name)),
    left: [
      // An attribute that is declared no more may be in an index by itself, and stays.
      ...Object.keys({ ...before.design.attributes, ...after.design.attributes }).filter(
        name => !slotUnder.has(name) || isKept(slotUnder.get(name)!),
      ),
      ...others.flatMap(([slot]) => (isKept(slot) ? [before.names.of(was, slot)] : [])),
      ...tangled.map(([, name]) => name),
    ],
    isTangled: tangled.length > 0 || isTangledWithin(was, type),
  }
}

/** Whether the items of a type have a key there, which may be an attribute itself. */
const isKey = (layout: Layout, type: DeclaredType, name: string): boolean => name in ownKind(layout, type).keys
