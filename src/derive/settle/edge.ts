import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { runWrite } from '../../graph/run/run-write.js'
import { embeddedEntryName } from '../../layout/items/derived-values.js'
import { itemsOfStoredRow } from '../../layout/items/items.js'
import type { Layout } from '../../layout/layout.js'
import { type DeclaredType, TENANT_SLOT } from '../../layout/slots.js'
import { keyOfItem, ownKindOf, tableKeyOf, tenantOf, uniqueKeyTextOf } from '../../plan/identity.js'
import type { SlotValues } from '../../plan/plan.js'
import { isLive } from '../../plan/row.js'
import { isSameValue } from '../../plan/slot-values.js'
import { traitsOf } from '../../plan/type-traits.js'
import { endNodeOf } from '../../plan/write/effects/item-write.js'
import { requireUnchanged } from '../../plan/write/effects/own-item.js'
import { completeCopies, planCopies } from '../../plan/write/plan-copies.js'
import { createTransactionPart } from '../../plan/write/transaction-part.js'
import type { DeclaredEdge } from '../../schema/declarations.js'
import { GraphError } from '../../schema/error.js'
import { isTransient } from '../follow/transient-errors.js'
import {
  createTenantSender,
  type DerivationContext,
  keyTextOf,
  readCurrentItem,
  retryUntilStable,
  tryTransaction,
} from './context.js'
import { PermanentErrors } from './permanent-errors.js'
import { type ParsedItem, parseItem } from './side-items.js'
import { planSideItemDeletion } from './tombstone.js'

/** An edge, identified by its type and the slots of its key. */
export interface EdgeReference {
  readonly type: DeclaredEdge
  readonly identity: SlotValues
}

export function edgeReferenceOf(layout: Layout, { kind, values }: ParsedItem): EdgeReference {
  const type = kind.type as DeclaredEdge
  const slots = [
    ...traitsOf(layout, type.name).identitySlots,
    ...(tenantOf(layout, values) === undefined ? [] : [TENANT_SLOT]),
  ]
  return { type, identity: Object.fromEntries(slots.map(slot => [slot, values[slot]!])) }
}

/**
 * Throws if a slot of the edge's identity is missing. The key of an edge with a replaceable end does not contain that
 * end.
 */
export function assertCompleteIdentity(layout: Layout, { name }: DeclaredType, values: SlotValues): void {
  const slot = traitsOf(layout, name).identitySlots.find(candidate => !values[candidate])
  if (slot)
    throw new GraphError(
      'key.missing',
      `${name}.${slot}: a stored edge lacks this value; migrate it with backfill() if it has the old layout, otherwise put or delete it, and then replay its record.`,
      { path: `${name}.${slot}` },
    )
}

export const edgeKeyOf = (layout: Layout, { type, identity }: EdgeReference): Key =>
  tableKeyOf(layout, ownKindOf(layout, type), identity)

/**
 * Updates the mirrors of an edge to match it, and the copies on all its items to match their sources.
 *
 * @param mirrorCandidates Keys of mirrors that records mention. The edge may have been deleted or may lead elsewhere
 *   now.
 * @param comparesAllAttributes Whether foreign writers may have changed an item without changing its etag.
 */
export async function settleEdge(
  derivation: DerivationContext,
  edge: EdgeReference,
  mirrorCandidates: readonly Key[],
  comparesAllAttributes = false,
): Promise<void> {
  const { layout } = derivation.context
  await retryUntilStable(async () => {
    const ownItem = await readCurrentItem(derivation, edgeKeyOf(layout, edge))
    // An edge with a replaceable end may lead elsewhere by now, and then has different mirrors.
    const currentEdge = ownItem && parseItem(layout, ownItem)
    const expectedMirrors = currentEdge ? expectedMirrorsOf(layout, currentEdge) : new Map<string, Item>()
    let isStable = true
    for (const key of mirrorCandidates)
      if (
        !expectedMirrors.has(keyTextOf(derivation, key)) &&
        !(await deleteOrphanMirror(derivation, edge, ownItem, key))
      )
        isStable = false
    if (!isStable) return false
    if (!(await removeStaleEntries(derivation, edge, ownItem, currentEdge))) return false
    if (!currentEdge) return true
    for (const mirror of expectedMirrors.values()) {
      const written = await writeMirror(derivation, currentEdge, mirror, comparesAllAttributes)
      if (written === 'gone') return true
      if (!written) return false
    }
    return true
  })
  if (edge.type.carry.some(({ sync }) => sync)) await updateCopies(derivation, [edge])
}

