import type { AttributeValue, Item } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import type { Names } from '../layout/names.js'
import { storedForms } from '../layout/row-bindings.js'
import { storeItem } from '../layout/store-item.js'
import { EMPTY_TALLY } from '../layout/tally.js'
import { type Before, newPart, type Part } from './change-part.js'
import { sameValue } from './change-values.js'
import { keyOf, tableKey } from './identity.js'
import type { About, Change, PartChange, Refused, Slots } from './plan.js'
import type { WriteExpression } from './write-expression.js'
import { isNothing } from './write-given.js'
import { movedKeys } from './write-needs.js'
import type { Traits } from './write-traits.js'

/** A change within a value is written by what was read. */
type PlainChange = Extract<PartChange, { readonly value: AttributeValue }> | { kind: 'remove'; value: never }

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
    if (before === undefined) gone.unread = new Set()
    gone.isCascaded = verb === 'gone'
    return guarded(layout, traits, change, gone, before, identity)
  }
  const item: Item = storeItem(traits.own, names, values)
  item[names.etag] = { S: etag }
  const isUpdate = verb === 'update'
  const isUnread = before === undefined && verb !== 'create'
  const ranked = isUpdate ? [] : traits.ranked.filter(name => !before?.[name])
  for (const name of ranked) item[name] = { N: '0' }
  const isWhole = !before && !(isUnread && (traits.derived || isUpdate))
  if (isWhole) for (const name of traits.tallies) item[name] = EMPTY_TALLY
  const part = newPart(isWhole ? 'Put' : 'Update', keyOf(names, item), about, 'again', true)
  part.after = item
  part.ranked = ranked
  part.sets = etag
  guarded(layout, traits, change, part, before, values)
  if (isUnread && isUpdate) patchUnread(layout, traits, change, part)
  else if (!isWhole) {
    // What is put does not expire when the item would that others wrote; what is updated does.
    const managed = traits.managed.filter(
      name => !isUpdate || name !== names.timed || (traits.type.expires ?? '') in change.patch,
    )
    setAll(part, item, managed, isUpdate ? [...movedKeys(traits, change), names.expires] : managed)
  }
  // Sent again, it finds itself.
  const { expression } = part
  if (!isWhole && !expression.updates) expression.set(expression.name(names.etag), { S: etag })
  return part
}

/**
 * Sets what is different from the item as it was, where that is known, and takes away what a put decides and is not
 * there. `moved`: what is written also where it seems to be so already, since a backfill may change it under the same etag.
 */
export function setAll(part: Part, item: Item, managed: readonly string[], moved?: readonly string[]): void {
  const { before, key, expression, ranked } = part
  part.after = { ...before, ...item }
  for (const name of new Set([...Object.keys(item), ...managed])) {
    if (name in key || ranked?.includes(name)) continue
    if (before && !moved?.includes(name) && sameValue(before[name], item[name])) continue
    expression.set(expression.name(name), item[name])
    if (!item[name]) delete part.after[name]
  }
}

/** Changes an item that has not been read: nothing that the change does not give is needed. */
function patchUnread({ names }: Layout, traits: Traits, change: Change, part: Part): void {
  const { patch, etag } = change
  const { expression } = part
  const item = part.after!
  expression.set(expression.name(names.etag), { S: etag })
  part.unread = new Set([names.etag])
  for (const slot in patch) {
    const name = names.of(traits.type, slot)
    const { kind, value } = patch[slot] as PlainChange
    const path = expression.name(name)
    if (kind === 'set' || kind === 'remove') expression.set(path, value)
    else if (!kind.endsWith('pend')) expression.add(path, value, kind === 'exclude' ? 'DELETE' : 'ADD')
    else {
      const lists = [`if_not_exists(${path}, ${expression.value({ L: [] })})`, expression.value(value)]
      expression.set(path, `list_append(${kind === 'append' ? lists : lists.reverse()})`)
    }
    part.unread.add(name)
    if (/add|pend/.test(kind)) item[name] = value
  }
  const keys = movedKeys(traits, change)
  if ((traits.type.expires ?? '') in patch) keys.push(names.expires)
  for (const key of keys) {
    // A key may be an attribute itself.
    if (!part.unread.has(key)) expression.set(expression.name(key), item[key])
    part.unread.add(key)
  }
}

