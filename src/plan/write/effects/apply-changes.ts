import type { AttributeValue, Item, Key } from '../../../dynamodb/attribute-value.js'
import { storedFormsOf } from '../../../layout/items/row-bindings.js'
import type { Layout } from '../../../layout/layout.js'
import type { Reference } from '../../../layout/row-members.js'
import { TENANT_SLOT } from '../../../layout/slots.js'
import type { DeclaredEdge } from '../../../schema/declarations.js'
import { findEnd } from '../../../schema/edge/ends.js'
import { keyOfItem, tableKeyOf, uniqueKeyTextOf } from '../../identity.js'
import type { PlannedChange, SlotValues, WriteSubject } from '../../plan.js'
import { isLive } from '../../row.js'
import { applyPatch, isSameValue, storedValuesOf, valuesGivenBy } from '../../slot-values.js'
import { type TypeTraits, traitsOf } from '../../type-traits.js'
import { isTreePut } from '../ancestors.js'
import { type RefusalCode, refusalError } from '../refusals.js'
import { finishAggregates, writeAggregates } from './aggregates.js'
import { checkAscent } from './ancestor-checks.js'
import { copyFromNode, endNodeOf, type ItemWrite, ItemWrites, itemWrite, type ReadItems } from './item-write.js'
import { buildCheckWrite, buildOwnItemWrite, requireUnchanged } from './own-item.js'
import { sideItemsByKey, writeSideItems } from './side-items.js'
import { deleteCounted } from './tombstones.js'

/**
 * The writes that bring nodes, edges and all derived data from the state before the changes to the state after.
 * `readItems` is undefined when nothing had to be read.
 */
export function itemWritesOf(layout: Layout, changes: readonly PlannedChange[], readItems?: ReadItems): ItemWrite[] {
  const writes = new ItemWrites(layout, readItems)
  // Nodes come first because edges depend on the new values of nodes.
  for (const kind of ['node', 'edge'])
    for (const [call, change] of changes.entries()) {
      const traits = traitsOf(layout, change.type)
      if (traits.type.kind === kind) applyChange(writes, traits, change, call)
    }
  for (const [call, change] of readItems ? changes.entries() : [])
    if (isTreePut(traitsOf(layout, change.type), change))
      checkAscent(writes, change, changes, { type: change.type, identity: change.identity, call })
  return finishWrites(writes)
}

/** Applies the collected aggregate changes. Without a change and a requested check, no request is needed. */
export function finishWrites(writes: ItemWrites): ItemWrite[] {
  const itemWrites = [...writes.byKey.values()]
  for (const write of itemWrites) finishAggregates(writes.layout, write)
  return itemWrites.every(({ verb, isCheck }) => verb === 'ConditionCheck' && !isCheck) ? [] : itemWrites
}

export function subjectOf({ design }: Layout, { type, identity }: PlannedChange, call: number): WriteSubject {
  if (!design.tenant) return { type, identity, call }
  const { [TENANT_SLOT]: _, ...own } = identity
  return { type, identity: own, call }
}

function applyChange(writes: ItemWrites, traits: TypeTraits, change: PlannedChange, call: number): void {
  const { layout } = writes
  const { key } = change
  const subject = subjectOf(layout, change, call)
  switch (change.verb) {
    case 'markDeleting':
    case 'unmarkDeleting':
      writes.add(buildMarkWrite(layout, change, subject))
      return
    case 'requireMark': {
      const check = itemWrite('ConditionCheck', key, subject, 'node.restored')
      check.before = check.after = writes.priorItem(key) ?? undefined
      writes.add(check).expression.where(check.expression.equals(layout.names.deletionMark, { S: change.mark! }))
      return
    }
    case 'absent': {
      const check = itemWrite('ConditionCheck', key, subject, 'node.restored')
      writes.add(check).expression.where(check.expression.missing(layout.names.partition))
      return
    }
    case 'check':
      writes.add(buildCheckWrite(layout, traits, change, subject, writes.priorItem(key)))
      return
    case 'copy':
      throw new Error(`${change.type}: a plan of copies was run without completeCopies(); pass it to runWrite().`)
    default:
      applyRowChange(writes, traits, change, subject)
  }
}

