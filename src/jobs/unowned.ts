import { act, type Deriving, transact } from '../derive/deriving.js'
import type { Item, Key } from '../dynamodb/attribute-value.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { identityOf } from '../layout/slots.js'
import { asRead } from '../plan/change-own.js'
import { sameValue } from '../plan/change-values.js'
import { keyOf } from '../plan/identity.js'
import { ownTimes } from './backfill-sides.js'

/** The names under which a sentinel says whose it is, but for what its key tells. */
function ownerNames({ names }: Layout, { type, role }: Kind, sentinel: Item): string[] {
  const key = keyOf(names, sentinel)
  const stored = role === 'unique' ? identityOf(type).map(slot => names.of(type, slot)) : []
  return stored.filter(name => name in sentinel && !(name in key))
}

/** Whether what lies in the place of a sentinel does not say whose it is: other programs need not write that. */
export function isUnowned(layout: Layout, kind: Kind, sentinel: Item, there: Item): boolean {
  const owner = ownerNames(layout, kind, sentinel)
  return owner.length > 0 && !owner.some(name => name in there)
}

/** Whether it says that it is of the node that has its value: others need not have marked it. */
export function isOwned(layout: Layout, kind: Kind, sentinel: Item, there: Item): boolean {
  const owner = ownerNames(layout, kind, sentinel)
  return owner.length > 0 && owner.every(name => sameValue(there[name], sentinel[name]))
}

/**
 * Gives it, as it is there, to the node that has its value, as that was read, and from the one that has it no more, as
 * that was. What else is in it stays, but for a time at which it would go by itself.
 */
export function takeSentinel(
  deriving: Deriving,
  kind: Kind,
  sentinel: Item,
  own: Item,
  there: Item,
  from?: { readonly key: Key | undefined; readonly own: Item | undefined },
): Promise<boolean> {
  const { layout } = deriving.context
  const { names } = layout
  const key = keyOf(names, sentinel)
  const check = act('ConditionCheck', keyOf(names, own))
  asRead(names, check.expression, own)
  const taken = act('Update', key)
  const { expression } = taken
  expression.where(expression.exists(names.partition))
  for (const name of ownerNames(layout, kind, sentinel)) expression.where(expression.is(name, there[name]))
  for (const name in sentinel) if (!(name in key)) expression.set(expression.name(name), sentinel[name])
  for (const name of ownTimes(layout)) if (!(name in sentinel)) expression.set(expression.name(name), undefined)
  const checkFrom = from?.key && act('ConditionCheck', from.key)
  if (checkFrom) asRead(names, checkFrom.expression, from!.own)
  return transact(deriving, [check, taken, ...(checkFrom ? [checkFrom] : [])])
}
