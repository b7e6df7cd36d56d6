import { chunksOf } from '../plan/chunks.js'
import type { Row } from '../plan/row.js'
import { checked, expand } from './layer.js'
import type { Walk } from './need.js'
import type { Hop, NodeCheck, NodeRef } from './traversal.js'
import { startVisit, type Visit } from './visit.js'

/** A way between two nodes. */
export interface Route {
  readonly nodes: readonly NodeRef[]
  readonly edges: readonly Row[]
  /** The number of edges, or the sum of their weights. */
  readonly weight: number
}

/** What a search between two nodes follows. */
export interface Search {
  readonly forward: Hop
  /** The same edges from their other end; undefined if only one direction can be searched. */
  readonly backward: Hop | undefined
  readonly from: NodeRef
  readonly to: NodeRef
  readonly check: NodeCheck
  readonly maxDepth: number
}

/** One direction of a search. Every node is visited at its distance, with all edges that lead to it at that distance. */
interface Side {
  readonly hop: Hop | undefined
  readonly visits: Map<string, Visit>
  level: Visit[]
  depth: number
}

/** The shortest ways between two nodes, searched from both ends, no more than `max` of them. */
export function* shortestRoutes({ forward, backward, from, to, check, maxDepth }: Search, max: number): Walk<Route[]> {
  const ends = yield* checked(
    forward.start,
    from.key === to.key ? [startVisit(from)] : [startVisit(from), startVisit(to)],
    check,
  )
  if (from.key === to.key) return ends[0] ? [{ nodes: [from], edges: [], weight: 0 }] : []
  if (ends.length < 2) return []
  const sideOf = (hop: Hop | undefined, visit: Visit): Side => ({
    hop,
    visits: new Map([[visit.node.key, visit]]),
    level: [visit],
    depth: 0,
  })
  const [near, far] = [sideOf(forward, ends[0]!), sideOf(backward, ends[1]!)]
  while (near.depth + far.depth < maxDepth) {
    const side = far.hop && far.level.length < near.level.length ? far : near
    const other = side === near ? far : near
    const isMet = ({ node }: Visit) => other.visits.has(node.key)
    yield* advance(side, check, max === 1 ? isMet : undefined)
    // All shorter ways were found before, so the ways that meet here are the shortest.
    const met = side.level.filter(isMet).map(({ node }) => node.key)
    if (met[0]) return joined(met, near, far, max, backward?.path === forward.path)
    if (!side.level[0]) return []
  }
  return []
}

/** As many lists as are read side by side. */
const CHUNK_LISTS = 8

/**
 * Visits the nodes that are one edge further. Where one way is enough, lists are read a few at a time, and the rest is
 * left once a node is met that the other side has visited: on the last level that saves half of the requests.
 */
function* advance(side: Side, check: NodeCheck, isEnough?: (visit: Visit) => boolean): Walk<void> {
  const { hop, visits, level } = side
  side.level = []
  side.depth++
  for (const some of isEnough ? chunksOf(level, CHUNK_LISTS) : [level]) {
    const next = (yield* expand(some, hop!)).filter(({ node }) => !visits.has(node.key))
    const found = yield* checked(hop!.reached, next, check)
    for (const visit of found) visits.set(visit.node.key, visit)
    side.level.push(...found)
    if (isEnough && found.some(isEnough)) return
  }
}

/** The ways through the nodes where the two sides met. */
function joined(met: readonly string[], near: Side, far: Side, max: number, undirected: boolean): Route[] {
  const routes: Route[] = []
  for (const key of met)
    for (const [nodes, edges] of waysTo(near.visits.get(key)!, max - routes.length))
      for (const [back, backEdges] of waysTo(far.visits.get(key)!, max - routes.length)) {
        if (routes.length >= max) return routes
        const rest = backEdges.toReversed()
        const turned = undirected && far.hop ? rest.map(row => turnedRow(row, far.hop!)) : rest
        const all = [...nodes, ...back.toReversed().slice(1)]
        routes.push({ nodes: all, edges: [...edges, ...turned], weight: all.length - 1 })
      }
  return routes
}

/** An undirected edge as its other end reads it. */
const turnedRow = (row: Row, { path, end }: Hop): Row => ({ ...row, [path]: row[end!], [end!]: row[path] })

type Way = readonly [nodes: readonly NodeRef[], edges: readonly Row[]]

/** Ways from the start of a side to a visit, no more than `max`. */
function waysTo(visit: Visit, max: number): Way[] {
  const ways: Way[] = []
  const pending: { readonly at: Visit; readonly nodes: readonly NodeRef[]; readonly edges: readonly Row[] }[] = [
    { at: visit, nodes: [visit.node], edges: [] },
  ]
  for (let next = pending.pop(); next && ways.length < max; next = pending.pop()) {
    const { at, nodes, edges } = next
    if (!at.arrivals[0]) ways.push([nodes, edges])
    for (const { from, row } of at.arrivals.toReversed())
      pending.push({ at: from, nodes: [from.node, ...nodes], edges: [row, ...edges] })
  }
  return ways
}