/** Adds the write of a row's own item, of its side items, and of the nodes that it depends on. */
function applyRowChange(writes: ItemWrites, traits: TypeTraits, change: PlannedChange, subject: WriteSubject): void {
  const { layout } = writes
  const { type } = traits
  const { verb, identity, key } = change
  const before = writes.priorItem(key)
  const isLiveBefore = !!before && isLive(layout, before, change.nowSeconds * 1000)
  if (before !== undefined && !shouldWrite(layout, traits, change, subject, before, isLiveBefore)) {
    // The rest of the transaction may only succeed while the row still does not exist.
    if (verb === 'delete' && !writes.writeOf(key))
      requireUnchanged(layout.names, writes.add(itemWrite('ConditionCheck', key, subject, 'retry')).expression, before)
    return
  }
  const old = before ? storedValuesOf(traits, identity, before) : undefined
  const values = valuesAfter(writes, traits, change, subject, old)
  const write = buildOwnItemWrite(layout, traits, change, subject, before, values)
  if (before && !values && traits.hasDerived && type.kind === 'edge')
    deleteCounted(writes, traits.ownKind, write, before, old!, change.etag)
  writes.add(write)
  if (traits.owner && values && verb !== 'update' && !isLiveBefore)
    requireOwner(writes, traits.owner, identity, subject.call)
  // An update without a read never affects other items.
  const isShown = verb !== 'update' || old
  if (isShown && traits.sideKinds.length > 0) writeSideItems(writes, traits, change, subject, old, values)
  // An expired edge may have outlived the nodes at its ends, so it no longer contributes to aggregates.
  const aggregatedBefore = isLiveBefore ? old : isShown ? undefined : values
  if (type.kind === 'edge' && (change.ends || traits.requiredEnds.length > 0))
    writeAggregates(writes, type, change, subject, aggregatedBefore, values)
}

/** All values after the write, as far as known; undefined when the row is deleted. */
function valuesAfter(
  writes: ItemWrites,
  traits: TypeTraits,
  change: PlannedChange,
  subject: WriteSubject,
  old: SlotValues | undefined,
): SlotValues | undefined {
  const { type } = traits
  const { verb, identity, set, expectedDerived } = change
  if (verb === 'delete' || verb === 'deleteMarked') return undefined
  if (verb === 'update') return old ? applyPatch(traits, old, change) : valuesGivenBy(change)
  if (type.kind === 'node' || (type.carry.length === 0 && !expectedDerived)) return set
  const carried = copyCarriedValues(writes, type, identity, subject)
  const values = { ...set, ...carried }
  if (expectedDerived) assertCarriedCopies(traits, expectedDerived, carried, values, subject)
  return values
}

/**
 * Requires the owner of a bound node: the owned node may only be created while its owner exists and is not being
 * deleted.
 */
function requireOwner(writes: ItemWrites, owner: Reference, values: SlotValues, call: number): void {
  const { partition, deletionMark } = writes.layout.names
  const { key, identity } = endNodeOf(writes.layout, owner, values)
  const existingWrite = writes.writeOf(key)
  if (existingWrite?.isOwn && existingWrite.verb !== 'Delete') return
  const subject: WriteSubject = { type: owner.node.name, identity, call }
  if (existingWrite?.isOwn) throw refusalError('owner.absent', subject)
  const write = existingWrite ?? itemWrite('ConditionCheck', key, subject, 'owner.absent')
  const before = writes.priorItem(key)
  write.before = write.after = before ?? undefined
  if (before === undefined) write.unreadChanges ??= []
  const { expression } = writes.add(write)
  expression.where(expression.exists(partition))
  expression.where(expression.missing(deletionMark))
}

/** Whether a change needs a write, as far as known. Deleting a missing row does not. */
function shouldWrite(
  layout: Layout,
  traits: TypeTraits,
  change: PlannedChange,
  subject: WriteSubject,
  before: Item | null,
  isLiveBefore: boolean,
): boolean {
  const { verb, identity, set, condition, mark } = change
  const { names } = layout
  const refuse = (code: RefusalCode, name?: string) => {
    throw refusalError(code, subject, name)
  }
  const existing = before && !isOtherEdge(layout, traits, identity, before) ? before : undefined
  const deletionMark = existing?.[names.deletionMark]?.S
  if (verb === 'delete' || verb === 'deleteMarked') {
    // The mark changed, so the node was deleted and re-created; its new edges belong to the other call.
    if (existing && verb === 'deleteMarked' && deletionMark !== mark) refuse('node.restored')
    // As in DynamoDB, a condition also applies to a missing row, and to a row that another edge replaced.
    if (before && !existing && condition) refuse('write.condition')
    return existing !== undefined || condition !== undefined
  }
  if (deletionMark) refuse('node.deleting')
  // A node with at most one edge may have a different edge, which blocks a new edge just like the same one.
  const isExisting = isLiveBefore && (verb === 'create' || existing !== undefined)
  if (verb === 'update' && !isExisting) refuse('write.absent')
  if (verb === 'create' && isExisting) refuse('write.exists')
  if (verb === 'put' && isExisting)
    for (const name of traits.immutableSlots)
      if (!isSameStoredValue(traits, name, existing?.[names.attributeOf(traits.type, name)], set))
        refuse('write.immutable', name)
  return true
}

