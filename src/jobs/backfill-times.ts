import { type Deriving, itemsAt, textOf } from '../derive/deriving.js'
import type { Item } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import { keyOf } from '../plan/identity.js'
import { read, sidesOf, typeIn } from './backfill-item.js'
import { ownTimes } from './backfill-sides.js'

/**
 * What lies beside an item by the layout before, with the times at which it is to expire, where the new layout has no such
 * time: those who know only that one leave it on a mirror when they take it off the edge. Undefined where none can be left.
 */
export async function timedSides(deriving: Deriving, before: Layout, item: Item): Promise<Item[] | undefined> {
  const { layout } = deriving.context
  const was = read(before, item)?.type
  const isTimed = was?.expires !== undefined && was.expires !== typeIn(layout, was.name)?.expires
  const sides = isTimed ? sidesOf(before, before, item, {}) : []
  if (sides.length === 0) return undefined
  const found = await itemsAt(
    deriving,
    sides.map(side => keyOf(before.names, side)),
  )
  return sides.map(side => {
    const there = found.get(textOf(deriving, side)) ?? {}
    const left = ownTimes(layout).filter(name => there[name])
    return { ...side, ...Object.fromEntries(left.map(name => [name, there[name]!])) }
  })
}
