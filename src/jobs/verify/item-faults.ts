import {
  type DerivationContext,
  generateToken,
  keyTextOf,
  readCurrentItems,
  tryTransaction,
} from '../../derive/settle/context.js'
import { edgeReferenceOf, extraAttributesOf, settleEdge, updateCopies } from '../../derive/settle/edge.js'
import { settleNode } from '../../derive/settle/node.js'
import type { ParsedItem } from '../../derive/settle/side-items.js'
import type { AttributeValue, Item, Key } from '../../dynamodb/attribute-value.js'
import { composeItem } from '../../layout/items/compose-item.js'
import { itemsOfStoredRow, type KindItem } from '../../layout/items/items.js'
import { decodeTemplate, encodeTemplate, type KeySlotValues } from '../../layout/keys/encode-template.js'
import type { Kind } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import { identitySlotsOf, referenceSlots, SHARD_SLOT } from '../../layout/slots.js'
import { keyOfItem, ownKindOf } from '../../plan/identity.js'
import type { SlotValues } from '../../plan/plan.js'
import { isLive, valuesOf } from '../../plan/row.js'
import { isSameValue } from '../../plan/slot-values.js'
import { endNodeOf } from '../../plan/write/effects/item-write.js'
import { requireUnchanged } from '../../plan/write/effects/own-item.js'
import { createTransactionPart } from '../../plan/write/transaction-part.js'
import type { DeclaredEdge, DeclaredEnd } from '../../schema/declarations.js'
import { isClosure } from '../../schema/edge/closure.js'
import { hasStreamDerivedData } from '../../schema/edge/stream-derived-data.js'
import { GraphError } from '../../schema/error.js'
import { planMoves } from '../backfill/item.js'
import { parseOwnItem } from '../backfill/own-items.js'
import { managedExpiryNamesOf } from '../backfill/side-writes.js'
import { computeValues } from '../computed-values.js'
import { claimSentinel, isSentinelOwned, isSentinelUnowned } from '../sentinel-ownership.js'
import { faultRowOf, type VerifyFault } from './fault.js'
import { isStreamMaintained, readOwner } from './orphans.js'
import { findUnreadableFault } from './unreadable-item.js'

/** Finds computed attributes that differ from their current computation: foreign writes, or a changed declaration. */
export function findStaleComputed(derivation: DerivationContext, kind: Kind, item: Item): VerifyFault[] {
  const { layout } = derivation.context
  const { type } = kind
  const describe = () => ({ type: type.name, row: faultRowOf(layout, kind, item) })
  try {
    const expected = Object.entries(computeValues(layout, type, valuesOf(layout, kind, item)))
    const found = (name: string) => item[layout.names.attributeOf(type, name)]
    const stale = expected.filter(([name, value]) => !isSameValue(value, found(name)))
    const repair = async () => {
      await writeValues(derivation, item, Object.fromEntries(stale), { S: generateToken(derivation) })
      if (type.kind === 'node') await settleNode(derivation, { item, type, needsCopies: true, needsCounting: false })
    }
    return stale.map(
      ([name, value]): VerifyFault => ({
        ...describe(),
        code: 'computed.stale',
        name,
        expected: value,
        found: found(name),
        repair,
      }),
    )
  } catch (error) {
    if (!GraphError.is(error)) throw error
    return [{ ...describe(), code: 'item.unreadable', name: error.details.path, found: item }]
  }
}

/** Finds an item without a string as its type mark. It is repaired if its keys identify it as an item of this type. */
export function findMissingMark(derivation: DerivationContext, kind: Kind, item: Item): VerifyFault[] {
  const { layout } = derivation.context
  const { type: name } = layout.names
  if (item[name]?.S !== undefined || !parseOwnItem(layout, item)) return []
  const base = { type: kind.type.name, row: faultRowOf(layout, kind, item), name, expected: { S: kind.typeMark } }
  return [{ ...base, code: 'mark.missing', repair: () => writeValues(derivation, item, {}) }]
}

