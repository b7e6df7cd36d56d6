import type { Item, Key } from '../../dynamodb/attribute-value.js'
import type { ChangeRecord } from '../../dynamodb/operations/streams.js'
import type { Layout } from '../../layout/layout.js'
import { keyOfItem, uniqueKeyTextOf } from '../../plan/identity.js'
import { canonicalText, isSameValue } from '../../plan/slot-values.js'
import { contributingNamesOf } from '../../plan/write/effects/stream-counters.js'
import type { DeclaredEdge, DeclaredNode } from '../../schema/declarations.js'
import { hasStreamDerivedData } from '../../schema/edge/stream-derived-data.js'
import { imagesOf, isDerivedChange, type RecordImages } from '../record-images.js'
import { contributionOf } from './contribution.js'
import { type EdgeReference, edgeReferenceOf, mirrorKeysOf } from './edge.js'
import { hasChangedSources, type NodeWork } from './node.js'
import { derivedPathsOf, nodeOfSideItem, type ParsedItem, parseItem } from './side-items.js'
import { isSpent, isTombstone, nodeOfTombstone } from './tombstone.js'

/** Something to do, and the records that asked for it by their positions. */
interface RequestedWork {
  readonly records: number[]
}

interface EdgeWork extends RequestedWork {
  readonly edge: EdgeReference
  /** Where a mirror may lie that is of no edge any more. */
  readonly mirrorKeys: Map<string, Key>
}

/** What is to be done to the counters of one node. */
interface CounterWork extends RequestedWork {
  readonly node: Key
  readonly sideKeys: Map<string, Key>
  /** As they were made. */
  readonly tombstones: Map<string, Item>
  /** Side items that went, as they were. */
  readonly removedSides: ParsedItem[]
}

/** What a batch of records asks for, each node and each edge once: records only tell where to look. */
export interface BatchWork {
  readonly nodes: Map<string, NodeWork & RequestedWork>
  readonly edges: Map<string, EdgeWork>
  readonly counters: Map<string, CounterWork>
  skipped: number
}

export const createBatchWork = (): BatchWork => ({
  nodes: new Map(),
  edges: new Map(),
  counters: new Map(),
  skipped: 0,
})

/** Adds what a record asks for. Throws where its images cannot be read. */
export function addRecordWork(layout: Layout, work: BatchWork, record: ChangeRecord, recordIndex: number): void {
  const images = imagesOf(record)
  const { oldImage, newImage } = images
  const image = newImage ?? oldImage
  if (!image) work.skipped++
  else if (isDerivedChange(layout, images)) addDerivedWork(layout, work, images, recordIndex)
  else if (isTombstone(layout, image)) addTombstoneWork(layout, work, newImage, recordIndex)
  else {
    const parsed = parseItem(layout, image)
    const type = parsed?.kind.type
    if (type?.kind === 'edge' && hasStreamDerivedData(type))
      addEdgeWork(layout, work, parsed!, oldImage, newImage, recordIndex)
    else if (type?.kind === 'node' && derivedPathsOf(layout, type).length > 0)
      addNodeWork(layout, work, type, oldImage, newImage, recordIndex)
    else work.skipped++
  }
}

/** A derived write asks for nothing more, unless it changed a copy that a counter adds up. */
function addDerivedWork(
  layout: Layout,
  work: BatchWork,
  { oldImage, newImage }: RecordImages,
  recordIndex: number,
): void {
  const side = newImage && parseItem(layout, newImage)
  const hasNewContribution = side?.kind.type.kind === 'edge' && hasChangedContribution(layout, side, oldImage)
  const node = hasNewContribution ? countingNodeOf(layout, side) : undefined
  if (!side || !node) {
    work.skipped++
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
  // One that is made anew over what has expired starts without a life too.
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

function addEdgeWork(
  layout: Layout,
  work: BatchWork,
  parsed: ParsedItem,
  oldImage: Item | undefined,
  newImage: Item | undefined,
  recordIndex: number,
): void {
  const edge = edgeReferenceOf(layout, parsed)
  // The one edge of a node has one key wherever it leads.
  const edgeText = canonicalText([edge.type.name, edge.identity])!
  const edgeWork: EdgeWork = work.edges.get(edgeText) ?? {
    edge,
    mirrorKeys: new Map<string, Key>(),
    records: [] as number[],
  }
  work.edges.set(edgeText, edgeWork)
  edgeWork.records.push(recordIndex)
  const key = keyOfItem(layout.names, parsed.item)
  const oldEdge = oldImage && parseItem(layout, oldImage)
  const candidateKeys = [
    ...(parsed.kind.role === 'mirror' ? [key] : []),
    ...(oldEdge ? mirrorKeysOf(layout, oldEdge) : []),
  ]
  for (const mirrorKey of candidateKeys) edgeWork.mirrorKeys.set(uniqueKeyTextOf(layout, mirrorKey), mirrorKey)
  const countingNode = countingNodeOf(layout, parsed)
  if (!countingNode) return
  const counters = ensureCounterWork(layout, work, countingNode)
  // One that is made again has a record of its own.
  if (newImage) counters.sideKeys.set(uniqueKeyTextOf(layout, key), key)
  // Others may have put it anew, without what was counted of it.
  if (oldEdge && contributionOf(layout, oldEdge.item) && !(newImage && contributionOf(layout, newImage)))
    counters.removedSides.push(oldEdge)
  counters.records.push(recordIndex)
}

/** The node in whose partition a side item lies, where it counts such edges. */
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
