import { createDerivationContext, retryUntilStable } from '../../derive/settle/context.js'
import { toItemSizeError } from '../../derive/settle/item-size-error.js'
import { hasWrongKey, withoutAggregates } from '../../derive/settle/side-items.js'
import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import type { UpdateItemInput } from '../../dynamodb/operation-types.js'
import { readItemByKey } from '../../graph/run/read-items.js'
import { RequestSender } from '../../graph/run/request-sender.js'
import { readResponses } from '../../graph/run/run-read.js'
import { composeItem } from '../../layout/items/compose-item.js'
import { derivedValuesOf as derivedIn, type StoredRow, talliesOf, withCarried } from '../../layout/items/items.js'
import { tallyName, tallyNamesOf } from '../../layout/items/tally.js'
import type { KeySlotValues } from '../../layout/keys/encode-template.js'
import type { Layout } from '../../layout/layout.js'
import { identitySlotsOf, normalizeEnds } from '../../layout/slots.js'
import { keyOfItem, ownKindOf, tenantOf, uniqueKeyTextOf } from '../../plan/identity.js'
import type { RowsShape, SlotValues } from '../../plan/plan.js'
import { readableItemsOf } from '../../plan/read/answer.js'
import { itemsIn, type ReadResponse } from '../../plan/read/entries.js'
import type { PathQuery } from '../../plan/read/options.js'
import { planPath } from '../../plan/read/path.js'
import { valuesOf } from '../../plan/row.js'
import { canonicalText } from '../../plan/slot-values.js'
import { endNodeOf } from '../../plan/write/effects/item-write.js'
import { createTransactionPart, toTransactItem } from '../../plan/write/transaction-part.js'
import type { DeclaredCarry, DeclaredEdge, DeclaredNode } from '../../schema/declarations.js'
import { findEnd } from '../../schema/edge/ends.js'
import { failureKindOf } from '../../store/failure-kind.js'
import type { Store } from '../../store/port.js'
import { wrap } from '../../store/wrap.js'
import { isSameAggregate } from '../compare-aggregates.js'
import { findType, nodeIdOf, parseOwnItem, shouldParseWith } from './own-items.js'
import { renameMembersInValue } from './rename-members.js'
import { isKnownAsNew } from './renames.js'

/** Whether a copy has another source than before. */
export type SourceCheck = (edge: DeclaredEdge, copy: DeclaredCarry) => boolean

/** Returns a check for copies with a new or changed source. Synced copies are updated with all stream-derived data. */
export function createSourceCheck({ names }: Layout, changes: readonly string[]): SourceCheck {
  return (edge, { copyName, sync }) => {
    const aggregatesPath = `kinds.${edge.name}.kept`
    const isSourceChange = (change: string) =>
      change === `${aggregatesPath} is new` ||
      change.startsWith(`${aggregatesPath}.${names.attributeOf(edge, copyName)} was `)
    return !sync && changes.some(isSourceChange)
  }
}

/**
 * Reads the copies that an edge should have and lacks, from the nodes at its ends. The value of a dropped copy is
 * undefined.
 */
export async function readMissingCopies(
  store: Store,
  [oldLayout, newLayout]: readonly [Layout, Layout],
  readingLayout: Layout,
  item: Item,
  hasNewSource: SourceCheck,
): Promise<KeySlotValues> {
  const oldParsed = parseOwnItem(readingLayout, item)
  const type = oldParsed && findType(newLayout, oldParsed.type.name)
  if (!oldParsed || type?.kind !== 'edge') return {}
  const copies: Record<string, AttributeValue | undefined> = {}
  for (const carry of type.carry) {
    const existing = oldParsed.values[carry.copyName]
    if (existing && !hasNewSource(type, carry) && canDecodeCopy(type, carry, existing)) continue
    const { identity } = endNodeOf(newLayout, findEnd(type, carry.end)!, oldParsed.values)
    copies[carry.copyName] = identity[carry.attribute]
    // Until the node is migrated, possibly between two reads, it has the key of the old layout.
    for (const layout of [newLayout, oldLayout, newLayout])
      copies[carry.copyName] ??= await readCopySource(
        store,
        [oldLayout, newLayout],
        layout,
        type,
        carry,
        oldParsed.values,
      )
  }
  return copies
}

/**
 * Whether an existing value can be decoded as the copy. An undecodable copy would make the edge unreadable for
 * aggregation.
 */
function canDecodeCopy(
  edge: DeclaredEdge,
  { end, attribute, copyName }: DeclaredCarry,
  existing: AttributeValue,
): boolean {
  try {
    findEnd(edge, end)!.node.attributes[attribute]!.decode(existing, `${edge.name}.${copyName}`)
    return true
  } catch {
    return false
  }
}