/** Finds index keys and a time to live that differ from the item's values. */
export function findStaleKeys(derivation: DerivationContext, { kind, item, values }: ParsedItem): VerifyFault[] {
  const { layout } = derivation.context
  const { names } = layout
  const expected = composeItem(kind, names, values)
  // If foreign writers use the time to live, it is theirs in items without a date of ours.
  const managesExpiry = !names.configuredExpires || (kind.type.expires !== undefined && expected[names.expires])
  // Foreign writers may omit attributes that an index uses directly and that the key also contains.
  const tableNames = [names.type, ...names.keys]
  const indexedNames = Object.keys(layout.design.attributes).filter(
    name => !tableNames.includes(name) && expected[name],
  )
  const keys = new Set([...Object.keys(kind.indexKeySlots), ...indexedNames, ...(managesExpiry ? [names.expires] : [])])
  const stale = [...keys].filter(name => !isExpectedValue(kind, name, expected[name], item[name]))
  const repair = () => {
    const update = createTransactionPart('Update', keyOfItem(names, item))
    const { expression } = update
    requireUnchanged(names, expression, item)
    // Copies change without a new etag and may be part of keys, so check them too.
    for (const { copyName } of kind.type.kind === 'edge' ? kind.type.carry : []) {
      const name = names.attributeOf(kind.type, copyName)
      expression.where(expression.equalsOrMissing(name, item[name]))
    }
    for (const name of stale) expression.set(expression.name(name), expected[name])
    return tryTransaction(derivation, [update])
  }
  return stale.slice(0, 1).map(
    (name): VerifyFault => ({
      code: 'index.stale',
      type: kind.type.name,
      row: faultRowOf(layout, kind, item),
      name,
      expected: expected[name],
      found: item[name],
      repair,
    }),
  )
}

/** Whether a key or another value is as expected. Reads query all shards, so any shard is correct. */
function isExpectedValue(
  { keys, shards }: Kind,
  name: string,
  expected: AttributeValue | undefined,
  found: AttributeValue | undefined,
): boolean {
  if (isSameValue(expected, found)) return true
  const template = keys[name]
  // Raw keys cannot be parsed.
  if (!shards[name] || !expected?.S || template?.mode !== 'encoded') return false
  const values = decodeTemplate(template, expected.S)
  const inShard = (shard: number) => encodeTemplate(template, { ...values, [SHARD_SLOT]: { S: String(shard) } })
  return Array.from({ length: shards[name] }, (_, shard) => inShard(shard)).includes(found?.S ?? '')
}

/** Finds missing or wrong mirrors, facets and sentinels of a node or an edge. */
export async function findMissingSideItems(derivation: DerivationContext, parsed: ParsedItem): Promise<VerifyFault[]> {
  const { layout, environment } = derivation.context
  const { kind, item, values } = parsed
  // DynamoDB deletes expired items one by one, so side items may already be deleted.
  const isUnexpired = isLive(layout, item, environment.now())
  const sides = itemsOfStoredRow(layout, kind.type, values).slice(1)
  const expected = sides.filter(side => isUnexpired || isStreamMaintained(side.kind))
  const itemsByKey = await readCurrentItems(
    derivation,
    expected.map(side => keyOfItem(layout.names, side.item)),
  )
  const faults: VerifyFault[] = []
  for (const { kind: sideKind, item: side } of expected) {
    const existing = itemsByKey.get(keyTextOf(derivation, side))
    if (existing && isExpectedSideItem(layout, parsed, sideKind, side, existing)) continue
    const row = faultRowOf(layout, kind, item)
    const base = { type: kind.type.name, row, name: sideKind.name, expected: side, found: existing }
    const isOccupied = sideKind.role === 'unique' && existing
    const isOwnedByOther =
      isOccupied &&
      !isSentinelUnowned(layout, sideKind, side, existing) &&
      !isSentinelOwned(layout, sideKind, side, existing)
    const otherOwner = isOwnedByOther ? await readOwner(derivation, sideKind, existing) : undefined
    // Do not release the other owner's sentinel first: a concurrent write could claim the value in between.
    if (otherOwner && (otherOwner.ownsItem || !otherOwner.key)) faults.push({ ...base, code: 'sentinel.taken' })
    else {
      const code = `${sideKind.role === 'unique' ? 'sentinel' : sideKind.role}.missing` as VerifyFault['code']
      // If the sentinel was deleted meanwhile, write a new one.
      const repair = async () =>
        (isOccupied && (await claimSentinel(derivation, sideKind, side, item, existing, otherOwner))) ||
        writeSideItem(derivation, parsed, sideKind, side)
      faults.push({ ...base, code, repair })
    }
  }
  return faults
}

