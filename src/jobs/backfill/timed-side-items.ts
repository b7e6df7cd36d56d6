import { type DerivationContext, keyTextOf, readCurrentItems } from '../../derive/settle/context.js'
import type { Item } from '../../dynamodb/attribute-value.js'
import type { Layout } from '../../layout/layout.js'
import { keyOfItem } from '../../plan/identity.js'
import { expectedSideItems } from './item.js'
import { findType, parseOwnItem } from './own-items.js'
import { managedExpiryNamesOf } from './side-writes.js'

/**
 * Returns the side items of the old layout with their times to live, if the new layout declares none: a writer with
 * the new layout removes the time from the edge but not from the mirror. Undefined if no time can remain.
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
