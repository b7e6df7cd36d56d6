import type { AttributeValue, Item } from '../../../dynamodb/attribute-value.js'
import { composeItem } from '../../../layout/items/compose-item.js'
import { storedFormsOf } from '../../../layout/items/row-bindings.js'
import { EMPTY_TALLY } from '../../../layout/items/tally.js'
import type { Layout } from '../../../layout/layout.js'
import type { StoredNames } from '../../../layout/stored-names.js'
import type { ConditionOutcome, PlannedChange, SlotValues, ValueChange, WriteSubject } from '../../plan.js'
import { isSameValue } from '../../slot-values.js'
import type { TypeTraits } from '../../type-traits.js'
import type { WriteExpression } from '../expression.js'
import { isEmptyAggregate } from '../intent/row-change.js'
import { changedIndexKeys } from '../prior-reads.js'
import { type ItemWrite, itemWrite, type PriorItem } from './item-write.js'

/** A change inside a nested value is converted to a plain change of the value that was read. */
type PlainValueChange = Extract<ValueChange, { readonly value: AttributeValue }> | { kind: 'remove'; value: never }

/**
 * Writes the own item of a node or an edge. `values` holds all values after the write, as far as known; undefined
 * deletes the item.
 */
export function buildOwnItemWrite(
  layout: Layout,
  traits: TypeTraits,
  change: PlannedChange,
  subject: WriteSubject,
  before: PriorItem,
  values: SlotValues | undefined,
): ItemWrite {
  const { names } = layout
  const { verb, etag, identity, key } = change
  if (!values) {
    const deletion = itemWrite('Delete', key, subject, 'retry', true)
    if (before === undefined) deletion.unreadChanges = []
    deletion.isCascaded = verb === 'deleteMarked'
    return addGuards(layout, traits, change, deletion, before, identity)
  }
  const item: Item = composeItem(traits.ownKind, names, values, key)
  item[names.etag] = { S: etag }
  const isUpdate = verb === 'update'
  const isUnread = before === undefined && verb !== 'create'
  const ranked = isUpdate ? [] : traits.rankedCounters.filter(name => !before?.[name])
  for (const name of ranked) item[name] = { N: '0' }
  const isWhole = !before && !(isUnread && (traits.hasDerived || traits.summaryNames.length > 0 || isUpdate))
  if (isWhole) for (const name of traits.tallyNames) item[name] = EMPTY_TALLY
  const write = itemWrite(isWhole ? 'Put' : 'Update', key, subject, 'retry', true)
  write.after = item
  write.rankedCounters = ranked
  write.newEtag = etag
  addGuards(layout, traits, change, write, before, values)
  if (isUnread && isUpdate) patchUnreadItem(layout, traits, change, write)
  else if (!isWhole) {
    // A put removes an expiry time that other writers set on the item; an update leaves it.
    const managed = traits.managedNames.filter(
      name => !isUpdate || name !== names.configuredExpires || (traits.type.expires ?? '') in change.patch,
    )
    setChangedAttributes(
      write,
      item,
      managed,
      isUpdate ? [...changedIndexKeys(traits, change), names.expires] : managed,
    )
  }
  // A repeated request after a lost response finds its own etag.
  const { expression } = write
  if (!isWhole && !expression.hasUpdates) expression.set(expression.name(names.etag), { S: etag })
  return write
}

/**
 * Sets every attribute that differs from the known item, and removes attributes that a put controls and does not
 * give. Attributes in `moved` are written even when they seem unchanged, because a backfill may change them under the
 * same etag.
 */
export function setChangedAttributes(
  write: ItemWrite,
  item: Item,
  managed: readonly string[],
  alwaysSet?: readonly string[],
): void {
  const { before, key, expression, rankedCounters } = write
  write.after = { ...before, ...item }
  for (const name of new Set([...Object.keys(item), ...managed])) {
    if (name in key || rankedCounters?.includes(name)) continue
    if (before && !alwaysSet?.includes(name) && isSameValue(before[name], item[name])) continue
    expression.set(expression.name(name), item[name])
    if (!item[name]) delete write.after[name]
  }
}

/** Updates an item that was not read. The change must contain all values that the write needs. */
function patchUnreadItem({ names }: Layout, traits: TypeTraits, change: PlannedChange, write: ItemWrite): void {
  const { patch, etag } = change
  const { expression } = write
  const item = write.after!
  expression.set(expression.name(names.etag), { S: etag })
  write.unreadChanges = [names.etag]
  for (const slot in patch) {
    const name = names.attributeOf(traits.type, slot)
    const { kind, value } = patch[slot] as PlainValueChange
    const path = expression.name(name)
    if (kind === 'set' || kind === 'remove') expression.set(path, value)
    else if (!kind.endsWith('pend')) expression.add(path, value, kind === 'exclude' ? 'DELETE' : 'ADD')
    else {
      const lists = [`if_not_exists(${path}, ${expression.value({ L: [] })})`, expression.value(value)]
      expression.set(path, `list_append(${kind === 'append' ? lists : lists.reverse()})`)
    }
    write.unreadChanges.push(name)
    if (/add|pend/.test(kind)) item[name] = value
  }
  const keys = changedIndexKeys(traits, change)
  if ((traits.type.expires ?? '') in patch) keys.push(names.expires)
  for (const key of keys) {
    // A key may itself be an attribute, which is already set.
    if (!write.unreadChanges.includes(key)) expression.set(expression.name(key), item[key])
    write.unreadChanges.push(key)
  }
}

