import type { AttributeValue, Item, Key } from '../dynamodb/attribute-value.js'
import type { TransactWriteItem } from '../dynamodb/operations/transactions.js'
import type { Layout } from '../layout/layout.js'
import { type DeclaredType, idSlots, referenceSlots, TENANT_SLOT } from '../layout/slots.js'
import { storeItem } from '../layout/store-item.js'
import type { DeclaredEnd } from '../schema/declared.js'
import type { Values } from './change-values.js'
import { ownKind } from './identity.js'
import type { Refused } from './plan.js'
import type { WriteExpression } from './write-expression.js'

/** One part of a write, and what it means where its condition fails. */
export interface Written {
  readonly part: TransactWriteItem
  readonly refused: Refused
  /** The etag that the item had when it was read: where it has another by now, it is read again. */
  readonly expects?: string
  /** The item as it was and as it will be, as far as known: what the write costs follows from them. */
  readonly before?: Item | undefined
  readonly after?: Item | undefined
}

export function keyOf({ names }: Layout, item: Item): Key {
  return { [names.partition]: item[names.partition]!, [names.sort]: item[names.sort]! }
}

/** The key of a type's own item. */
export function ownKey(layout: Layout, type: DeclaredType, values: Values): Key {
  return keyOf(layout, storeItem(ownKind(layout, type), layout.names, values))
}

/** The key of the node at an end of an edge. */
export function endKey(layout: Layout, { name, node }: DeclaredEnd, edge: Values): Key {
  const references = referenceSlots(name, node)
  const entries = idSlots(node).map((slot, i) => [slot, edge[references[i]!]!] as const)
  const tenant = layout.design.tenant ? { [TENANT_SLOT]: edge[TENANT_SLOT]! } : {}
  return ownKey(layout, node, { ...tenant, ...Object.fromEntries(entries) })
}

export function keyText(key: Key): string {
  return JSON.stringify(Object.entries(key).sort())
}

/** The item with that key among those that were read. */
export function found(layout: Layout, read: readonly Item[], key: Key): Item | undefined {
  const text = keyText(key)
  return read.find(item => keyText(keyOf(layout, item)) === text)
}

type Verb = 'Put' | 'Update' | 'Delete' | 'ConditionCheck'

/** A part of a write with its expressions, of the layout's own table. */
export function partOf(
  { design }: Layout,
  verb: Verb,
  members: Record<string, AttributeValue> | Item,
  expression?: WriteExpression,
): TransactWriteItem {
  const target = verb === 'Put' ? { Item: members } : { Key: members }
  return { [verb]: { TableName: design.name, ...target, ...expression?.request() } }
}
