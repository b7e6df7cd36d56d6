import {
  type DerivationContext,
  keyTextOf,
  readCurrentItem,
  readCurrentItems,
  retryUntilStable,
  tryTransaction,
} from '../../derive/settle/context.js'
import { lacksIdentity } from '../../derive/settle/incomplete-records.js'
import { hasKnownKind, kindOfItem } from '../../derive/settle/side-items.js'
import { planSideItemDeletion } from '../../derive/settle/tombstone.js'
import type { Item, Key } from '../../dynamodb/attribute-value.js'
import type { Layout } from '../../layout/layout.js'
import type { DeclaredType } from '../../layout/slots.js'
import { keyOfItem, ownKindOf, tableKeyOf, uniqueKeyTextOf } from '../../plan/identity.js'
import { isLive, valuesOf } from '../../plan/row.js'
import { requireUnchanged } from '../../plan/write/effects/own-item.js'
import { createTransactionPart, type TransactionPart } from '../../plan/write/transaction-part.js'
import type { DeclaredEdge } from '../../schema/declarations.js'
import { hasStreamDerivedData } from '../../schema/edge/stream-derived-data.js'
import type { GraphError } from '../../schema/error.js'
import { createSideItemDelete } from '../delete-side-item.js'
import { expectedSideItems } from './item.js'
import { findType } from './own-items.js'
import { isKnownAsNew } from './renames.js'

/**
 * Returns the side items that have no owner under the new layout: it stores them elsewhere or not at all, or a writer
 * with the old layout changed or deleted the owner.
 */
export async function findOrphanSideItems(
  derivation: DerivationContext,
  oldLayout: Layout,
  items: readonly Item[],
): Promise<Item[]> {
  const { layout } = derivation.context
  const keys = items.map(item => ownerKeysOf(oldLayout, layout, item))
  const itemsByKey = await readCurrentItems(derivation, keys.flat())
  const ownersOf = (index: number) =>
    withoutUndefined(keys[index]!.map(key => itemsByKey.get(keyTextOf(derivation, key))))
  return items.filter(
    (item, index) => keys[index]!.length > 0 && !hasOwnerAmong(oldLayout, layout, ownersOf(index), item),
  )
}

/**
 * Deletes a side item whose owner does not exist or no longer has it, because writers know only one of the two
 * layouts. Returns the owner if it has the item under the old layout.
 */
export async function removeOrphanSideItem(
  derivation: DerivationContext,
  oldLayout: Layout,
  item: Item,
): Promise<Item | 'taken' | undefined> {
  const { layout } = derivation.context
  let currentItem: Item | undefined = item
  let owner: Item | undefined
  let isOrphan = false
  await retryUntilStable(async () => {
    const keys = currentItem ? ownerKeysOf(oldLayout, layout, currentItem) : []
    const owners = await Promise.all(keys.map(key => readCurrentItem(derivation, key)))
    const existingOwners = withoutUndefined(owners)
    owner = undefined
    isOrphan = false
    if (!currentItem || keys.length === 0 || hasOwnerAmong(oldLayout, layout, existingOwners, currentItem)) return true
    owner = isExpiredSentinel(derivation, oldLayout, currentItem)
      ? undefined
      : existingOwners.find(candidate => isSideItemOf(oldLayout, layout, candidate, currentItem!))
    if (owner) return true
    isOrphan = true
    const checks = keys.map((key, index) => {
      const check = createTransactionPart('ConditionCheck', key)
      requireUnchanged(layout.names, check.expression, owners[index] ?? null)
      return check
    })
    if (await tryTransaction(derivation, [...planSideItemRemoval(derivation, currentItem), ...checks])) return true
    currentItem = await readCurrentItem(derivation, keyOfItem(layout.names, item))
    return false
  })
  return isOrphan ? 'taken' : owner
}

/** Whether an item is an expired sentinel, which is not migrated with its owner. */
function isExpiredSentinel(
  { context: { layout, environment } }: DerivationContext,
  oldLayout: Layout,
  side: Item,
): boolean {
  const isSentinel = [oldLayout, layout].some(candidate => kindOfItem(candidate, side)?.role === 'unique')
  return isSentinel && !isLive(oldLayout, side, environment.now())
}

