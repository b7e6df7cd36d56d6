import { type DerivationContext, readCurrentItems, tryTransaction } from '../../derive/settle/context.js'
import { mirrorKeysOf } from '../../derive/settle/edge.js'
import { kindOfItem, parseItem } from '../../derive/settle/side-items.js'
import { planSideItemDeletion } from '../../derive/settle/tombstone.js'
import type { Item } from '../../dynamodb/attribute-value.js'
import type { TransactWriteItem } from '../../dynamodb/operations/transactions.js'
import type { Layout } from '../../layout/layout.js'
import { keyOfItem, uniqueKeyTextOf } from '../../plan/identity.js'
import { isLive } from '../../plan/row.js'
import { requireUnchanged } from '../../plan/write/effects/own-item.js'
import { claimSentinel, isSentinelUnowned } from '../sentinel-ownership.js'
import { findOrphanSideItems, removeOrphanSideItem } from './orphan-side-items.js'

/**
 * Takes away what nobody has any more from where something is to be put: a sentinel keeps a value from all others. Where
 * one does not say whose it is, it is given to this one, which the answer tells.
 */
export async function vacatePlaces(
  derivation: DerivationContext,
  oldLayout: Layout,
  ownItem: Item,
  writes: readonly TransactWriteItem[],
): Promise<boolean> {
  const { layout } = derivation.context
  const puts = writes.flatMap(({ Put }) => (Put ? [Put.Item] : []))
  const itemsByKey = await readCurrentItems(
    derivation,
    puts.map(put => keyOfItem(layout.names, put)),
  )
  for (const item of await findOrphanSideItems(derivation, oldLayout, [...itemsByKey.values()]))
    await removeOrphanSideItem(derivation, oldLayout, item)
  let hasClaimed = false
  for (const put of puts) {
    const existing = itemsByKey.get(uniqueKeyTextOf(layout, put))
    const kind = kindOfItem(layout, put)
    if (existing && kind && isSentinelUnowned(layout, kind, put, existing))
      hasClaimed = (await claimSentinel(derivation, kind, put, ownItem, existing)) || hasClaimed
  }
  return hasClaimed
}

/** Whether an edge is there only since nobody has taken it away: another of the same node may have been made meanwhile. */
export function isExpiredEdge({ context }: DerivationContext, layout: Layout, item: Item): boolean {
  const type = kindOfItem(layout, item)?.type
  return type?.kind === 'edge' && type.expires !== undefined && !isLive(layout, item, context.environment.now())
}

/** Takes away an edge that is over, with its mirror, from where another belongs, unless it was written anew since it was read. */
export async function removeExpiredEdge(derivation: DerivationContext, item: Item): Promise<void> {
  const { layout } = derivation.context
  const parsed = parseItem(layout, item)!
  const [deletePart, ...rest] = planSideItemDeletion(derivation, parsed)
  requireUnchanged(layout.names, deletePart!.expression, item)
  const mirrors = await readCurrentItems(derivation, mirrorKeysOf(layout, parsed))
  const sideItems = [...mirrors.values()].flatMap(mirror => parseItem(layout, mirror) ?? [])
  const mirrorItems = sideItems.filter(({ kind }) => kind.role === 'mirror')
  await tryTransaction(derivation, [
    deletePart!,
    ...rest,
    ...mirrorItems.flatMap(side => planSideItemDeletion(derivation, side)),
  ])
}
