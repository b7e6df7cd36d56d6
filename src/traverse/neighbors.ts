import { countReadUnits, type ReadConsistency } from '../dynamodb/capacity.js'
import { PAGE_BYTES } from '../dynamodb/limits.js'
import { ASSUMED_SIZES } from '../plan/price/read-price.js'
import { filterNodes } from './layer.js'
import { needEdges, needLists, needNodes, type Walk } from './need.js'
import type { Hop, NodeCheck, NodeRef } from './traversal.js'

/** The neighbors of several nodes on one path. */
export interface NeighborSearch {
  readonly hop: Hop
  readonly nodes: readonly NodeRef[]
  /** The condition for the given nodes, and for their neighbors, to count. */
  readonly startCheck: NodeCheck
  readonly check: NodeCheck
  /** The number of edges of each node, where it is known. */
  readonly degrees?: readonly number[] | undefined
  /** The counter of the nodes that has that number. */
  readonly counter?: string | undefined
  /** Whether an edge is identified by its ends alone, so that it can be read by them. */
  readonly canProbe: boolean
  readonly itemBytes?: number | undefined
  readonly consistent?: boolean | undefined
}

/** The nodes that all of the given ones lead to, in the order of the first list that was read. */
export function* findCommonNeighbors(search: NeighborSearch): Walk<NodeRef[]> {
  const { hop, nodes, startCheck, check } = search
  const starts = yield* filterNodes(hop.start, nodes, startCheck)
  // A node that is gone has no neighbors, so nothing is common to all.
  if (starts.length < nodes.length) return []
  return yield* filterNodes(hop.reached, yield* intersectLists(search), check)
}

function* intersectLists(search: NeighborSearch): Walk<NodeRef[]> {
  const { hop, nodes } = search
  const degrees = yield* degreesOf(search)
  if (!degrees) {
    const lists = yield* needLists(hop, nodes)
    const sets = lists.slice(1).map(list => new Set(list?.map(({ node }) => node.key)))
    return distinctRefs((lists[0] ?? []).map(({ node }) => node).filter(({ key }) => sets.every(set => set.has(key))))
  }
  const [first, ...rest] = nodes.map((node, i) => ({ node, degree: degrees[i]! })).sort((a, b) => a.degree - b.degree)
  const [list = []] = yield* needLists(hop, [first!.node])
  let common = distinctRefs((list ?? []).map(({ node }) => node))
  for (const { node, degree } of rest) {
    if (common.length === 0) break
    common = yield* findShared(search, node, degree, common)
  }
  return common
}

/** The candidates that a node leads to. It reads the list of the node or the edge to each candidate, as costs less. */
function* findShared(
  { hop, canProbe, itemBytes = ASSUMED_SIZES.itemBytes, consistent }: NeighborSearch,
  node: NodeRef,
  degree: number,
  candidates: readonly NodeRef[],
): Walk<NodeRef[]> {
  const read: ReadConsistency = consistent ? 'strong' : 'eventual'
  const pages = Math.max(1, Math.ceil((degree * itemBytes) / PAGE_BYTES))
  const listUnits = Math.max(countReadUnits(degree * itemBytes, read), pages)
  const probeUnits = candidates.length * countReadUnits(itemBytes, read)
  if (canProbe && probeUnits < listUnits) {
    const rows = yield* needEdges(hop, node, candidates)
    return candidates.filter((_, i) => rows[i])
  }
  const [list = []] = yield* needLists(hop, [node])
  const keys = new Set((list ?? []).map(each => each.node.key))
  return candidates.filter(({ key }) => keys.has(key))
}

function* degreesOf({ hop, nodes, degrees, counter, canProbe }: NeighborSearch): Walk<readonly number[] | undefined> {
  if (degrees || counter === undefined || !canProbe) return degrees
  const rows = yield* needNodes(hop.start, nodes)
  // A node that is absent has no counter, and may have edges all the same.
  return rows.every(row => row) ? rows.map(row => Number(row![counter])) : undefined
}

/** How many neighbors two nodes share. */
export interface Similarity {
  /** The number of nodes that both lead to, and that at least one leads to. */
  readonly common: number
  readonly union: number
  /** Their ratio (Jaccard): 0 where neither has a neighbor. */
  readonly similarity: number
}

export function* measureSimilarity({ hop, nodes, startCheck, check }: NeighborSearch): Walk<Similarity> {
  const starts = yield* filterNodes(hop.start, nodes, startCheck)
  const lists = yield* needLists(hop, starts)
  const sets = starts.map((_, i) => new Set(lists[i]?.map(({ node }) => node.key)))
  const neighbors = distinctRefs(lists.flatMap(list => (list ?? []).map(({ node }) => node)))
  const union = yield* filterNodes(hop.reached, neighbors, check)
  const isComplete = starts.length === nodes.length
  const common = isComplete ? union.filter(({ key }) => sets.every(set => set.has(key))).length : 0
  return { common, union: union.length, similarity: union.length === 0 ? 0 : common / union.length }
}

/** Each node once, in the order in which they came first. */
export function distinctRefs(nodes: readonly NodeRef[]): NodeRef[] {
  return [...new Map(nodes.map(node => [node.key, node])).values()]
}
