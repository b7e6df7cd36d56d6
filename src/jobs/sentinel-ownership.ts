import { type DerivationContext, tryTransaction } from '../derive/settle/context.js'
import type { Item, Key } from '../dynamodb/attribute-value.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { identitySlotsOf } from '../layout/slots.js'
import { keyOfItem } from '../plan/identity.js'
import { isSameValue } from '../plan/slot-values.js'
import { requireUnchanged } from '../plan/write/effects/own-item.js'
import { createTransactionPart } from '../plan/write/transaction-part.js'
import { managedExpiryNamesOf } from './backfill/side-writes.js'

/** Returns the attributes of a sentinel that identify its owner, without those in its key. */
function ownerNamesOf({ names }: Layout, { type, role }: Kind, sentinel: Item): string[] {
  const key = keyOfItem(names, sentinel)
  const stored = role === 'unique' ? identitySlotsOf(type).map(slot => names.attributeOf(type, slot)) : []
  return stored.filter(name => name in sentinel && !(name in key))
}

/** Whether an existing sentinel does not identify its owner. Foreign writers may omit these attributes. */
export function isSentinelUnowned(layout: Layout, kind: Kind, sentinel: Item, existing: Item): boolean {
  const names = ownerNamesOf(layout, kind, sentinel)
  return names.length > 0 && !names.some(name => name in existing)
}

/** Whether an existing sentinel identifies the node with its value as its owner, even without a type mark. */
export function isSentinelOwned(layout: Layout, kind: Kind, sentinel: Item, existing: Item): boolean {
  const names = ownerNamesOf(layout, kind, sentinel)
  return names.length > 0 && names.every(name => isSameValue(existing[name], sentinel[name]))
}

/**
 * Transfers a sentinel to the node that has its value, on condition that neither this node nor the previous owner has
 * changed. Foreign attributes are kept, except a time to live.
 */
export function claimSentinel(
  derivation: DerivationContext,
  kind: Kind,
  sentinel: Item,
  newOwner: Item,
  existing: Item,
  previousOwner?: { readonly key: Key | undefined; readonly ownerItem: Item | undefined },
): Promise<boolean> {
  const { layout } = derivation.context
  const { names } = layout
  const key = keyOfItem(names, sentinel)
  const check = createTransactionPart('ConditionCheck', keyOfItem(names, newOwner))
  requireUnchanged(names, check.expression, newOwner)
  const update = createTransactionPart('Update', key)
  const { expression } = update
  expression.where(expression.exists(names.partition))
  for (const name of ownerNamesOf(layout, kind, sentinel))
    expression.where(expression.equalsOrMissing(name, existing[name]))
  for (const name in sentinel) if (!(name in key)) expression.set(expression.name(name), sentinel[name])
  for (const name of managedExpiryNamesOf(layout))
    if (!(name in sentinel)) expression.set(expression.name(name), undefined)
  const previousOwnerCheck = previousOwner?.key && createTransactionPart('ConditionCheck', previousOwner.key)
  if (previousOwnerCheck) requireUnchanged(names, previousOwnerCheck.expression, previousOwner!.ownerItem)
  return tryTransaction(derivation, [check, update, ...(previousOwnerCheck ? [previousOwnerCheck] : [])])
}
