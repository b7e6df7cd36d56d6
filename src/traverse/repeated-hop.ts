import { expandLayer, filterVisits, readListsOf } from './layer.js'
import { needNodes, needPaths, type Walk } from './need.js'
import type { NodeTest } from './node-test.js'
import type { TraversalStep } from './traversal.js'
import { distinctNodes, type Visit } from './visit.js'

export type RepeatStep = Extract<TraversalStep, { readonly kind: 'repeat' }>

/** What the steps around a repeated hop ask of it. */
export interface RepeatContext {
  /** Whether the nodes of each depth are announced. */
  readonly announces: boolean
  /** Takes all nodes that are reached, whether they meet the conditions or not. */
  readonly onReached: (visits: readonly Visit[]) => void
  /** The number of simple paths after which no more are followed. */
  readonly enoughPaths: number
}

/** All visits within the depths of a repeated hop, the nearest first. */
export function* repeatLayer(step: RepeatStep, start: readonly Visit[], context: RepeatContext): Walk<Visit[]> {
  const { hop, check, minDepth, maxDepth, visits, until } = step
  const reached: Visit[] = []
  const reachedKeys = new Set(start.map(({ node }) => node.key))
  let level = [...start]
  for (let depth = 0; depth <= maxDepth && level[0]; depth++) {
    if (depth > 0) {
      const next =
        visits === 'simple'
          ? yield* extendPaths(step, level)
          : (yield* expandLayer(level, hop)).filter(({ node }) => !reachedKeys.has(node.key))
      context.onReached(next)
      level = yield* filterVisits(hop.reached, next, check)
      for (const { node } of level) reachedKeys.add(node.key)
    }
    if (depth >= minDepth) {
      for (const visit of level) reached.push(visit)
      if (context.announces) yield { kind: 'reached', visits: level }
    }
    if (visits === 'simple' && reached.length > context.enoughPaths) break
    if (until) level = yield* filterUnended(hop.reached, level, until)
  }
  return reached
}

/** Paths are counted in parts of this size, so that neither memory nor the budget is passed by a whole level. */
const COUNTED_PATHS = 1_000

/** Each path by one more edge, to a node that is not on it yet. Each visit stands for one path. */
function* extendPaths({ hop }: RepeatStep, level: readonly Visit[]): Walk<Visit[]> {
  const lists = yield* readListsOf(level, hop)
  const next: Visit[] = []
  let counted = 0
  for (const from of level) {
    const { paths, depth } = from
    const path = keysOnPath(from, hop.start)
    for (const { node, row } of lists.get(from.node.key) ?? [])
      if (!path.has(node.key)) next.push({ node, depth: depth + 1, paths, arrivals: [{ from, row, type: hop.type }] })
    if (next.length - counted < COUNTED_PATHS) continue
    if (!(yield* needPaths(hop, next.length - counted))) return next.slice(0, counted)
    counted = next.length
  }
  return (yield* needPaths(hop, next.length - counted)) ? next : next.slice(0, counted)
}

/** The nodes of a type on the path to a visit, back to where paths meet. */
function keysOnPath(visit: Visit, type: string): Set<string> {
  const keys = new Set<string>()
  for (let at: Visit | undefined = visit; at; at = at.arrivals.length === 1 ? at.arrivals[0]!.from : undefined)
    if (at.node.type === type) keys.add(at.node.key)
  return keys
}

/** The visits to be followed further. */
function* filterUnended(type: string, level: readonly Visit[], until: NodeTest): Walk<Visit[]> {
  const nodes = distinctNodes(level)
  const rows = yield* needNodes(type, nodes, until)
  const ended = new Set(nodes.filter((_, i) => rows[i]).map(({ key }) => key))
  return level.filter(({ node }) => !ended.has(node.key))
}
