import type { PlainRow } from '../../plan/row.js'
import { needNodes, type Walk } from '../need.js'
import { distinctNodes, type Visit } from '../visit.js'
import type { WalkResult } from '../walk.js'

/** The ids of the nodes that the last step reached, each once. */
export function idsOf({ last }: WalkResult): unknown[] {
  return distinctNodes(last).map(({ id }) => id)
}

/** The nodes that the last step reached, each once. Nodes that do not exist are left out. */
export function* nodesOf(type: string, { last }: WalkResult): Walk<PlainRow[]> {
  const rows = yield* needNodes(type, distinctNodes(last))
  return rows.filter(row => row !== undefined)
}

/** The edges by which the last hop reached its nodes, each once. */
export function edgesOf({ last, origins }: WalkResult): PlainRow[] {
  const edges = new Set<PlainRow>()
  for (const visit of last) {
    if (origins.has(visit)) continue
    for (const { row } of visit.arrivals) edges.add(row)
  }
  return [...edges]
}

/** The number of nodes that a traversal reached first at a depth. */
export interface DepthCount {
  readonly depth: number
  readonly nodes: number
}

/** The number of distinct nodes at each distance from the start. A node counts where it was reached first. */
export function depthsOf({ last }: WalkResult): DepthCount[] {
  const first = new Map<string, number>()
  for (const { node, depth } of last) first.set(node.key, Math.min(depth, first.get(node.key) ?? depth))
  const counts = new Map<number, number>()
  for (const depth of first.values()) counts.set(depth, (counts.get(depth) ?? 0) + 1)
  return [...counts].sort(([a], [b]) => a - b).map(([depth, nodes]) => ({ depth, nodes }))
}

/** One way through the graph: the ids of its nodes, from the start, and the edges between them. */
export interface WalkedPath {
  readonly nodes: readonly unknown[]
  readonly edges: readonly PlainRow[]
}

/** The paths that lead from the start to the nodes of the last step, no more than one beyond the limit. */
export function walkedPathsOf({ last }: WalkResult, max: number): WalkedPath[] {
  const paths: WalkedPath[] = []
  // A path can have more nodes than the stack has frames, so that the way back is a loop.
  const pending: PathTail[] = last.toReversed().map(visit => ({ visit, row: undefined, next: undefined }))
  for (let tail = pending.pop(); tail && paths.length <= max; tail = pending.pop()) {
    const { arrivals } = tail.visit
    if (!arrivals[0]) paths.push(toWalkedPath(tail))
    for (const { from, row } of arrivals.toReversed()) pending.push({ visit: from, row, next: tail })
  }
  return paths
}

/** A visit, and the rest of a path from there: the edge to the next visit. */
interface PathTail {
  readonly visit: Visit
  readonly row: PlainRow | undefined
  readonly next: PathTail | undefined
}

function toWalkedPath(start: PathTail): WalkedPath {
  const nodes: unknown[] = []
  const edges: PlainRow[] = []
  for (let tail: PathTail | undefined = start; tail; tail = tail.next) {
    nodes.push(tail.visit.node.id)
    if (tail.row) edges.push(tail.row)
  }
  return { nodes, edges }
}
