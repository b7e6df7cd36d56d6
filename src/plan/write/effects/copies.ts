import type { AttributeValue, Item, Key } from '../../../dynamodb/attribute-value.js'
import { itemsOfStoredRow } from '../../../layout/items/items.js'
import type { Kind } from '../../../layout/kinds.js'
import type { Layout } from '../../../layout/layout.js'
import { memoize } from '../../../layout/memoize.js'
import type { DeclaredCarry, DeclaredEdge } from '../../../schema/declarations.js'
import { findEnd } from '../../../schema/edge/ends.js'
import { keyOfItem, uniqueKeyTextOf } from '../../identity.js'
import type { PlannedChange, SlotValues, WriteSubject } from '../../plan.js'
import { isSameValue, storedValuesOf } from '../../slot-values.js'
import { type TypeTraits, traitsOf } from '../../type-traits.js'
import { mergeAggregates, nodeAggregatesOf } from './aggregates.js'
import { finishWrites, isOtherEdge, subjectOf } from './apply-changes.js'
import { copyFromNode, endNodeOf, type ItemWrite, ItemWrites, itemWrite, type ReadItems } from './item-write.js'
import { requireUnchanged } from './own-item.js'

/** The writes that update the stale copies of several edges. A missing edge has none. */
export function copyWritesOf(layout: Layout, changes: readonly PlannedChange[], readItems?: ReadItems): ItemWrite[] {
  const writes = new ItemWrites(layout, readItems)
  for (const [call, change] of changes.entries()) {
    const traits = traitsOf(layout, change.type)
    const { identity } = change
    const own = writes.priorItem(change.key)
    if (!own || isOtherEdge(layout, traits, identity, own)) continue
    writeCopies(writes, traits, storedValuesOf(traits, identity, own), subjectOf(layout, change, call), own)
  }
  return finishWrites(writes)
}

/**
 * Updates stale copies on an edge, its mirror and its entries. Every source node must still have the values that were
 * read. Only the copies, and index keys composed of them, change; the etag does not.
 */
function writeCopies(
  writes: ItemWrites,
  { type, countedMirrors }: TypeTraits,
  old: SlotValues,
  subject: WriteSubject,
  own: Item,
): void {
  const { layout } = writes
  const { names } = layout
  const edge = type as DeclaredEdge
  if (writes.writeOf(keyOfItem(names, own))) return
  const synced = edge.carry.filter(({ sync }) => sync !== undefined)
  const values = withCurrentCopies(writes, edge, synced, old)
  const [first, ...others] = itemsOfStoredRow(layout, type, values)
  const mirrorWrites = others.flatMap(({ item, kind }) => {
    const existing = countedMirrors.includes(kind) && writes.priorItem(keyOfItem(names, item))
    return existing ? [buildCopyWrite(writes, kind, subject, synced, existing, item)] : []
  })
  const ownWrite = buildCopyWrite(writes, first!.kind, subject, synced, own, first!.item)
  const entries = findStaleEntries(writes, edge, values)
  const changedWrites = [ownWrite, ...mirrorWrites].filter(({ expression }) => expression.hasUpdates)
  if (changedWrites.length + entries.length === 0) return
  const { expression } = ownWrite
  requireUnchanged(names, expression, own)
  // The etag does not cover the other copies, which may also be part of index keys.
  for (const { copyName } of synced)
    expression.where(
      expression.equalsOrMissing(names.attributeOf(type, copyName), own[names.attributeOf(type, copyName)]),
    )
  writes.add(ownWrite)
  for (const mirrorWrite of mirrorWrites) if (mirrorWrite.expression.hasUpdates) writes.add(mirrorWrite)
  for (const { key, node, name, entry } of entries) {
    const { aggregateChanges } = requireNodeAsRead(writes, { ...subject, ...node }, key)
    aggregateChanges[name] = mergeAggregates(aggregateChanges[name], entry)
  }
  const isUsed = ({ copyName }: DeclaredCarry) =>
    entries.length > 0 ||
    [ownWrite, ...mirrorWrites].some(
      ({ before }) => !isSameValue(before?.[names.attributeOf(type, copyName)], values[copyName]),
    )
  for (const carry of synced) if (isUsed(carry)) assertSourceUnchanged(writes, edge, carry, old, subject)
}