function isExpectedSideItem(layout: Layout, parsed: ParsedItem, kind: Kind, side: Item, existing: Item): boolean {
  const { role, type } = kind
  const { etag } = layout.names
  if (role === 'mirror' && !isSameValue(parsed.item[etag], existing[etag])) return false
  // Copies are compared with their sources elsewhere.
  const copies = type.kind === 'edge' ? type.carry.map(({ copyName }) => layout.names.attributeOf(type, copyName)) : []
  // A sentinel may have foreign attributes, except a time to live.
  const extraNames =
    role === 'mirror'
      ? extraAttributesOf(layout, existing, { ...side, [etag]: parsed.item[etag]! })
      : managedExpiryNamesOf(layout)
  return [...Object.keys(side), ...extraNames].every(
    name => copies.includes(name) || isExpectedValue(kind, name, side[name], existing[name]),
  )
}

function writeSideItem(
  derivation: DerivationContext,
  parsed: ParsedItem,
  { role, type }: Kind,
  side: Item,
): Promise<unknown> {
  const { layout } = derivation.context
  const { names } = layout
  if (role === 'mirror' && hasStreamDerivedData(type as DeclaredEdge))
    return settleEdge(derivation, edgeReferenceOf(layout, parsed), [], true)
  const check = createTransactionPart('ConditionCheck', keyOfItem(names, parsed.item))
  requireUnchanged(names, check.expression, parsed.item)
  const etag = parsed.item[names.etag]
  const item = role === 'mirror' && etag ? { ...side, [names.etag]: etag } : side
  const put = createTransactionPart('Put', keyOfItem(names, side), item)
  if (role === 'unique') put.expression.where(put.expression.missing(names.partition))
  return tryTransaction(derivation, [check, put])
}

/** Returns the node at an end of an edge, without its key if the node type rejects the id. */
function endNodeOrIdentity(layout: Layout, end: DeclaredEnd, values: SlotValues): { identity: SlotValues; key?: Key } {
  try {
    return endNodeOf(layout, end, values)
  } catch (error) {
    if (!GraphError.is(error)) throw error
    const references = referenceSlots(end)
    return { identity: Object.fromEntries(identitySlotsOf(end.node).map((slot, i) => [slot, values[references[i]!]!])) }
  }
}