const withoutUndefined = (items: readonly (Item | undefined)[]): Item[] => items.filter(item => item !== undefined)

/**
 * Plans the deletion of a mirror, with a tombstone for its counted contribution. A mirror
 * that is older than raw keys does not identify its node, and all moved edges are recounted anyway.
 */
function planSideItemRemoval(derivation: DerivationContext, item: Item): TransactionPart[] {
  const { layout } = derivation.context
  const kind = kindOfItem(layout, item)
  if (kind?.role !== 'mirror' || !hasStreamDerivedData(kind.type as DeclaredEdge))
    return [createSideItemDelete(layout, item)]
  const side = { kind, item, values: valuesOf(layout, kind, item) }
  return lacksIdentity(layout, side) ? [createSideItemDelete(layout, item)] : planSideItemDeletion(derivation, side)
}

/** Returns possible keys of the owner of a side item, under either layout. */
function ownerKeysOf(oldLayout: Layout, newLayout: Layout, item: Item): Key[] {
  // Without a type mark, the item may be a foreign one.
  if (hasKnownKind(newLayout, item) && !item[newLayout.names.type]) return []
  const keys = [oldLayout, newLayout].flatMap(layout => ownerKeysUnder(layout, oldLayout, newLayout, item))
  const texts = new Map(keys.map(key => [uniqueKeyTextOf(newLayout, key), key]))
  // The item that belongs at this key has a write of its own.
  return texts.has(uniqueKeyTextOf(newLayout, item)) ? [] : [...texts.values()]
}

function ownerKeysUnder(layout: Layout, oldLayout: Layout, newLayout: Layout, item: Item): Key[] {
  const kind = kindOfItem(layout, item)
  const [oldType, type] = kind ? [oldLayout, newLayout].map(eachLayout => findType(eachLayout, kind.type.name)) : []
  if (!kind || !oldType || !type) return []
  if (kind.role === 'node' || kind.role === 'edge') return [keyOfItem(newLayout.names, item)]
  const keyIn = (eachLayout: Layout, ownType: DeclaredType): Key[] => {
    try {
      return [tableKeyOf(eachLayout, ownKindOf(eachLayout, ownType), valuesOf(layout, kind, item))]
    } catch {
      return []
    }
  }
  const keys = [...keyIn(oldLayout, oldType), ...keyIn(newLayout, type)]
  // A side item of the old layout may identify its owner only under that layout, if the id has a new part.
  return keys.length > 1 || !hasKnownKind(newLayout, item) ? keys : []
}

/** Whether a side item has the key that the new layout gives it for one of these owners. */
const hasOwnerAmong = (oldLayout: Layout, newLayout: Layout, owners: readonly Item[], side: Item): boolean =>
  hasKnownKind(newLayout, side) &&
  owners.some(owner =>
    includesKeyOf(
      newLayout,
      [...sideItemsOrNone(oldLayout, newLayout, owner), ...sideItemsOrNone(newLayout, newLayout, owner)],
      side,
    ),
  )

/** Whether an owner has the side item under either layout. The migration of the owner then deletes an old one. */
const isSideItemOf = (oldLayout: Layout, newLayout: Layout, owner: Item, side: Item): boolean =>
  (!isKnownAsNew(oldLayout, newLayout, owner) &&
    includesKeyOf(newLayout, sideItemsOrNone(oldLayout, oldLayout, owner), side)) ||
  includesKeyOf(
    newLayout,
    [...sideItemsOrNone(oldLayout, newLayout, owner), ...sideItemsOrNone(newLayout, newLayout, owner)],
    side,
  )

/**
 * Returns the side items of an owner. Empty if the item does not identify itself under the layout, as when only one
 * layout has raw keys.
 */
function sideItemsOrNone(oldLayout: Layout, newLayout: Layout, owner: Item): Item[] {
  try {
    return expectedSideItems(oldLayout, newLayout, owner, {})
  } catch (error) {
    if ((error as Partial<GraphError>).code !== 'key.missing') throw error
    return []
  }
}

const includesKeyOf = (layout: Layout, sides: readonly Item[], side: Item): boolean =>
  sides.some(other => uniqueKeyTextOf(layout, other) === uniqueKeyTextOf(layout, side))
