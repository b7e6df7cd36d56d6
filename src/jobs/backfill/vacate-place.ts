import { type DerivationContext, readCurrentItems, tryTransaction } from '../../derive/settle/context.js'
import { mirrorKeysOf } from '../../derive/settle/edge.js'
import { kindOfItem, parseItem } from '../../derive/settle/side-items.js'
import { planSideItemDeletion } from '../../derive/settle/tombstone.js'
import type { Item } from '../../dynamodb/attribute-value.js'
import type { TransactWriteItem } from '../../dynamodb/operation-types.js'
import type { Layout } from '../../layout/layout.js'
import { keyOfItem, uniqueKeyTextOf } from '../../plan/identity.js'
import { isLive } from '../../plan/row.js'
import { requireUnchanged } from '../../plan/write/effects/own-item.js'
import { claimSentinel, isSentinelUnowned } from '../sentinel-ownership.js'
import { findOrphanSideItems, removeOrphanSideItem } from './orphan-side-items.js'

/**
 * Deletes orphan items at the keys of planned writes, because an orphan sentinel blocks its value. Claims a sentinel
 * without an owner. Returns whether it changed anything.
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

/** Whether an edge is expired but not deleted yet. The node may have another edge since. */
export function isExpiredEdge({ context }: DerivationContext, layout: Layout, item: Item): boolean {
  const type = kindOfItem(layout, item)?.type
  return type?.kind === 'edge' && type.expires !== undefined && !isLive(layout, item, context.environment.now())
}

/**
 * Deletes an expired edge with its mirror from the key of another edge, unless it was written again since it was read.
 */
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
