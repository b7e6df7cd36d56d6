import type { AttributeValue, Item, Key } from '../dynamodb/attribute-value.js'
import { ITEM_BYTES } from '../dynamodb/limits.js'
import { itemBytes } from '../dynamodb/size.js'
import type { Layout } from '../layout/layout.js'
import type { DeclaredType } from '../layout/slots.js'
import { storeItem } from '../layout/store-item.js'
import { GraphError } from '../schema/error.js'
import { asBefore, type Before } from './change-conditions.js'
import { keyOf, ownKey, partOf, type Written } from './change-part.js'
import { identityOf, sameValue, type Values } from './change-values.js'
import { ownKind } from './identity.js'
import type { Change, Refused } from './plan.js'
import { WriteExpression } from './write-expression.js'
import { holdsDerived, touchedKeys } from './write-needs.js'

/** Writes all of a node or an edge. What edges keep in it, or the stream, stays. */
export function wholeItem(layout: Layout, type: DeclaredType, change: Change, values: Values, before: Before): Written {
  const { names } = layout
  const item = { ...storeItem(ownKind(layout, type), names, values), [names.etag]: { S: change.etag } }
  checkSize(type, item)
  const expression = new WriteExpression()
  const refused = asBefore(layout, type, change, before, expression, values)
  const expected = guard(layout, before, refused)
  if (change.verb === 'create' || before === 'absent' || !holdsDerived(type))
    return { part: partOf(layout, 'Put', item, expression), ...expected, after: item }
  const key = keyOf(layout, item)
  setAll(expression, key, item)
  const gone = managedNames(layout, type).filter(name => !(name in item))
  for (const name of gone) expression.remove(expression.name(name))
  const after = { ...(typeof before === 'object' && without(before, gone)), ...item }
  return { part: partOf(layout, 'Update', key, expression), ...expected, after }
}

/** Writes what is different, with the keys that follow from it. */
export function changedItem(layout: Layout, type: DeclaredType, change: Change, values: Values, before: Item): Written {
  const { names } = layout
  const item: Item = { ...storeItem(ownKind(layout, type), names, values), [names.etag]: { S: change.etag } }
  checkSize(type, { ...before, ...item })
  const expression = new WriteExpression()
  const refused = asBefore(layout, type, change, before, expression, values)
  const key = keyOf(layout, item)
  const different = Object.entries(item).filter(([name, value]) => !sameValue(before[name], value))
  setAll(expression, key, Object.fromEntries(different))
  const gone = managedNames(layout, type).filter(name => !(name in item) && name in before)
  for (const name of gone) expression.remove(expression.name(name))
  return {
    part: partOf(layout, 'Update', key, expression),
    ...guard(layout, before, refused),
    after: { ...without(before, gone), ...item },
  }
}

/** Changes an item that has not been read: nothing that the change does not give is needed. */
export function changedUnread(layout: Layout, type: DeclaredType, change: Change): Written {
  const { names } = layout
  const known = { ...change.identity, ...change.set }
  const item = storeItem(ownKind(layout, type), names, known)
  const expression = new WriteExpression()
  const refused = asBefore(layout, type, change, 'unread', expression, known)
  const name = (slot: string) => expression.name(names.of(type, slot))
  expression.set(expression.name(names.etag), { S: change.etag })
  for (const [slot, value] of Object.entries(change.set)) expression.set(name(slot), value)
  for (const slot of change.remove) expression.remove(name(slot))
  for (const [slot, by] of Object.entries(change.add)) expression.add(names.of(type, slot), by)
  for (const [slot, inPlace] of Object.entries(change.inPlace)) {
    // A change within a value is written by what was read.
    if (inPlace.kind === 'within') continue
    const { kind, value } = inPlace
    if (kind === 'include') expression.add(names.of(type, slot), value)
    else if (kind === 'exclude') expression.take(names.of(type, slot), value)
    else expression.set(name(slot), listOf(expression, name(slot), kind, value))
  }
  for (const attribute of touchedKeys(layout, type, change)) {
    const key = item[attribute]
    if (key) expression.set(expression.name(attribute), key)
    else expression.remove(expression.name(attribute))
  }
  return { part: partOf(layout, 'Update', keyOf(layout, item), expression), refused, after: item }
}

function listOf(expression: WriteExpression, path: string, kind: 'append' | 'prepend', value: AttributeValue): string {
  const before = `if_not_exists(${path}, ${expression.value({ L: [] })})`
  const given = expression.value(value)
  return kind === 'append' ? `list_append(${before}, ${given})` : `list_append(${given}, ${before})`
}

export function deletedItem(layout: Layout, type: DeclaredType, change: Change, before: Before): Written {
  const expression = new WriteExpression()
  const refused = asBefore(layout, type, change, before, expression, change.identity)
  const part = partOf(layout, 'Delete', ownKey(layout, type, change.identity), expression)
  return { part, ...guard(layout, before, refused) }
}

function guard({ names }: Layout, before: Before, refused: Refused) {
  if (typeof before !== 'object') return { refused }
  const expects = before[names.etag]?.S
  return { refused, before, ...(expects !== undefined && { expects }) }
}

function without(item: Item, gone: readonly string[]): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !gone.includes(name)))
}

function setAll(expression: WriteExpression, key: Key, item: Item): void {
  for (const [name, value] of Object.entries(item)) if (!(name in key)) expression.set(expression.name(name), value)
}

/** The attributes that a put decides: those of the type, the keys of indexes, the time at which it expires. */
function managedNames(layout: Layout, type: DeclaredType): string[] {
  const { names } = layout
  const identity = identityOf(type)
  const own = Object.keys(type.attributes).filter(name => !type.attributes[name]!.derived && !identity.includes(name))
  const carried = type.kind === 'edge' ? type.carry.map(({ as }) => as) : []
  const keys = Object.keys(ownKind(layout, type).keys).filter(name => name !== names.partition && name !== names.sort)
  const stored = [...own, ...carried].map(slot => names.of(type, slot))
  return [...stored, ...keys, ...(type.expires === undefined ? [] : [names.expires])]
}

function checkSize({ name: type }: DeclaredType, item: Item): void {
  const sizeBytes = itemBytes(item)
  if (sizeBytes > ITEM_BYTES)
    throw new GraphError(
      'write.size',
      `this ${type} takes ${sizeBytes} bytes, and DynamoDB holds ${ITEM_BYTES} in an item`,
      {
        type,
      },
    )
}
