import { type Act, act, type Deriving, itemAt, itemsAt, textOf, transact, untilSettled } from '../derive/deriving.js'
import { isReadable, kindOf } from '../derive/sides.js'
import { awayActs } from '../derive/tombstone.js'
import { isUntold } from '../derive/untold.js'
import type { Item, Key } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import type { DeclaredType } from '../layout/slots.js'
import { asRead } from '../plan/change-own.js'
import { keyOf, keyText, ownKind, tableKey } from '../plan/identity.js'
import { isLive, valuesOf } from '../plan/row.js'
import type { DeclaredEdge } from '../schema/declared.js'
import type { GraphError } from '../schema/error.js'
import { keptByStream } from '../schema/kept-by-stream.js'
import { sidesOf, typeIn } from './backfill-item.js'
import { isMarked } from './backfill-names.js'
import { goneSide } from './gone-side.js'

/**
 * Those mirrors, facets and sentinels that no edge or node has there under the new layout: it has them elsewhere or not
 * at all, or was changed or deleted by those who know only the one before.
 */
export async function leftAmong(deriving: Deriving, before: Layout, items: readonly Item[]): Promise<Item[]> {
  const { layout } = deriving.context
  const keys = items.map(item => ownerKeys(before, layout, item))
  const found = await itemsAt(deriving, keys.flat())
  const ownersOf = (at: number) => present(keys[at]!.map(key => found.get(textOf(deriving, key))))
  return items.filter((item, at) => keys[at]!.length > 0 && !isRight(before, layout, ownersOf(at), item))
}

/**
 * Takes away a mirror, a facet or a sentinel whose edge or node is gone or has it no more: those who know only one of
 * two layouts write the one without the other. Where one has it still by the layout before, answers with that.
 */
export async function takeLeft(deriving: Deriving, before: Layout, item: Item): Promise<Item | 'taken' | undefined> {
  const { layout } = deriving.context
  let found: Item | undefined = item
  let owner: Item | undefined
  let isLeft = false
  await untilSettled(async () => {
    const keys = found ? ownerKeys(before, layout, found) : []
    const owners = await Promise.all(keys.map(key => itemAt(deriving, key)))
    const there = present(owners)
    owner = undefined
    isLeft = false
    if (!found || keys.length === 0 || isRight(before, layout, there, found)) return true
    owner = isFree(deriving, before, found) ? undefined : there.find(each => isOf(before, layout, each, found!))
    if (owner) return true
    isLeft = true
    const checks = keys.map((key, i) => {
      const check = act('ConditionCheck', key)
      asRead(layout.names, check.expression, owners[i] ?? null)
      return check
    })
    if (await transact(deriving, [...goneActs(deriving, found), ...checks])) return true
    found = await itemAt(deriving, keyOf(layout.names, item))
    return false
  })
  return isLeft ? 'taken' : owner
}

/** Whether it is a sentinel that has expired, which is not brought up with what it was of. */
function isFree({ context: { layout, surroundings } }: Deriving, before: Layout, side: Item): boolean {
  const isSentinel = [before, layout].some(each => kindOf(each, side)?.role === 'unique')
  return isSentinel && !isLive(before, side, surroundings.now())
}

const present = (items: readonly (Item | undefined)[]): Item[] => items.filter(item => item !== undefined)

/**
 * What the stream has counted of a mirror is left in a tombstone; not of one from before keys were raw, which does not say
 * of which node it is: all that lay elsewhere is counted anew.
 */
function goneActs(deriving: Deriving, item: Item): Act[] {
  const { layout } = deriving.context
  const kind = kindOf(layout, item)
  if (kind?.role !== 'mirror' || !keptByStream(kind.type as DeclaredEdge) || isUntold(layout, item))
    return [goneSide(layout, item)]
  return awayActs(deriving, { kind, item, values: valuesOf(layout, kind, item) })
}

/** Where the edge or the node may lie that an item says it lies beside, as either layout reads it. */
function ownerKeys(before: Layout, after: Layout, item: Item): Key[] {
  // Without a mark others may have written it, for a use of their own.
  if (isReadable(after, item) && !item[after.names.type]) return []
  const keys = [before, after].flatMap(layout => keysBy(layout, before, after, item))
  const texts = new Map(keys.map(key => [keyText(after, key), key]))
  // Who belongs in its place comes with a write of its own.
  return texts.has(keyText(after, item)) ? [] : [...texts.values()]
}

function keysBy(layout: Layout, before: Layout, after: Layout, item: Item): Key[] {
  const kind = kindOf(layout, item)
  const [was, type] = kind ? [before, after].map(each => typeIn(each, kind.type.name)) : []
  if (!kind || !was || !type) return []
  if (kind.role === 'node' || kind.role === 'edge') return [keyOf(after.names, item)]
  const keyIn = (each: Layout, own: DeclaredType): Key[] => {
    try {
      return [tableKey(each, ownKind(each, own), valuesOf(layout, kind, item))]
    } catch {
      return []
    }
  }
  const keys = [...keyIn(before, was), ...keyIn(after, type)]
  // Only one of the layout before may say whose it is by that one alone, as where the id has a part more now.
  return keys.length > 1 || !isReadable(after, item) ? keys : []
}

/** Whether it is where the new layout has it beside one of these. */
const isRight = (before: Layout, after: Layout, owners: readonly Item[], side: Item): boolean =>
  isReadable(after, side) &&
  owners.some(owner => isAmong(after, [...besideOf(before, after, owner), ...besideOf(after, after, owner)], side))

/** Whether an edge or a node has this beside it, or had it under the layout before: then it goes when that is brought up. */
const isOf = (before: Layout, after: Layout, owner: Item, side: Item): boolean =>
  (!isMarked(before, after, owner) && isAmong(after, besideOf(before, before, owner), side)) ||
  isAmong(after, [...besideOf(before, after, owner), ...besideOf(after, after, owner)], side)

/** What lies beside an edge or a node; nothing by a layout by which it does not say of what it is, as where only one has raw keys. */
function besideOf(before: Layout, after: Layout, owner: Item): Item[] {
  try {
    return sidesOf(before, after, owner, {})
  } catch (error) {
    if ((error as Partial<GraphError>).code !== 'key.missing') throw error
    return []
  }
}

const isAmong = (layout: Layout, sides: readonly Item[], side: Item): boolean =>
  sides.some(each => keyText(layout, each) === keyText(layout, side))
