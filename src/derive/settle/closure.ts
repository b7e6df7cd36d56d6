import type { AttributeValue, Item, Key } from '../../dynamodb/attribute-value.js'
import { TRANSACT_ITEMS } from '../../dynamodb/limits.js'
import {
  type ClosureState,
  closureStateOf,
  closureStateValue,
  type Lineage,
  lineageBelow,
} from '../../layout/items/closure.js'
import { closureItemsOf } from '../../layout/items/closure-items.js'
import { composeItem } from '../../layout/items/compose-item.js'
import { edgeAbove, edgesBelow, tenantSlotOf, treeEndsOf } from '../../layout/items/tree.js'
import type { Layout } from '../../layout/layout.js'
import { referenceSlots } from '../../layout/slots.js'
import { chunksOf } from '../../plan/chunks.js'
import { keyOfItem, ownKindOf, tableKeyOf } from '../../plan/identity.js'
import type { SlotValues } from '../../plan/plan.js'
import { isSameValue } from '../../plan/slot-values.js'
import { endNodeOf } from '../../plan/write/effects/item-write.js'
import { requireUnchanged } from '../../plan/write/effects/own-item.js'
import { createTransactionPart, type TransactionPart } from '../../plan/write/transaction-part.js'
import type { DeclaredEdge } from '../../schema/declarations.js'
import { GraphError } from '../../schema/error.js'
import { mapValues } from '../../schema/map-values.js'
import {
  type DerivationContext,
  generateToken,
  keyTextOf,
  readCurrentItem,
  retryUntilStable,
  tryTransaction,
} from './context.js'
import { assertCompleteIdentity, type EdgeReference, edgeKeyOf, edgeReferenceOf } from './edge.js'
import { PermanentErrors } from './permanent-errors.js'
import { type ParsedItem, parseItem, readSideItems } from './side-items.js'

/** The most ancestors of a node. */
const CLOSURE_DEPTH = 100

/** What `settleClosure` cannot see in the edge and the edge above. */
export interface ClosureSettling {
  /** Ancestors that the closure led to before the edge was deleted or replaced. */
  readonly earlier?: readonly Lineage[]
  /** Whether other programs may have changed the items of the closure, so that all of them are written again. */
  readonly rewrites?: boolean
  /** Whether the edges above may have stale lineages, so that they are settled first. */
  readonly climbs?: boolean
}

/**
 * Brings the closure of an edge's child up to date: an item for each ancestor, and none for former ancestors.
 *
 * Every transaction requires that the edge is unchanged, and the first also that the edge above is. A later change of
 * the edge above has a record of its own, which settles the children.
 */
export async function settleClosure(
  derivation: DerivationContext,
  edge: EdgeReference,
  settling: ClosureSettling = {},
  levelsLeft = CLOSURE_DEPTH,
): Promise<void> {
  const { layout } = derivation.context
  const key = edgeKeyOf(layout, edge)
  await retryUntilStable(async () => {
    const ownItem = await readCurrentItem(derivation, key)
    const own = ownItem && parseItem(layout, ownItem)
    if (!own) return writeClosure(derivation, { edge, key, ownItem, above: undefined }, [], settling)
    assertCompleteIdentity(layout, edge.type, own.values)
    const current = edgeReferenceOf(layout, own)
    let above = await readAbove(derivation, own, settling, levelsLeft)
    let lineage = lineageBelow(edge.type, own.values, above.lineage)
    // After two moves, the edge above may still have a lineage that leads back to this node.
    if (!isPossible(edge, own.values, lineage) && !settling.climbs) {
      above = await readAbove(derivation, own, { climbs: true }, levelsLeft)
      lineage = lineageBelow(edge.type, own.values, above.lineage)
    }
    if (!isPossible(edge, own.values, lineage)) throw depthError(edge)
    const write = () => writeClosure(derivation, { edge: current, key, ownItem, above }, lineage, settling)
    // Transactions that check the same edge concurrently would cancel each other.
    return derivation.nodeMutex.runExclusive(keyTextOf(derivation, above.key), write)
  })
}

