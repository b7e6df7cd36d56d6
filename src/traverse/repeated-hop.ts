import { expandLayer, filterVisits, readListsOf } from './layer.js'
import { needNodes, type Walk } from './need.js'
import type { NodeTest } from './node-test.js'
import type { TraversalStep } from './traversal.js'
import { distinctNodes, type Visit } from './visit.js'

export type RepeatStep = Extract<TraversalStep, { readonly kind: 'repeat' }>

/** All visits within the depths of a repeated hop, the nearest first. */
export function* repeatLayer(step: RepeatStep, start: readonly Visit[], announce: boolean): Walk<Visit[]> {
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
      level = yield* filterVisits(hop.reached, next, check)
      for (const { node } of level) reachedKeys.add(node.key)
    }
    if (depth >= minDepth) {
      for (const visit of level) reached.push(visit)
      if (announce) yield { kind: 'reached', visits: level }
    }
    if (until) level = yield* filterUnended(hop.reached, level, until)
  }
  return reached
}

/** Each path by one more edge, to a node that is not on it yet. Each visit stands for one path. */
function* extendPaths({ hop }: RepeatStep, level: readonly Visit[]): Walk<Visit[]> {
  const lists = yield* readListsOf(level, hop)
  return level.flatMap(from => {
    const { paths, depth } = from
    const path = keysOnPath(from, hop.start)
    return (lists.get(from.node.key) ?? [])
      .filter(({ node }) => !path.has(node.key))
      .map(({ node, row }): Visit => ({ node, depth: depth + 1, paths, arrivals: [{ from, row, type: hop.type }] }))
  })
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
