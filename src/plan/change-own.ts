import type { AttributeValue, Item } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import type { Names } from '../layout/names.js'
import { storeItem } from '../layout/store-item.js'
import { type Before, newPart, type Part } from './change-part.js'
import { sameValue } from './change-values.js'
import { keyOf, tableKey } from './identity.js'
import type { About, Change, PartChange, Refused, Slots } from './plan.js'
import type { WriteExpression } from './write-expression.js'
import type { Traits } from './write-traits.js'

const ZERO: AttributeValue = { N: '0' }

/** Writes the item of a node or an edge itself. `values`: all that it will have, or is known of it; undefined: it goes. */
export function ownPart(
  layout: Layout,
  traits: Traits,
  change: Change,
  about: About,
  before: Before,
  values: Slots | undefined,
): Part {
  const { names } = layout
  const { verb, etag, identity } = change
  if (!values) {
    const gone = newPart('Delete', tableKey(layout, traits.own, identity), about, 'again', true)
    if (before === 'unread') gone.unread = new Set()
    return guarded(layout, traits, change, gone, before, identity)
  }
  const item: Item = storeItem(traits.own, names, values)
  item[names.etag] = { S: etag }
  const isUnread = before === 'unread' && verb !== 'create'
  const ranked = verb === 'update' ? [] : traits.ranked.filter(name => typeof before === 'string' || !before[name])
  for (const name of ranked) item[name] = ZERO
  const isWhole = typeof before === 'string' && !(isUnread && (traits.derived || verb === 'update'))
  const part = newPart(isWhole ? 'Put' : 'Update', keyOf(names, item), about, 'again', true)
  part.partial = isUnread && !isWhole
  part.after = item
  part.ranked = ranked
  part.sets = etag
  guarded(layout, traits, change, part, before, values)
  if (isUnread && verb === 'update') patchUnread(layout, traits, change, part)
  else if (!isWhole) setAll(part, item, traits.managed)
  // Sent again, it finds itself.
  if (!isWhole && !part.expression.updates) part.expression.set(part.expression.name(names.etag), { S: etag })
  return part
}

/** Sets what is different from the item as it was, where that is known, and takes away what a put decides and is not there. */
export function setAll(part: Part, item: Item, managed: readonly string[]): void {
  const { before, key, expression, ranked } = part
  part.after = { ...before, ...item }
  for (const name in item)
    if (!(name in key) && !ranked?.includes(name) && !(before && sameValue(before[name], item[name])))
      expression.set(expression.name(name), item[name]!)
  for (const name of managed)
    if (!(name in item) && (!before || name in before)) {
      expression.remove(expression.name(name))
      delete part.after[name]
    }
}

/** Changes an item that has not been read: nothing that the change does not give is needed. */
function patchUnread({ names }: Layout, { type, indexes }: Traits, { patch, etag }: Change, part: Part): void {
  const { expression } = part
  const item = part.after!
  expression.set(expression.name(names.etag), { S: etag })
  part.unread = new Set()
  for (const slot in patch) {
    const name = names.of(type, slot)
    const change = patch[slot]!
    patchSlot(expression, expression.name(name), change)
    part.unread.add(name)
    if (/add|pend/.test(change.kind)) {
      part.again = 'adds'
      item[name] = (change as { value: AttributeValue }).value
    }
  }
  const keys = new Set<string>(type.expires !== undefined && type.expires in patch ? [names.expires] : [])
  for (const { attributes, slots } of indexes)
    if (slots.some(slot => slot in patch)) for (const key of attributes) keys.add(key)
  for (const key of keys) {
    part.unread.add(key)
    const path = expression.name(key)
    if (item[key]) expression.set(path, item[key])
    else expression.remove(path)
  }
}

function patchSlot(expression: WriteExpression, path: string, part: PartChange): void {
  // A change within a value is written by what was read.
  if (part.kind === 'within') return
  const { kind, value } = { value: {} as AttributeValue, ...part }
  if (kind === 'remove') expression.remove(path)
  else if (kind === 'set') expression.set(path, value)
  else if (kind === 'exclude') expression.take(path, value)
  else if (kind === 'add' || kind === 'include') expression.add(path, value)
  else {
    const lists = [`if_not_exists(${path}, ${expression.value({ L: [] })})`, expression.value(value)]
    expression.set(path, `list_append(${kind === 'append' ? lists : lists.reverse()})`)
  }
}

/** Adds the conditions under which an item is written, and what it means where they fail. */
function guarded(layout: Layout, traits: Traits, change: Change, part: Part, before: Before, values: Slots): Part {
  const { partition, etag, expires } = layout.names
  const { verb, condition, nowSeconds } = change
  const { expression } = part
  if (typeof before === 'object') part.before = before
  if (before !== 'unread') part.expects = before === 'absent' ? '' : before[etag]?.S
  if (verb === 'create' || before !== 'unread') part.again = 'refused'
  if (verb === 'create' && typeof before === 'string') {
    const absent = expression.missing(partition)
    const isTimed = traits.type.expires !== undefined
    expression.where(isTimed ? `${absent} OR ${expression.past(expires, nowSeconds)}` : absent)
    part.refused = before === 'unread' ? 'write.exists' : 'again'
  } else if (before === 'absent') expression.where(expression.missing(partition))
  else if (before === 'unread') part.refused = unread(layout, traits, change, expression, values)
  else asRead(layout.names, expression, before)
  if (part.verb === 'Delete' && traits.kept.size > 0) part.refused = 'node.edges'
  if (!condition) return part
  expression.given(condition)
  part.unless = part.refused
  part.refused = 'write.condition'
  return part
}

/** The condition that an item is as it was read, or still not there, but for what the stream keeps. */
export function asRead({ etag, partition }: Names, expression: WriteExpression, item: Item | undefined): void {
  if (!item) expression.where(expression.missing(partition))
  else if (item[etag]) expression.where(expression.equals(etag, item[etag]))
  else expression.where(expression.exists(partition)).where(expression.missing(etag))
}

function unread(
  { names }: Layout,
  { type, far, ends, immutable }: Traits,
  { verb, identity, nowSeconds }: Change,
  expression: WriteExpression,
  values: Slots,
): Refused {
  const isUpdate = verb === 'update'
  const isGuarded = verb !== 'delete' && ends.length > 0
  if (isUpdate) expression.where(expression.exists(names.partition))
  if (isUpdate && type.expires !== undefined) expression.where(`NOT ${expression.past(names.expires, nowSeconds)}`)
  if (isGuarded) expression.where(expression.missing(names.going))
  if (verb !== 'put') {
    for (const slot of far) expression.where(expression.equals(names.of(type, slot), identity[slot]!))
    return isUpdate ? 'write.absent' : far.length > 0 ? 'nothing' : 'again'
  }
  if (immutable.length === 0) return isGuarded ? 'node.going' : 'again'
  const fixed = immutable.map(slot => expression.is(names.of(type, slot), values[slot]))
  expression.where(`${expression.missing(names.partition)} OR (${fixed.join(' AND ')})`)
  return 'write.immutable'
}