/** Whether the stored value of an attribute is the given one. An encrypted value has several stored forms. */
function isSameStoredValue(
  { type, fold }: TypeTraits,
  name: string,
  stored: AttributeValue | undefined,
  set: SlotValues,
): boolean {
  const input = set[name]
  if (!stored || !input) return stored === input
  return storedFormsOf(type, name, input, set, fold).some(form => isSameValue(stored, form))
}

/**
 * Sets or removes the deletion mark of a node, which includes the policy for its edges. A second mark does not
 * replace the first.
 */
function buildMarkWrite({ names }: Layout, change: PlannedChange, subject: WriteSubject): ItemWrite {
  const { verb, key, etag, mark, condition } = change
  const write = itemWrite('Update', key, subject, condition ? 'write.condition' : 'nothing', true)
  const { expression } = write
  write.newEtag = etag
  write.mustBeEmpty = change.mustBeEmpty
  const path = expression.name(names.deletionMark)
  expression.set(expression.name(names.etag), { S: etag })
  if (verb === 'unmarkDeleting') {
    expression.set(path, undefined)
    expression.where(expression.equals(names.deletionMark, { S: mark! }))
  } else {
    expression.set(path, `if_not_exists(${path}, ${expression.value({ S: `${mark} ${etag}` })})`)
    expression.where(expression.exists(names.partition))
    if (condition) expression.addCondition(condition)
  }
  return write
}

/**
 * The keys that are known only after reading an edge's item: nodes that aggregate the replaced edge, and mirrors that
 * the stream may have counted and that are deleted or whose copies change.
 */
export function dependentKeysOf(layout: Layout, change: PlannedChange, readItems: ReadItems): Key[] {
  const { verb, identity, set } = change
  const traits = traitsOf(layout, change.type)
  const { type, countedMirrors, aggregateOwners } = traits
  const existing = readItems.get(uniqueKeyTextOf(layout, tableKeyOf(layout, traits.ownKind, identity)))
  const isRemoved = verb === 'delete' || verb === 'copy'
  const isOther = existing && isOtherEdge(layout, traits, identity, existing)
  if (!existing || (isRemoved && isOther)) return []
  const before = storedValuesOf(traits, identity, existing)
  const { one } = type as DeclaredEdge
  const keys = isOther
    ? aggregateOwners.filter(({ name }) => name !== one).map(end => endNodeOf(layout, end, before).key)
    : []
  const after = verb === 'update' ? applyPatch(traits, before, change) : set
  const remainingItems = sideItemsByKey(layout, type, isRemoved ? undefined : after)
  for (const [text, { item, kind }] of sideItemsByKey(layout, type, before))
    if (countedMirrors.includes(kind) && !remainingItems.has(text)) keys.push(keyOfItem(layout.names, item))
  return keys
}

/** Whether the only edge of a node differs from the edge that the change refers to. */
export function isOtherEdge(
  { names }: Layout,
  { type, replaceableEnds }: TypeTraits,
  identity: SlotValues,
  existing: Item,
): boolean {
  return replaceableEnds.some(slot => !isSameValue(existing[names.attributeOf(type, slot)], identity[slot]))
}

/**
 * Checks that the copies in an edge that was read and is put again equal the current values of the nodes at its ends.
 */
function assertCarriedCopies(
  traits: TypeTraits,
  expectedDerived: SlotValues,
  carried: SlotValues,
  values: SlotValues,
  subject: WriteSubject,
): void {
  for (const [slot, expected] of Object.entries(expectedDerived)) {
    const current = carried[slot]
    const forms = storedFormsOf(traits.type, slot, expected, values, traits.fold)
    if (!current || !forms.some(form => isSameValue(form, current))) throw refusalError('write.derived', subject, slot)
  }
}

/** Copies values to an edge from the nodes at its ends: their values after this request, or their current values. */
function copyCarriedValues(
  writes: ItemWrites,
  type: DeclaredEdge,
  values: SlotValues,
  subject: WriteSubject,
): SlotValues {
  const copies: Record<string, AttributeValue> = {}
  const { names } = writes.layout
  for (const { copyName, end, attribute } of type.carry) {
    const carryEnd = findEnd(type, end)!
    const { identity, key } = endNodeOf(writes.layout, carryEnd, values)
    const nodeWrite = writes.writeOf(key)
    const source = nodeWrite?.isOwn ? nodeWrite.after : writes.priorItem(key)
    if (!identity[attribute] && (!source || source[names.deletionMark]))
      throw refusalError('edge.carry.absent', { ...subject, type: carryEnd.node.name, identity }, copyName)
    const value = copyFromNode(writes.layout, carryEnd, attribute, identity, source)
    if (value) copies[copyName] = value
  }
  return copies
}