/** Holds a transaction to a row that it does not write: the row exists, and meets the condition of the call. */
export function checkPart(layout: Layout, traits: Traits, change: Change, about: About, before: Before): Part {
  const key = tableKey(layout, traits.own, change.identity)
  const part: Part = { ...newPart('ConditionCheck', key, about, 'write.absent'), isCheck: true }
  guarded(layout, traits, { ...change, verb: 'update' }, part, undefined, change.identity)
  // An edge in the same transaction can still change what the node keeps of it.
  part.before = part.after = before ?? undefined
  if (before === undefined) part.unread = new Set()
  return part
}

/** Adds the conditions under which an item is written, and what it means where they fail. */
function guarded(layout: Layout, traits: Traits, change: Change, part: Part, before: Before, values: Slots): Part {
  const { condition, derived } = change
  const { expression } = part
  if (derived && traits.type.kind === 'node') holdDerived(layout, traits, derived, part)
  if (before === undefined) part.refused = unread(layout, traits, change, expression, values)
  else {
    part.before = before ?? undefined
    part.expects = before ? `${before[layout.names.etag]?.S}` : ''
    asRead(layout.names, expression, before)
  }
  if (!condition) return part
  expression.given(condition)
  part.unless = part.refused
  part.refused = 'write.condition'
  return part
}

/** Holds a node to the derived values of a row that was read before it is put again. */
function holdDerived({ names }: Layout, { type }: Traits, derived: Slots, part: Part): void {
  const { expression } = part
  const held: Record<string, AttributeValue> = {}
  for (const [slot, value] of Object.entries(derived)) {
    const name = names.of(type, slot)
    held[name] = value
    expression.where(isNothing(value) && expression.missing(name), expression.equals(name, value))
  }
  part.derived = held
}

/** The condition that an item is as it was read, or still not there, but for what the stream keeps. */
export function asRead({ etag, partition }: Names, expression: WriteExpression, item: Before): void {
  if (!item) expression.where(expression.missing(partition))
  else if (item[etag]) expression.where(expression.equals(etag, item[etag]))
  else expression.where(expression.exists(partition)).where(expression.missing(etag))
}

function unread(
  { names }: Layout,
  { type, far, canBeGoing, immutable, timed, fold }: Traits,
  { verb, identity, nowSeconds }: Change,
  expression: WriteExpression,
  values: Slots,
): Refused {
  const isUpdate = verb === 'update'
  const isGuarded = verb !== 'delete' && canBeGoing
  if (verb === 'create') {
    expression.where(expression.free(names, timed, nowSeconds))
    return 'write.exists'
  }
  if (isUpdate) expression.where(expression.exists(names.partition))
  if (isUpdate && timed) expression.where(`NOT ${expression.past(names.expires, nowSeconds)}`)
  if (isGuarded) expression.where(expression.missing(names.going))
  if (verb !== 'put') {
    for (const slot of far) expression.where(expression.equals(names.of(type, slot), identity[slot]!))
    return isUpdate ? 'write.absent' : far[0] ? 'nothing' : 'again'
  }
  if (!immutable[0]) return isGuarded ? 'node.going' : 'again'
  const fixed = immutable.map(slot => {
    const name = names.of(type, slot)
    const value = values[slot]
    if (!value) return expression.missing(name)
    const forms = storedForms(type, slot, value, values, fold)
    if (forms.length === 1) return expression.equals(name, value)
    return `${expression.name(name)} IN (${forms.map(form => expression.value(form)).join(', ')})`
  })
  expression.where(expression.free(names, timed, nowSeconds), `(${fixed.join(' AND ')})`)
  return 'write.immutable'
}