/** Updates the copies on edges to match their sources. */
export async function updateCopies(derivation: DerivationContext, edges: readonly EdgeReference[]): Promise<void> {
  const { layout } = derivation.context
  try {
    for (const { type, identity } of edges) assertCompleteIdentity(layout, type, identity)
    const plan = planCopies(
      layout,
      edges.map(({ type, identity }) => ({ type: type.name, identity })),
    )
    if (plan.steps.length === 0) return
    await runWrite(createTenantSender(derivation, tenantOf(layout, edges[0]!.identity)), plan, {
      complete: completeCopies,
    })
  } catch (error) {
    // Large values of many edges may exceed a transaction, or one edge may fail permanently, so try each half.
    if (isTransient(error) || edges.length === 1) throw error
    const middle = Math.ceil(edges.length / 2)
    const permanentErrors = new PermanentErrors()
    for (const part of [edges.slice(0, middle), edges.slice(middle)])
      await permanentErrors.collectFrom(updateCopies(derivation, part))
    permanentErrors.throwFirst()
  }
}

/** Returns the keys of an edge's mirrors, computed from the edge's own item or from a mirror. */
export const mirrorKeysOf = (layout: Layout, parsed: ParsedItem): Key[] =>
  [...expectedMirrorsOf(layout, parsed).values()].map(mirror => keyOfItem(layout.names, mirror))

/** Returns the mirrors that an edge should have, with its etag and its summaries, by key text. */
function expectedMirrorsOf(layout: Layout, { kind, item, values }: ParsedItem): Map<string, Item> {
  const { etag } = layout.names
  const copied = [etag, ...traitsOf(layout, kind.type.name).summaryNames].filter(name => item[name])
  const hidden = Object.fromEntries(copied.map(name => [name, item[name]!]))
  const mirrors = itemsOfStoredRow(layout, kind.type, values).filter(sideItem => sideItem.kind.role === 'mirror')
  return new Map(mirrors.map(({ item: mirror }) => [uniqueKeyTextOf(layout, mirror), { ...mirror, ...hidden }]))
}

/** Deletes an orphan mirror, if it exists and the edge has not changed since it was read. */
async function deleteOrphanMirror(
  derivation: DerivationContext,
  edge: EdgeReference,
  ownItem: Item | undefined,
  key: Key,
): Promise<boolean> {
  const { layout } = derivation.context
  const mirror = await readCurrentItem(derivation, key)
  const parsed = mirror && parseItem(layout, mirror)
  // The key may hold an edge's own item: an edge that became undirected is stored under the reverse key.
  if (parsed?.kind.role !== 'mirror') return true
  const check = createTransactionPart('ConditionCheck', edgeKeyOf(layout, edge))
  requireUnchanged(layout.names, check.expression, ownItem)
  return tryTransaction(derivation, [check, ...planSideItemDeletion(derivation, parsed)])
}

/** Removes the entry of a deleted edge from the node that embeds it, if the deleting writer did not. */
async function removeStaleEntries(
  derivation: DerivationContext,
  edge: EdgeReference,
  ownItem: Item | undefined,
  currentEdge: ParsedItem | undefined,
): Promise<boolean> {
  const { layout } = derivation.context
  const { type, identity } = edge
  let isStable = true
  for (const { end: name, into } of type.embed) {
    for (const values of [identity, currentEdge?.values ?? identity]) assertCompleteIdentity(layout, type, values)
    const end = type.ends.find(candidate => candidate.name === name)!
    const { key } = endNodeOf(layout, end, identity)
    const stored = layout.names.attributeOf(end.node, into)
    const entry = embeddedEntryName(type, end, identity)
    // With case-folded keys, different spellings of an id may identify the same edge.
    const hasSameEntry = (values: SlotValues) =>
      embeddedEntryName(type, end, values) === entry &&
      keyTextOf(derivation, endNodeOf(layout, end, values).key) === keyTextOf(derivation, key)
    if (currentEdge && hasSameEntry(currentEdge.values)) continue
    // Use `Object.hasOwn`, because every object inherits members with possible ids as names, such as `constructor`.
    if (!Object.hasOwn((await readCurrentItem(derivation, key))?.[stored]?.M ?? {}, entry)) continue
    const update = createTransactionPart('Update', key)
    const path = `${update.expression.name(stored)}.${update.expression.name(entry)}`
    update.expression.where(`attribute_exists(${path})`)
    update.expression.set(path, undefined)
    const check = createTransactionPart('ConditionCheck', edgeKeyOf(layout, edge))
    requireUnchanged(layout.names, check.expression, ownItem)
    const done = await tryTransaction(derivation, [check, update])
    isStable &&= done
  }
  return isStable
}