/** Whether a tree can have this lineage: it is not too long, and no node is above itself. */
function isPossible({ type }: EdgeReference, values: SlotValues, lineage: Lineage): boolean {
  const ids = [referenceSlots(treeEndsOf(type).child).map(slot => values[slot]!), ...lineage]
  return lineage.length <= CLOSURE_DEPTH && new Set(ids.map(id => JSON.stringify(id))).size === ids.length
}

const depthError = ({ type, identity }: EdgeReference): GraphError =>
  new GraphError(
    'tree.depth',
    `${type.name}: a node has more than ${CLOSURE_DEPTH} edges above it, so the closure '${type.closure}' cannot lead to all of them; move the node nearer to the root, or delete an edge if they form a cycle.`,
    { type: type.name, value: mapValues(identity, stored => Object.values(stored)[0]) },
  )

/** The edge above an edge of a tree: the one that leads to its parent's parent. */
interface AboveEdge {
  readonly key: Key
  readonly item: Item | undefined
  readonly lineage: Lineage
}

/** Reads the edge above. Settles it first if the consumer has not processed it. */
async function readAbove(
  derivation: DerivationContext,
  { kind, values }: ParsedItem,
  { climbs }: ClosureSettling,
  levelsLeft: number,
): Promise<AboveEdge> {
  const { layout } = derivation.context
  const tree = kind.type as DeclaredEdge
  const key = tableKeyOf(layout, kind, edgeAbove(tree, values))
  let item = await readCurrentItem(derivation, key)
  const parsed = item && parseItem(layout, item)
  if (parsed && (climbs || !closureStateOf(layout, tree, item!))) {
    const edge = edgeReferenceOf(layout, parsed)
    if (levelsLeft === 0) throw depthError(edge)
    await settleClosure(derivation, edge, climbs ? { climbs } : {}, levelsLeft - 1)
    item = await readCurrentItem(derivation, key)
  }
  return { key, item, lineage: (item && closureStateOf(layout, tree, item)?.lineage) ?? [] }
}

/** The edge whose closure is written, as it was read. Without an edge above, it was deleted. */
interface ClosureTarget {
  readonly edge: EdgeReference
  readonly key: Key
  readonly ownItem: Item | undefined
  readonly above: AboveEdge | undefined
}

/** Writes the difference between the items of the closure and its lineage. Returns false if an edge changed meanwhile. */
async function writeClosure(
  derivation: DerivationContext,
  target: ClosureTarget,
  lineage: Lineage,
  { earlier = [], rewrites = false }: ClosureSettling,
): Promise<boolean> {
  const { layout } = derivation.context
  const { edge, ownItem } = target
  const state = ownItem && closureStateOf(layout, edge.type, ownItem)
  const former = [...(state ? [state.lineage, ...state.previous] : []), ...earlier]
  const isWritten = !rewrites && state?.previous.length === 0
  const etag = generateToken(derivation)
  const changes = closureChangesOf(layout, edge, isWritten ? state.lineage : undefined, former, lineage).map(change =>
    toTransactionPart(layout, change, etag),
  )
  const before = ownItem?.[layout.names.lineage]
  const finished = { lineage, previous: [] }
  if (changes.length === 0 && isSameValue(before, ownItem && closureStateValue(finished))) return true
  const run = (parts: readonly TransactionPart[]) => tryTransaction(derivation, parts)
  const chunks = chunksOf(changes, TRANSACT_ITEMS - 1)
  if (!target.above) {
    const stillAbsent = requireSameClosure(layout, createTransactionPart('ConditionCheck', target.key), ownItem)
    return runEach(chunks, parts => run([stillAbsent, ...parts]))
  }
  const { key: aboveKey, item: aboveItem } = target.above
  const above = requireSameClosure(layout, createTransactionPart('ConditionCheck', aboveKey), aboveItem)
  if (changes.length + 2 <= TRANSACT_ITEMS)
    return run([updateState(derivation, target, before, finished), above, ...changes])
  const started = { lineage, previous: former }
  const startedValue = closureStateValue(started)
  return (
    (await run([updateState(derivation, target, before, started), above])) &&
    (await runEach(chunks, (parts, isLast) =>
      run([
        isLast
          ? updateState(derivation, target, startedValue, finished)
          : requireState(derivation, target, startedValue),
        ...parts,
      ]),
    ))
  )
}