/** Reads the node at an end, at the key of either layout. */
async function readCopySource(
  store: Store,
  layouts: readonly [Layout, Layout],
  layout: Layout,
  { name: edge }: DeclaredEdge,
  { end: name, attribute }: DeclaredCarry,
  values: SlotValues,
): Promise<AttributeValue | undefined> {
  const type = findType(layout, edge)
  const end = type?.kind === 'edge' && findEnd(type, name)
  if (!end) return undefined
  const { key } = endNodeOf(layout, end, values)
  const item = await readItemByKey(store, layout, key)
  const parsed = item && shouldParseWith(layouts, layout, item) && parseOwnItem(layout, item)
  if (!parsed || parsed.type !== end.node) return undefined
  const [oldAttribute, newAttribute] = layouts.map(
    candidate => findType(candidate, end.node.name)?.attributes[attribute],
  )
  const value = parsed.values[attribute]
  return value && !isKnownAsNew(...layouts, item) ? renameMembersInValue(oldAttribute, newAttribute, value) : value
}

/**
 * Rewrites the counts, sums and entries of a node from its edges. Returns whether they were wrong. Aggregates that no
 * edge maintains are removed.
 */
export async function rewriteAggregates(
  store: Store,
  layout: Layout,
  item: Item,
  droppedAggregates?: DroppedAggregates,
): Promise<boolean> {
  const key = keyOfItem(layout.names, item)
  let aggregates = await computeAggregates(store, layout, item, droppedAggregates)
  if (aggregates.names.length === 0) return false
  let currentItem = await readItemByKey(store, layout, key)
  // An edge that was deleted during the read may have made a wrong counter look right.
  if ([item, currentItem].every(version => !version || differingNamesOf(aggregates, version).length === 0)) return false
  let differingNames: readonly string[] = []
  let sameReads = 0
  await retryUntilStable(async () => {
    const previous = aggregates
    aggregates = currentItem ? await computeAggregates(store, layout, currentItem, droppedAggregates) : NO_AGGREGATES
    differingNames = currentItem ? differingNamesOf(aggregates, currentItem) : []
    // Count only edges that were found both before and after the node was read.
    sameReads = canonicalText(previous.itemsRead) === canonicalText(aggregates.itemsRead) ? sameReads + 1 : 0
    if (!currentItem || (sameReads > 0 && differingNames.length === 0)) return true
    if (
      sameReads >= MIN_SAME_READS &&
      (await isApplied(writeAggregates(store, layout, currentItem, differingNames, aggregates.expected)))
    )
      return true
    currentItem = await readItemByKey(store, layout, key)
    return false
  })
  return differingNames.length > 0
}

/**
 * Number of reads until the edges are stable. An edge that appears and disappears between two reads, together with
 * another that appears later, goes unnoticed.
 */
const MIN_SAME_READS = 2

const differingNamesOf = ({ expected, names }: NodeAggregates, item: Item): string[] =>
  names.filter(name => !isSameAggregate(expected[name], item[name]))

/** Returns false if a write failed its condition because the item changed. */
async function isApplied(pendingWrite: Promise<void>): Promise<boolean> {
  try {
    await pendingWrite
    return true
  } catch (error) {
    // After a lost response, the caller reads the item to find out.
    if ((error as Error).name === 'ConditionalCheckFailedException' || failureKindOf(error) === 'unknown') return false
    throw error
  }
}

/** The expected aggregates of a node that writers maintain, and their stored names. */
interface NodeAggregates {
  readonly expected: Item
  readonly names: readonly string[]
  /** The node and its edges as they were read, by key text. An edge that was created again has another etag. */
  readonly itemsRead: Readonly<Record<string, Item>>
  /** Whether some edges were found by an index, which may lag behind. */
  readonly mayLag: boolean
}

const NO_AGGREGATES: NodeAggregates = { expected: {}, names: [], itemsRead: {}, mayLag: false }

/** Returns the attributes of a type that edges no longer maintain. */
type DroppedAggregates = (type: DeclaredNode) => readonly string[]