/** The values of an edge with copies of the current source values. */
function withCurrentCopies(
  writes: ItemWrites,
  edge: DeclaredEdge,
  synced: readonly DeclaredCarry[],
  old: SlotValues,
): SlotValues {
  const values: Record<string, AttributeValue> = { ...old }
  for (const carry of synced) {
    const { at, source, identity } = carrySourceOf(writes, edge, carry, old)
    const oldCopy = !source && carry.deleted !== 'remove' ? old[carry.copyName] : undefined
    const value = copyFromNode(writes.layout, at, carry.attribute, identity, source) ?? oldCopy
    if (value) values[carry.copyName] = value
    else delete values[carry.copyName]
  }
  return values
}

function carrySourceOf(writes: ItemWrites, edge: DeclaredEdge, { end }: DeclaredCarry, values: SlotValues) {
  const carryEnd = findEnd(edge, end)!
  const { key, identity } = endNodeOf(writes.layout, carryEnd, values)
  return { at: carryEnd, key, identity, source: writes.priorItem(key) }
}

/** Sets the stale copies and index keys of an item. Without any, the write is a condition check. */
function buildCopyWrite(
  { layout: { names } }: ItemWrites,
  kind: Kind,
  subject: WriteSubject,
  synced: readonly DeclaredCarry[],
  before: Item,
  item: Item,
): ItemWrite {
  const write = itemWrite('ConditionCheck', keyOfItem(names, item), subject, 'retry')
  const { expression } = write
  write.before = before
  write.after = { ...before }
  expression.where(expression.exists(names.partition))
  // A copy may itself be a key attribute.
  for (const name of new Set([
    ...synced.map(({ copyName }) => names.attributeOf(kind.type, copyName)),
    ...Object.keys(kind.keys),
  ])) {
    if (isSameValue(before[name], item[name])) continue
    expression.set(expression.name(name), item[name])
    if (item[name]) write.after[name] = item[name]
    else delete write.after[name]
  }
  return write
}

/** The stale entries of an edge, in the nodes that embed it. */
function findStaleEntries(writes: ItemWrites, edge: DeclaredEdge, values: SlotValues) {
  const aggregates = edge.embed.length > 0 ? [...nodeAggregatesOf(writes.layout, edge, values).values()] : []
  return aggregates.flatMap(({ subject: node, key, values }) => {
    const existing = writes.priorItem(key)
    return Object.entries(values).flatMap(([name, { M = {} }]) => {
      const stored = existing?.[name]?.M
      const stale = Object.entries(M).filter(([id, entry]) => stored?.[id] && !isSameValue(stored[id], entry))
      return stale.length > 0 ? [{ node, key, name, entry: { M: Object.fromEntries(stale) } }] : []
    })
  })
}

/** The write that requires a node to be as it was read, or still missing. */
function requireNodeAsRead(writes: ItemWrites, subject: WriteSubject, key: Key): ItemWrite {
  const existingWrite = writes.writeOf(key)
  if (existingWrite) return existingWrite
  const { partition } = writes.layout.names
  const check = itemWrite('ConditionCheck', key, subject, 'retry')
  const { expression } = check
  check.before = check.after = writes.priorItem(key) ?? undefined
  expression.where(check.before ? expression.exists(partition) : expression.missing(partition))
  return writes.add(check)
}

/** Node values that the request already checks. */
const checkedSourcesOf = memoize((_: ItemWrites) => new Set<string>())

/** Requires that a source still has the value that was copied. Several edges share one check. */
function assertSourceUnchanged(
  writes: ItemWrites,
  edge: DeclaredEdge,
  carry: DeclaredCarry,
  values: SlotValues,
  { call }: WriteSubject,
): void {
  const { layout } = writes
  const checked = checkedSourcesOf(writes)
  const { at, key, identity, source } = carrySourceOf(writes, edge, carry, values)
  const { node } = at
  const name = layout.names.attributeOf(node, carry.attribute)
  const text = `${uniqueKeyTextOf(layout, key)}\n${name}`
  if (identity[carry.attribute] || checked.has(text)) return
  checked.add(text)
  const { expression } = requireNodeAsRead(writes, { type: node.name, identity, call }, key)
  if (source) expression.where(expression.equalsOrMissing(name, source[name]))
}