/** Adds a check of a row that the transaction does not write: the row exists, and meets the condition of the call. */
export function buildCheckWrite(
  layout: Layout,
  traits: TypeTraits,
  change: PlannedChange,
  subject: WriteSubject,
  before: PriorItem,
): ItemWrite {
  const check: ItemWrite = { ...itemWrite('ConditionCheck', change.key, subject, 'write.absent'), isCheck: true }
  addGuards(layout, traits, { ...change, verb: 'update' }, check, undefined, change.identity)
  // An edge in the same transaction can still change the node's aggregates.
  check.before = check.after = before ?? undefined
  if (before === undefined) check.unreadChanges = []
  return check
}

/** Adds the conditions of an item write and the meaning of their failure. */
function addGuards(
  layout: Layout,
  traits: TypeTraits,
  change: PlannedChange,
  write: ItemWrite,
  before: PriorItem,
  values: SlotValues,
): ItemWrite {
  const { condition, expectedDerived } = change
  const { expression } = write
  if (expectedDerived && traits.type.kind === 'node') requireDerivedValues(layout, traits, expectedDerived, write)
  if (before === undefined) write.onConditionFailed = guardUnreadItem(layout, traits, change, write, values)
  else {
    write.before = before ?? undefined
    write.expectedEtag = before ? `${before[layout.names.etag]?.S}` : ''
    requireUnchanged(layout.names, expression, before)
  }
  if (!condition) return write
  expression.addCondition(condition)
  write.withoutUserCondition = write.onConditionFailed
  write.onConditionFailed = 'write.condition'
  return write
}

/** Requires that a node has the derived values of the row that was read before the put. */
function requireDerivedValues(
  { names }: Layout,
  { type }: TypeTraits,
  expectedDerived: SlotValues,
  write: ItemWrite,
): void {
  const { expression } = write
  const expected: Record<string, AttributeValue> = {}
  for (const [slot, value] of Object.entries(expectedDerived)) {
    const name = names.attributeOf(type, slot)
    expected[name] = value
    expression.where(isEmptyAggregate(value) && expression.missing(name), expression.equals(name, value))
  }
  write.expectedDerived = expected
}

/** The condition that an item is unchanged, or still missing, apart from the attributes that the stream maintains. */
export function requireUnchanged({ etag, partition }: StoredNames, expression: WriteExpression, item: PriorItem): void {
  if (!item) expression.where(expression.missing(partition))
  else if (item[etag]) expression.where(expression.equals(etag, item[etag]))
  else expression.where(expression.exists(partition)).where(expression.missing(etag))
}

/** The immutable attribute that a refused put would have changed, as far as the stored item shows it. */
export function changedImmutableOf(
  { immutableForms = {} }: Pick<ItemWrite, 'immutableForms'>,
  current: Item | undefined,
): string | undefined {
  const slots = current ? Object.keys(immutableForms) : []
  return slots.find(slot => {
    const { name, forms } = immutableForms[slot]!
    const stored = current![name]
    return stored ? !forms.some(form => isSameValue(form, stored)) : forms.length > 0
  })
}

function guardUnreadItem(
  { names }: Layout,
  { type, replaceableEnds, canBeDeleting, immutableSlots, expiryName, fold }: TypeTraits,
  { verb, identity, nowSeconds }: PlannedChange,
  write: ItemWrite,
  values: SlotValues,
): ConditionOutcome {
  const { expression } = write
  const isUpdate = verb === 'update'
  const isGuarded = verb !== 'delete' && canBeDeleting
  if (verb === 'create') {
    expression.where(expression.absentOrExpired(names, expiryName, nowSeconds))
    return 'write.exists'
  }
  if (isUpdate) expression.where(expression.exists(names.partition))
  if (isUpdate && expiryName) expression.where(`NOT ${expression.expired(names.expires, nowSeconds)}`)
  if (isGuarded) expression.where(expression.missing(names.deletionMark))
  if (verb !== 'put') {
    for (const slot of replaceableEnds)
      expression.where(expression.equals(names.attributeOf(type, slot), identity[slot]!))
    return isUpdate ? 'write.absent' : replaceableEnds.length > 0 ? 'nothing' : 'retry'
  }
  if (immutableSlots.length === 0) return isGuarded ? 'node.deleting' : 'retry'
  const unchanged = immutableSlots.map(slot => {
    const name = names.attributeOf(type, slot)
    const value = values[slot]
    const forms = value ? storedFormsOf(type, slot, value, values, fold) : []
    write.immutableForms = { ...write.immutableForms, [slot]: { name, forms } }
    if (!value) return expression.missing(name)
    if (forms.length === 1) return expression.equals(name, value)
    return `${expression.name(name)} IN (${forms.map(form => expression.value(form)).join(', ')})`
  })
  expression.where(expression.absentOrExpired(names, expiryName, nowSeconds), `(${unchanged.join(' AND ')})`)
  return 'write.immutable'
}
