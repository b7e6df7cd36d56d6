import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { closureStateOf, type Lineage } from '../../layout/items/closure.js'
import type { Layout } from '../../layout/layout.js'
import { keyOfItem, uniqueKeyTextOf } from '../../plan/identity.js'
import { canonicalText, isSameValue } from '../../plan/slot-values.js'
import { contributingNamesOf } from '../../plan/write/effects/stream-counters.js'
import type { DeclaredEdge, DeclaredNode } from '../../schema/declarations.js'
import { hasStreamDerivedData } from '../../schema/edge/stream-derived-data.js'
import type { ParsedRecord } from '../parsed-record.js'
import { contributionOf } from './contribution.js'
import { type EdgeReference, edgeReferenceOf, mirrorKeysOf } from './edge.js'
import { hasChangedSources, type NodeWork } from './node.js'
import { derivedPathsOf, nodeOfSideItem, type ParsedItem } from './side-items.js'
import { isSpent, isTombstone, nodeOfTombstone } from './tombstone.js'

/** A unit of work and the positions of the records that requested it. */
interface RequestedWork {
  readonly records: number[]
}

interface EdgeWork extends RequestedWork {
  readonly edge: EdgeReference
  /** Keys of mirrors that the edge may have left behind. */
  readonly mirrorKeys: Map<string, Key>
}

/** The counter updates that one node needs. */
interface CounterWork extends RequestedWork {
  readonly node: Key
  readonly sideKeys: Map<string, Key>
  /** Tombstones as they appear in the records. */
  readonly tombstones: Map<string, Item>
  /** Deleted side items, as they were before the deletion. */
  readonly removedSides: ParsedItem[]
}

/** The closure updates that an edge of a tree needs. */
interface ClosureWork extends RequestedWork {
  readonly edge: EdgeReference
  /** Whether the edge itself changed. */
  isChanged: boolean
  /** Whether the ancestors of the edge changed, so that those of the nodes below it change too. */
  hasNewLineage: boolean
  /** The ancestors that the closure led to before the edge was deleted or replaced. */
  readonly earlier: Lineage[]
}

/** The work that a batch of records requests, each node and each edge once. Records only say which items to read. */
export interface BatchWork {
  readonly nodes: Map<string, NodeWork & RequestedWork>
  readonly edges: Map<string, EdgeWork>
  readonly counters: Map<string, CounterWork>
  readonly closures: Map<string, ClosureWork>
  skipped: number
}

export const createBatchWork = (): BatchWork => ({
  nodes: new Map(),
  edges: new Map(),
  counters: new Map(),
  closures: new Map(),
  skipped: 0,
})

/** Adds the work that a record requests. */
export function addRecordWork(layout: Layout, work: BatchWork, record: ParsedRecord, recordIndex: number): void {
  const { oldImage, newImage, isDerived } = record
  const image = newImage ?? oldImage
  if (!image) work.skipped++
  else if (isDerived) addDerivedWork(layout, work, record, recordIndex)
  else if (isTombstone(layout, image)) addTombstoneWork(layout, work, newImage, recordIndex)
  else {
    const type = (newImage ? record.after : record.before)?.kind.type
    if (type?.kind === 'edge' && hasStreamDerivedData(type)) addEdgeWork(layout, work, record, recordIndex)
    else if (type?.kind === 'node' && derivedPathsOf(layout, type).length > 0)
      addNodeWork(layout, work, type, oldImage, newImage, recordIndex)
    else work.skipped++
  }
}

/**
 * Skips a derived write, because it requests no further work, unless it changed a copied value that a counter sums, or a
 * counter that is copied.
 */
function addDerivedWork(layout: Layout, work: BatchWork, record: ParsedRecord, recordIndex: number): void {
  const { oldImage, newImage, after: side } = record
  if (side?.kind.type.kind === 'node') {
    if (hasChangedSources(layout, side.kind.type, oldImage, newImage))
      addNodeWork(layout, work, side.kind.type, oldImage, newImage, recordIndex)
    else work.skipped++
    return
  }
  const hasNewLineage = side !== undefined && addClosureWork(layout, work, record, recordIndex)
  const hasNewContribution = side?.kind.type.kind === 'edge' && hasChangedContribution(layout, side, oldImage)
  const node = hasNewContribution ? countingNodeOf(layout, side) : undefined
  if (!side || !node) {
    if (!hasNewLineage) work.skipped++
    return
  }
  const key = keyOfItem(layout.names, side.item)
  const counters = ensureCounterWork(layout, work, node)
  counters.sideKeys.set(uniqueKeyTextOf(layout, key), key)
  counters.records.push(recordIndex)
}

const hasChangedContribution = (layout: Layout, { kind, item }: ParsedItem, oldImage: Item | undefined): boolean =>
  contributingNamesOf(layout, kind).some(name => !isSameValue(oldImage?.[name], item[name]))

function addTombstoneWork(layout: Layout, work: BatchWork, newImage: Item | undefined, recordIndex: number): void {
  if (!newImage || isSpent(newImage)) {
    work.skipped++
    return
  }
  const key = keyOfItem(layout.names, newImage)
  const counters = ensureCounterWork(layout, work, nodeOfTombstone(newImage))
  counters.tombstones.set(uniqueKeyTextOf(layout, key), newImage)
  counters.records.push(recordIndex)
}

