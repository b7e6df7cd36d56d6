import { createTransactionPart, type DerivationContext, tryTransaction } from '../derive/settle/context.js'
import type { Item, Key } from '../dynamodb/attribute-value.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { identitySlotsOf } from '../layout/slots.js'
import { keyOfItem } from '../plan/identity.js'
import { isSameValue } from '../plan/slot-values.js'
import { requireUnchanged } from '../plan/write/effects/own-item.js'
import { managedExpiryNamesOf } from './backfill/side-writes.js'

/** The names under which a sentinel says whose it is, but for what its key tells. */
function ownerNamesOf({ names }: Layout, { type, role }: Kind, sentinel: Item): string[] {
  const key = keyOfItem(names, sentinel)
  const stored = role === 'unique' ? identitySlotsOf(type).map(slot => names.attributeOf(type, slot)) : []
  return stored.filter(name => name in sentinel && !(name in key))
}

/** Whether what lies in the place of a sentinel does not say whose it is: other programs need not write that. */
export function isSentinelUnowned(layout: Layout, kind: Kind, sentinel: Item, existing: Item): boolean {
  const names = ownerNamesOf(layout, kind, sentinel)
  return names.length > 0 && !names.some(name => name in existing)
}

/** Whether it says that it is of the node that has its value: others need not have marked it. */
export function isSentinelOwned(layout: Layout, kind: Kind, sentinel: Item, existing: Item): boolean {
  const names = ownerNamesOf(layout, kind, sentinel)
  return names.length > 0 && names.every(name => isSameValue(existing[name], sentinel[name]))
}

/**
 * Gives it, as it is there, to the node that has its value, as that was read, and from the one that has it no more, as
 * that was. What else is in it stays, but for a time at which it would go by itself.
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