/** Finds copies that differ from their sources, and ends whose node does not exist. */
export async function findEndFaults(derivation: DerivationContext, parsed: ParsedItem): Promise<VerifyFault[]> {
  const { layout } = derivation.context
  const { names } = layout
  const { kind, item, values } = parsed
  const edge = kind.type as DeclaredEdge
  const ends = edge.ends.map(end => ({ end, ...endNodeOrIdentity(layout, end, values) }))
  const sides = edge.carry.length > 0 ? itemsOfStoredRow(layout, edge, values).slice(1) : []
  const mirrors = sides.filter(side => side.kind.role === 'mirror')
  const keys = [
    ...ends.flatMap(({ key }) => (key ? [key] : [])),
    ...mirrors.map(mirror => keyOfItem(names, mirror.item)),
  ]
  const itemsByKey = await readCurrentItems(derivation, keys)
  // The tree of a closure reports the missing nodes.
  const danglingEnds = isClosure(edge)
    ? []
    : ends.filter(({ key }) => !key || !itemsByKey.has(keyTextOf(derivation, key)))
  const stale = edge.carry.flatMap(({ copyName, end: name, attribute, deleted, sync }) => {
    const { end, key, identity } = ends.find(each => each.end.name === name)!
    const node = key && itemsByKey.get(keyTextOf(derivation, key))
    if (node && findUnreadableFault(layout, ownKindOf(layout, end.node), node)) return []
    const found = item[names.attributeOf(edge, copyName)]
    const expected: AttributeValue | undefined = identity[attribute] ?? node?.[names.attributeOf(end.node, attribute)]
    if (isSameValue(found, expected) || (!node && !identity[attribute] && deleted !== 'remove')) return []
    return [{ name: copyName, expected, found, sync }]
  })
  const fixedCopies = stale.filter(({ sync }) => !sync).map(({ name, expected }) => [name, expected] as const)
  const repairFixed = () => writeValues(derivation, item, Object.fromEntries(fixedCopies))
  const repairSynced = () => updateCopies(derivation, [edgeReferenceOf(layout, parsed)])
  const describe = () => ({ type: edge.name, row: faultRowOf(layout, kind, item) })
  return [
    ...danglingEnds.map(({ end }): VerifyFault => ({ code: 'edge.dangling', ...describe(), name: end.name })),
    ...stale.map(
      ({ sync, ...each }): VerifyFault => ({
        code: 'copy.stale',
        ...describe(),
        ...each,
        repair: sync ? repairSynced : repairFixed,
      }),
    ),
    ...mirrors.flatMap(mirror =>
      findMirrorCopyFaults(derivation, parsed, mirror, itemsByKey.get(keyTextOf(derivation, mirror.item)))
        .filter(({ name }) => !stale.some(each => each.name === name))
        .map((each): VerifyFault => ({ code: 'copy.stale', ...describe(), ...each })),
    ),
  ]
}

/** Finds copies on mirrors that differ from the copies on the edge. The repair rewrites the mirror. */
function findMirrorCopyFaults(
  derivation: DerivationContext,
  parsed: ParsedItem,
  expected: KindItem,
  mirror: Item | undefined,
) {
  const { kind, item } = parsed
  const { layout } = derivation.context
  const { names } = layout
  const copies = (kind.type as DeclaredEdge).carry.map(({ copyName }) => ({
    name: copyName,
    stored: names.attributeOf(kind.type, copyName),
  }))
  const isExpectedMirror = mirror && isExpectedSideItem(layout, parsed, expected.kind, expected.item, mirror)
  const differingCopies = isExpectedMirror
    ? copies.filter(({ stored }) => !isSameValue(item[stored], mirror[stored]))
    : []
  const repair = () => {
    const check = createTransactionPart('ConditionCheck', keyOfItem(names, item))
    requireUnchanged(names, check.expression, item)
    const update = createTransactionPart('Update', keyOfItem(names, mirror!))
    update.expression.where(update.expression.exists(names.partition))
    for (const { stored } of differingCopies) {
      // Copies change without a new etag.
      check.expression.where(check.expression.equalsOrMissing(stored, item[stored]))
      update.expression.set(update.expression.name(stored), item[stored])
    }
    return tryTransaction(derivation, [check, update])
  }
  return differingCopies.map(({ name, stored }) => ({ name, expected: item[stored], found: mirror![stored], repair }))
}

/** Writes derived values to a node or an edge and to all of its side items. */
async function writeValues(
  derivation: DerivationContext,
  item: Item,
  newValues: KeySlotValues,
  etag?: AttributeValue,
): Promise<void> {
  const { store, layout } = derivation.context
  const TransactItems = planMoves(layout, layout, [{ item, newValues, etag }])
  try {
    await store.transactWriteItems({ TransactItems, ClientRequestToken: generateToken(derivation) })
  } catch (error) {
    // A concurrent write changed the item. The caller inspects it again.
    if ((error as Error).name !== 'TransactionCanceledException') throw error
  }
}