/** The change of an item of a closure. */
export interface ClosureChange {
  /** The item before, as far as the change depends on it. */
  readonly before: Item | undefined
  readonly after: Item | undefined
}

/**
 * Returns the changes from former lineages to another: items that the lineage requires, and items that only the former
 * ones did. `written` is a lineage whose items all exist, so that equal items are left alone.
 */
export function closureChangesOf(
  layout: Layout,
  { type, identity }: EdgeReference,
  written: Lineage | undefined,
  former: readonly Lineage[],
  lineage: Lineage,
): ClosureChange[] {
  const itemsOf = (ancestors: Lineage) => closureItemsOf(layout, type, identity, ancestors)
  const existing = itemsOf(written ?? [])
  const wanted = itemsOf(lineage)
  const obsolete = new Map(former.flatMap(ancestors => [...itemsOf(ancestors)]))
  const puts = [...wanted].map(([text, after]): ClosureChange => ({ before: existing.get(text), after }))
  const deletes = [...obsolete].map(([text, before]): ClosureChange => ({ before, after: wanted.get(text) }))
  return [
    ...puts.filter(({ before, after }) => !isSameValue(before && { M: before }, { M: after! })),
    ...deletes.filter(({ after }) => after === undefined),
  ]
}

function toTransactionPart({ names }: Layout, { before, after }: ClosureChange, etag: string): TransactionPart {
  if (!after) return createTransactionPart('Delete', keyOfItem(names, before!))
  return createTransactionPart('Put', keyOfItem(names, after), { ...after, [names.etag]: { S: etag } })
}

/** Settles the closures of the nodes right below the child of an edge. */
export async function settleClosuresBelow(derivation: DerivationContext, edge: EdgeReference): Promise<void> {
  const permanentErrors = new PermanentErrors()
  for await (const edges of readEdgesBelow(derivation, edge))
    for (const below of edges) await permanentErrors.collectFrom(settleClosure(derivation, below))
  permanentErrors.throwFirst()
}

/** Reads the edges from the children of an edge's child, page by page. */
export async function* readEdgesBelow(
  derivation: DerivationContext,
  { type, identity }: EdgeReference,
): AsyncGenerator<EdgeReference[]> {
  const { layout } = derivation.context
  const { parent } = treeEndsOf(type)
  const node = { ...tenantSlotOf(identity), ...endNodeOf(layout, parent, edgesBelow(type, identity)).identity }
  const item = composeItem(ownKindOf(layout, parent.node), layout.names, node)
  const path = { edge: type, end: parent, hasCounters: false, hasCopies: false }
  for await (const sideItems of readSideItems(derivation, item, path))
    yield sideItems.map(side => edgeReferenceOf(layout, side))
}

/** Runs a step for each element until one returns false. Returns whether none did. */
async function runEach<T>(all: readonly T[], run: (each: T, isLast: boolean) => Promise<boolean>): Promise<boolean> {
  for (const [at, each] of all.entries()) if (!(await run(each, at === all.length - 1))) return false
  return true
}

/** Requires that an edge of a tree and the state of its closure are as they were read, or that both are missing. */
export function requireSameClosure(
  { names }: Layout,
  part: TransactionPart,
  item: Item | undefined,
  state = item?.[names.lineage],
): TransactionPart {
  requireUnchanged(names, part.expression, item)
  if (item) part.expression.where(part.expression.equalsOrMissing(names.lineage, state))
  return part
}

function updateState(
  derivation: DerivationContext,
  { key, ownItem }: ClosureTarget,
  before: AttributeValue | undefined,
  state: ClosureState,
): TransactionPart {
  const { layout } = derivation.context
  const update = requireSameClosure(layout, createTransactionPart('Update', key), ownItem, before)
  update.expression.set(update.expression.name(layout.names.lineage), closureStateValue(state))
  return update
}

const requireState = ({ context }: DerivationContext, { key, ownItem }: ClosureTarget, state: AttributeValue) =>
  requireSameClosure(context.layout, createTransactionPart('ConditionCheck', key), ownItem, state)