export async function computeAggregates(
  store: Store,
  layout: Layout,
  item: Item,
  droppedAggregates?: DroppedAggregates,
): Promise<NodeAggregates> {
  const parsed = parseOwnItem(layout, item)
  if (parsed?.type.kind !== 'node') return NO_AGGREGATES
  const { type } = parsed
  const tenant = tenantOf(layout, parsed.values)
  const nodeOnly = withoutAggregates(layout, type, item)
  const id = nodeIdOf(layout, type, nodeOnly)
  const nodeFact: StoredRow = { type, values: valuesOf(layout, ownKindOf(layout, type), nodeOnly) }
  const edges = new Map<string, StoredRow>()
  const readEdgeTypes = new Set<DeclaredEdge>()
  const readableSlots = new Set(droppedAggregates?.(type))
  const unknownSlots = new Set<string>()
  const itemsRead: Record<string, Item> = { [uniqueKeyTextOf(layout, item)]: item }
  let mayLag = false
  for (const edge of layout.graph.declared.edges) {
    const aggregates = [...[...edge.count, ...edge.sum].filter(({ by }) => by !== 'stream'), ...edge.embed]
    for (const { name, node } of edge.ends) {
      const aggregatesHere = aggregates.filter(({ end }) => end === name && node === type)
      const consistent = hasConsistentReads(layout, edge, name)
      // Aggregates of edges that the node does not find cannot be recomputed.
      for (const aggregate of aggregatesHere)
        (consistent === undefined ? unknownSlots : readableSlots).add(aggregate.into)
      // Either end of an undirected edge finds all of its edges.
      if (aggregatesHere.length === 0 || consistent === undefined || (edge.undirected && readEdgeTypes.has(edge)))
        continue
      mayLag ||= !consistent
      readEdgeTypes.add(edge)
      const pathQuery = { type: edge.name, path: name, start: id, tenant, consistent }
      // A self-loop is found from both ends.
      for (const edgeItem of await readEdges(withRecordedItems(store, layout, itemsRead), layout, edge, pathQuery))
        edges.set(canonicalText([edge.name, ...identitySlotsOf(edge).map(slot => edgeItem.values[slot])])!, edgeItem)
    }
  }
  const knownNames = [...readableSlots]
    .filter(slot => !unknownSlots.has(slot))
    .map(slot => layout.names.attributeOf(type, slot))
  const unknownTallies = Array.from(unknownSlots, slot => tallyName(layout.names.attributeOf(type, slot)))
  const storedTallies = tallyNamesOf(item).filter(name => !unknownTallies.includes(name))
  if (knownNames.length + storedTallies.length === 0) return NO_AGGREGATES
  // Copies from other nodes are stored on the edges.
  const facts = Array.from(edges.values(), edge =>
    withCarried(layout, edge.type as DeclaredEdge, edge.values, [nodeFact]),
  )
  const values = { ...nodeFact.values, ...derivedIn(layout, type, nodeFact.values, facts) }
  const tallies = talliesOf(layout, type, nodeFact.values, facts)
  for (const name of unknownTallies) delete tallies[name]
  const expected = { ...composeItem(ownKindOf(layout, type), layout.names, values), ...tallies }
  // A tally remains if its sum was removed or is maintained by the stream now.
  return {
    expected,
    names: [...new Set([...knownNames, ...Object.keys(tallies), ...storedTallies])],
    itemsRead,
    mayLag,
  }
}

/** Whether consistent reads find the edges at an end. Undefined if the end has no path. */
export function hasConsistentReads({ accesses }: Layout, edge: DeclaredEdge, end: string): boolean | undefined {
  const edgeAccesses = accesses.filter(access => access.type === edge)
  // Both ends of an undirected edge are read together.
  const usedAccesses = edgeAccesses.filter(({ name }) => edge.undirected || name === end)
  return edgeAccesses.some(({ name }) => name === end) ? usedAccesses.every(({ consistent }) => consistent) : undefined
}

/** Wraps a store and records all items that it returns. */
function withRecordedItems(store: Store, layout: Layout, items: Record<string, Item>): Store {
  return wrap(store, async (_, request, options, send) => {
    const output = await send(request, options)
    for (const item of itemsIn([output as ReadResponse])) items[uniqueKeyTextOf(layout, item)] = item
    return output
  })
}

/**
 * Reads the edges of a path without validation, because a validator may reject or change a value that it accepted
 * before.
 */
async function readEdges(store: Store, layout: Layout, type: DeclaredEdge, pathQuery: PathQuery): Promise<StoredRow[]> {
  const environment = { now: Date.now, random: (bytes: number) => new Uint8Array(bytes) }
  const { context } = createDerivationContext(layout, store, environment)
  const sender = new RequestSender({ ...context, tenant: pathQuery.tenant }, {}, false)
  const plan = planPath(layout, pathQuery)
  const read = { layout, ...(await readResponses(sender, plan)) }
  return readableItemsOf(read, plan.answer as RowsShape).flatMap(({ entry, kind, item }) =>
    // A foreign item in the same partition is not an edge.
    hasWrongKey(layout, entry.kind, item)
      ? []
      : { type, values: normalizeEnds(type, { ...valuesOf(layout, kind, item, entry.endsSwapped) }) },
  )
}

/** Writes aggregates only if the old ones are unchanged, so that a concurrent count is not lost. */
async function writeAggregates(
  store: Store,
  layout: Layout,
  item: Item,
  changedNames: readonly string[],
  expected: Item,
): Promise<void> {
  const update = createTransactionPart('Update', keyOfItem(layout.names, item))
  const { expression, key } = update
  expression.where(expression.exists(layout.names.partition))
  for (const name of changedNames) {
    expression.where(expression.equalsOrMissing(name, item[name]))
    expression.set(expression.name(name), expected[name])
  }
  await store.updateItem(toTransactItem(layout, update).Update as UpdateItemInput).catch(error => {
    throw toItemSizeError(error, [key]) ?? error
  })
}
