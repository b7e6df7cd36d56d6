import { type DerivationContext, keyTextOf, readCurrentItems } from '../../derive/settle/context.js'
import type { Item } from '../../dynamodb/attribute-value.js'
import type { Layout } from '../../layout/layout.js'
import { keyOfItem } from '../../plan/identity.js'
import { expectedSideItems, findType, parseOwnItem } from './item.js'
import { managedExpiryNamesOf } from './side-writes.js'

/**
 * What lies beside an item by the layout before, with the times at which it is to expire, where the new layout has no such
 * time: those who know only that one leave it on a mirror when they take it off the edge. Undefined where none can be left.
 */
export async function readTimedSideItems(
  derivation: DerivationContext,
  oldLayout: Layout,
  item: Item,
): Promise<Item[] | undefined> {
  const { layout } = derivation.context
  const oldType = parseOwnItem(oldLayout, item)?.type
  const isTimed = oldType?.expires !== undefined && oldType.expires !== findType(layout, oldType.name)?.expires
  const expectedSides = isTimed ? expectedSideItems(oldLayout, oldLayout, item, {}) : []
  if (expectedSides.length === 0) return undefined
  const itemsByKey = await readCurrentItems(
    derivation,
    expectedSides.map(side => keyOfItem(oldLayout.names, side)),
  )
  return expectedSides.map(side => {
    const existing = itemsByKey.get(keyTextOf(derivation, side)) ?? {}
    const obsoleteNames = managedExpiryNamesOf(layout).filter(name => existing[name])
    return { ...side, ...Object.fromEntries(obsoleteNames.map(name => [name, existing[name]!])) }
  })
}
