import { type DerivationContext, keyTextOf, readCurrentItem, tryTransaction } from '../../derive/settle/context.js'
import { edgeReferenceOf, settleEdge } from '../../derive/settle/edge.js'
import { readTombstones } from '../../derive/settle/recount.js'
import { nodeOfSideItem, type ParsedItem, parseItem } from '../../derive/settle/side-items.js'
import { isSpent, nodeOfTombstone, spendTombstones } from '../../derive/settle/tombstone.js'
import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { itemsOfStoredRow } from '../../layout/items/items.js'
import type { Kind } from '../../layout/kinds.js'
import { keyOfItem, ownKindOf, tableKeyOf, tenantOf } from '../../plan/identity.js'
import type { SlotValues } from '../../plan/plan.js'
import { isLive, valuesOf } from '../../plan/row.js'
import { requireUnchanged } from '../../plan/write/effects/own-item.js'
import { createTransactionPart } from '../../plan/write/transaction-part.js'
import type { DeclaredEdge } from '../../schema/declarations.js'
import { hasStreamDerivedData } from '../../schema/edge/stream-derived-data.js'
import { createSideItemDelete } from '../delete-side-item.js'
import { keyRowOf, type VerifyFault } from './fault.js'
import { findUnreadableFault } from './unreadable-item.js'

/** Finds a mirror, a facet or a sentinel whose owner does not exist or should not have it. */
export async function findOrphanFaults(derivation: DerivationContext, kind: Kind, item: Item): Promise<VerifyFault[]> {
  const { layout, environment } = derivation.context
  if (!isStreamMaintained(kind) && !isLive(layout, item, environment.now())) return []
  const { key, ownerItem, ownsItem, values } = await readOwner(derivation, kind, item)
  if (ownsItem) return []
  const code = `${kind.role === 'unique' ? 'sentinel' : kind.role}.orphan` as VerifyFault['code']
  const repair = key && (() => removeOrphan(derivation, { kind, item, values }, key, ownerItem))
  return [{ code, type: kind.type.name, row: keyRowOf(layout, item), name: kind.name, found: item, repair }]
}

/** Whether the consumer maintains side items of this kind. DynamoDB deletes other expired side items itself. */
export const isStreamMaintained = ({ role, type }: Kind): boolean =>
  role === 'mirror' && hasStreamDerivedData(type as DeclaredEdge)

/** Reads the owner of a side item. Returns whether the owner should have, or may have, this item. */
export async function readOwner(derivation: DerivationContext, kind: Kind, item: Item) {
  const { layout } = derivation.context
  const values = valuesOf(layout, kind, item)
  const key = ownerKeyOf(derivation, kind, values)
  const ownerItem = key && (await readCurrentItem(derivation, key))
  const owner = ownerItem && parseItem(layout, ownerItem)
  const ownsItem =
    owner !== undefined &&
    (findUnreadableFault(layout, owner.kind, ownerItem!) !== undefined ||
      (owner.kind.type === kind.type &&
        itemsOfStoredRow(layout, kind.type, owner.values).some(
          ({ item: expected }) => keyTextOf(derivation, expected) === keyTextOf(derivation, item),
        )))
  return { key, ownerItem, ownsItem, values }
}

/** Returns the key of the node or edge that owns a side item. */
export function ownerKeyOf(
  { context: { layout } }: DerivationContext,
  { type }: Kind,
  values: SlotValues,
): Key | undefined {
  try {
    return tableKeyOf(layout, ownKindOf(layout, type), values)
  } catch {
    // The side item does not identify its owner.
    return undefined
  }
}

async function removeOrphan(
  derivation: DerivationContext,
  side: ParsedItem,
  ownerKey: Key,
  ownerItem: Item | undefined,
): Promise<void> {
  const { layout } = derivation.context
  const { kind, item } = side
  const key = keyOfItem(layout.names, item)
  if (isStreamMaintained(kind)) {
    await settleEdge(derivation, edgeReferenceOf(layout, side), [key])
    const node = nodeOfSideItem(layout, side)
    const tombstones = node ? await readTombstones(derivation, node.key, tenantOf(layout, side.values), key) : []
    if (tombstones.length > 0)
      await spendTombstones(
        derivation,
        node!.key,
        tombstones.map(tombstone => keyOfItem(layout.names, tombstone)),
      )
    return
  }
  const check = createTransactionPart('ConditionCheck', ownerKey)
  requireUnchanged(layout.names, check.expression, ownerItem)
  await tryTransaction(derivation, [check, createSideItemDelete(layout, item)])
}

/** Finds a tombstone that was not spent, because its stream record may have been lost. */
export function findTombstoneFaults(derivation: DerivationContext, item: Item): VerifyFault[] {
  if (isSpent(item)) return []
  const { layout } = derivation.context
  const node = nodeOfTombstone(item)
  const repair = () => spendTombstones(derivation, node, [keyOfItem(layout.names, item)])
  return [{ code: 'tombstone.unspent', type: '', row: keyRowOf(layout, node), found: item, repair }]
}
