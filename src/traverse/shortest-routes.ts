import { chunksOf } from '../plan/chunks.js'
import type { PlainRow } from '../plan/row.js'
import { expandLayer, filterVisits } from './layer.js'
import type { Walk } from './need.js'
import type { Hop, NodeCheck, NodeRef } from './traversal.js'
import { startVisitOf, type Visit } from './visit.js'

/** A way between two nodes. */
export interface NodeRoute {
  readonly nodes: readonly NodeRef[]
  readonly edges: readonly PlainRow[]
  /** The number of edges, or the sum of their weights. */
  readonly weight: number
}

/** The hops and limits of a search between two nodes. */
export interface RouteSearch {
  readonly forward: Hop
  /** The same edges from their other end; undefined if only one direction can be searched. */
  readonly backward: Hop | undefined
  readonly from: NodeRef
  readonly to: NodeRef
  /** The conditions for the two ends, and for the nodes between them. */
  readonly endCheck: NodeCheck
  readonly check: NodeCheck
  readonly maxDepth: number
}

/** One direction of a search. Every node is visited at its distance, with all edges that lead to it at that distance. */
interface SearchSide {
  readonly hop: Hop | undefined
  readonly visits: Map<string, Visit>
  level: Visit[]
  depth: number
}

/** The shortest ways between two nodes, searched from both ends, no more than `max` of them. */
export function* findShortestRoutes(
  { forward, backward, from, to, endCheck, check, maxDepth }: RouteSearch,
  max: number,
): Walk<NodeRoute[]> {
  const isSame = from.key === to.key
  const both = isSame ? [startVisitOf(from)] : [startVisitOf(from), startVisitOf(to)]
  const ends = yield* filterVisits(forward.start, both, endCheck)
  if (isSame) return ends[0] ? [{ nodes: [from], edges: [], weight: 0 }] : []
  if (ends.length < 2) return []
  const sideOf = (hop: Hop | undefined, visit: Visit): SearchSide => ({
    hop,
    visits: new Map([[visit.node.key, visit]]),
    level: [visit],
    depth: 0,
  })
  const [near, far] = [sideOf(forward, ends[0]!), sideOf(backward, ends[1]!)]
  while (near.depth + far.depth < maxDepth) {
    const side = far.hop && far.level.length < near.level.length ? far : near
    const other = side === near ? far : near
    const isMeeting = ({ node }: Visit) => other.visits.has(node.key)
    // What the other side has visited met its condition already; the ends need not meet it.
    yield* advanceSide(side, { check, isMeeting, stopsAtMeeting: max === 1 })
    // All shorter ways were found before, so the ways that meet here are the shortest.
    const meetingKeys = side.level.filter(isMeeting).map(({ node }) => node.key)
    if (meetingKeys.length > 0) return joinRoutes(meetingKeys, near, far, max, backward?.path === forward.path)
    if (side.level.length === 0) return []
  }
  return []
}

/** How one side of a search goes one edge further. */
interface Advance {
  readonly check: NodeCheck
  readonly isMeeting: (visit: Visit) => boolean
  readonly stopsAtMeeting: boolean
}

/** As many lists as are read side by side. */
const CHUNK_LISTS = 8

/**
 * Visits the nodes that are one edge further. Where one way is enough, lists are read a few at a time, and the rest is
 * left once a node is met that the other side has visited: on the last level that saves half of the requests.
 */
function* advanceSide(side: SearchSide, { check, isMeeting, stopsAtMeeting }: Advance): Walk<void> {
  const { hop, visits, level } = side
  side.level = []
  side.depth++
  for (const some of stopsAtMeeting ? chunksOf(level, CHUNK_LISTS) : [level]) {
    const next = (yield* expandLayer(some, hop!)).filter(({ node }) => !visits.has(node.key))
    const isUnknown = (visit: Visit) => !isMeeting(visit)
    const passed = new Set(yield* filterVisits(hop!.reached, next.filter(isUnknown), check))
    const found = next.filter(visit => isMeeting(visit) || passed.has(visit))
    for (const visit of found) {
      visits.set(visit.node.key, visit)
      side.level.push(visit)
    }
    if (stopsAtMeeting && found.some(isMeeting)) return
  }
}

/** The ways through the nodes where the two sides met. */
function joinRoutes(
  meetingKeys: readonly string[],
  near: SearchSide,
  far: SearchSide,
  max: number,
  undirected: boolean,
): NodeRoute[] {
  const routes: NodeRoute[] = []
  for (const key of meetingKeys)
    for (const [nodes, edges] of routesTo(near.visits.get(key)!, max - routes.length))
      for (const [backNodes, backEdges] of routesTo(far.visits.get(key)!, max - routes.length)) {
        if (routes.length >= max) return routes
        const rest = backEdges.toReversed()
        const endsSwapped = undirected && far.hop ? rest.map(row => swapEnds(row, far.hop!)) : rest
        const all = [...nodes, ...backNodes.toReversed().slice(1)]
        routes.push({ nodes: all, edges: [...edges, ...endsSwapped], weight: all.length - 1 })
      }
  return routes
}

/** An undirected edge as its other end reads it. */
const swapEnds = (row: PlainRow, { path, end }: Hop): PlainRow => ({ ...row, [path]: row[end!], [end!]: row[path] })

type PartialRoute = readonly [nodes: readonly NodeRef[], edges: readonly PlainRow[]]

/** Ways from the start of a side to a visit, no more than `max`. */
function routesTo(visit: Visit, max: number): PartialRoute[] {
  const partials: PartialRoute[] = []
  const pending: { readonly at: Visit; readonly nodes: readonly NodeRef[]; readonly edges: readonly PlainRow[] }[] = [
    { at: visit, nodes: [visit.node], edges: [] },
  ]
  for (let next = pending.pop(); next && partials.length < max; next = pending.pop()) {
    const { at, nodes, edges } = next
    if (!at.arrivals[0]) partials.push([nodes, edges])
    for (const { from, row } of at.arrivals.toReversed())
      pending.push({ at: from, nodes: [from.node, ...nodes], edges: [row, ...edges] })
  }
  return partials
}