function addNodeWork(
  layout: Layout,
  work: BatchWork,
  type: DeclaredNode,
  oldImage: Item | undefined,
  newImage: Item | undefined,
  recordIndex: number,
): void {
  const { incarnation } = layout.names
  const needsCopies = hasChangedSources(layout, type, oldImage, newImage)
  // A node that replaces an expired node also starts without an incarnation, so its edges need counting.
  const needsCounting =
    newImage !== undefined &&
    (!oldImage || (oldImage[incarnation] !== undefined && newImage[incarnation] === undefined))
  if (!needsCopies && !needsCounting) {
    work.skipped++
    return
  }
  const item = (newImage ?? oldImage)!
  const nodeKeyText = uniqueKeyTextOf(layout, item)
  const nodeWork = work.nodes.get(nodeKeyText) ?? { item, type, needsCopies: false, needsCounting: false, records: [] }
  nodeWork.needsCopies ||= needsCopies
  nodeWork.needsCounting ||= needsCounting
  nodeWork.records.push(recordIndex)
  work.nodes.set(nodeKeyText, nodeWork)
}

function addEdgeWork(layout: Layout, work: BatchWork, record: ParsedRecord, recordIndex: number): void {
  const { newImage, before: oldEdge, after } = record
  const parsed = (newImage ? after : oldEdge)!
  const edge = edgeReferenceOf(layout, parsed)
  // An edge with a replaceable end has the same key whichever node it leads to, so its identity is its key here.
  const edgeText = canonicalText([edge.type.name, edge.identity])!
  const edgeWork: EdgeWork = work.edges.get(edgeText) ?? {
    edge,
    mirrorKeys: new Map<string, Key>(),
    records: [] as number[],
  }
  work.edges.set(edgeText, edgeWork)
  edgeWork.records.push(recordIndex)
  const key = keyOfItem(layout.names, parsed.item)
  const candidateKeys = [
    ...(parsed.kind.role === 'mirror' ? [key] : []),
    ...(oldEdge ? mirrorKeysOf(layout, oldEdge) : []),
  ]
  addClosureWork(layout, work, record, recordIndex)
  for (const mirrorKey of candidateKeys) edgeWork.mirrorKeys.set(uniqueKeyTextOf(layout, mirrorKey), mirrorKey)
  const countingNode = countingNodeOf(layout, parsed)
  if (!countingNode) return
  const counters = ensureCounterWork(layout, work, countingNode)
  // A side item that is created again appears in a later record, so a deletion adds no key here.
  if (newImage) counters.sideKeys.set(uniqueKeyTextOf(layout, key), key)
  // A foreign write may have replaced the item and dropped its counted contribution.
  if (oldEdge && contributionOf(layout, oldEdge.item) && !(newImage && contributionOf(layout, newImage)))
    counters.removedSides.push(oldEdge)
  counters.records.push(recordIndex)
}

/** Adds the closure work of an edge of a tree. Returns whether there is any. */
function addClosureWork(
  layout: Layout,
  { closures }: BatchWork,
  { oldImage, newImage, before, after, isDerived }: ParsedRecord,
  recordIndex: number,
): boolean {
  const parsed = after ?? before
  if (parsed?.kind.role !== 'edge' || (parsed.kind.type as DeclaredEdge).closure === undefined) return false
  const { lineage } = layout.names
  const hasNewLineage = !isSameValue(oldImage?.[lineage], newImage?.[lineage])
  if (isDerived && !hasNewLineage) return false
  const key = uniqueKeyTextOf(layout, parsed.item)
  const closureWork: ClosureWork = closures.get(key) ?? {
    edge: edgeReferenceOf(layout, parsed),
    isChanged: false,
    hasNewLineage: false,
    earlier: [],
    records: [],
  }
  closures.set(key, closureWork)
  closureWork.isChanged ||= !isDerived
  closureWork.hasNewLineage ||= hasNewLineage
  const state = oldImage && closureStateOf(layout, parsed.kind.type as DeclaredEdge, oldImage)
  if (state && !newImage?.[lineage]) closureWork.earlier.push(state.lineage, ...state.previous)
  closureWork.records.push(recordIndex)
  return true
}

/** Returns the key of the node whose partition holds the side item, if that node counts edges of this type. */
function countingNodeOf(layout: Layout, side: ParsedItem): Key | undefined {
  const { count, sum, undirected } = side.kind.type as DeclaredEdge
  const node = nodeOfSideItem(layout, side)
  const counts = [...count, ...sum].some(({ end, by }) => by === 'stream' && (undirected || end === node?.end.name))
  return counts ? node?.key : undefined
}

function ensureCounterWork(layout: Layout, { counters }: BatchWork, node: Key): CounterWork {
  const nodeKeyText = uniqueKeyTextOf(layout, node)
  const counterWork = counters.get(nodeKeyText) ?? {
    node,
    sideKeys: new Map(),
    tombstones: new Map(),
    removedSides: [],
    records: [],
  }
  counters.set(nodeKeyText, counterWork)
  return counterWork
}