/** Writes a mirror that differs from its edge. Deletes an expired edge whose mirror DynamoDB has already deleted. */
async function writeMirror(
  derivation: DerivationContext,
  edgeItem: ParsedItem,
  mirror: Item,
  comparesAllAttributes: boolean,
): Promise<boolean | 'gone'> {
  const { layout, environment } = derivation.context
  const { names } = layout
  const key = keyOfItem(names, mirror)
  const existing = await readCurrentItem(derivation, key)
  if (existing && isCurrentMirror(layout, edgeItem.kind.type as DeclaredEdge, existing, mirror, comparesAllAttributes))
    return true
  if (!existing && !isLive(layout, edgeItem.item, environment.now())) {
    const [deletePart, ...rest] = planSideItemDeletion(derivation, edgeItem)
    requireUnchanged(layout.names, deletePart!.expression, edgeItem.item)
    const check = createTransactionPart('ConditionCheck', key)
    requireUnchanged(layout.names, check.expression, undefined)
    return (await tryTransaction(derivation, [deletePart!, ...rest, check])) && 'gone'
  }
  const check = createTransactionPart('ConditionCheck', keyOfItem(names, edgeItem.item))
  requireUnchanged(layout.names, check.expression, edgeItem.item)
  // A batch job writes summaries without a new etag.
  for (const name of traitsOf(layout, edgeItem.kind.type.name).summaryNames)
    check.expression.where(check.expression.equalsOrMissing(name, edgeItem.item[name]))
  const update = createTransactionPart('Update', key)
  const { expression } = update
  expression.where(existing ? expression.exists(names.partition) : expression.missing(names.partition))
  const copies = syncedCopyNames(layout, edgeItem.kind.type as DeclaredEdge)
  for (const name in mirror)
    if (!(name in key) && !copies.includes(name)) expression.set(expression.name(name), mirror[name]!)
  for (const name of existing ? extraAttributesOf(layout, existing, mirror) : [])
    if (!copies.includes(name)) expression.set(expression.name(name), undefined)
  return tryTransaction(derivation, [check, update])
}

/** Returns the names of managed attributes that a mirror has and its edge does not. */
export function extraAttributesOf(layout: Layout, existing: Item, mirror: Item): string[] {
  const { type, keys } = parseItem(layout, mirror)!.kind
  // An edge written by a foreign writer has no etag, and its mirror may have its own index keys.
  const { etag, expires } = layout.names
  const managedNames = new Set([...traitsOf(layout, type.name).managedNames, ...Object.keys(keys), etag, expires])
  return [...managedNames].filter(name => existing[name] && !(name in mirror))
}

/**
 * Whether a mirror matches its edge. Without an etag, or if foreign writers may have kept it, compares all attributes.
 */
function isCurrentMirror(
  layout: Layout,
  type: DeclaredEdge,
  existing: Item,
  mirror: Item,
  comparesAllAttributes: boolean,
): boolean {
  const { etag } = layout.names
  const isTagged = isSameValue(existing[etag], mirror[etag])
  if ((existing[etag] || mirror[etag]) && !(comparesAllAttributes && isTagged)) return isTagged
  const copies = syncedCopyNames(layout, type)
  return [...Object.keys(mirror), ...(comparesAllAttributes ? extraAttributesOf(layout, existing, mirror) : [])].every(
    name => copies.includes(name) || isSameValue(existing[name], mirror[name]),
  )
}

/**
 * Returns the stored names of synced copies. They are compared with their sources, not with the other item of the
 * edge.
 */
const syncedCopyNames = ({ names }: Layout, type: DeclaredEdge): string[] =>
  type.carry.filter(({ sync }) => sync !== undefined).map(({ copyName }) => names.attributeOf(type, copyName))
