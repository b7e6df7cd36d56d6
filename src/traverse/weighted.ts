import type { Row } from '../plan/row.js'
import { GraphError } from '../schema/error.js'
import { needLists, needNodes, type Walk } from './need.js'
import type { Route, Search } from './shortest.js'
import type { NodeRef } from './traversal.js'

/** The lightest known way to a node. */
interface Label {
  readonly node: NodeRef
  readonly weight: number
  readonly from: Label | undefined
  readonly row: Row | undefined
}

export interface WeightBounds {
  /** The attribute of the edges whose values are added up. */
  readonly weight: string
  /** Ways that are heavier are not followed. */
  readonly maxWeight: number
}

/**
 * The lightest way between two nodes of at most so many edges. Each round follows the nodes that became lighter by one
 * more edge. What cannot be lighter than a way that was found is not followed.
 */
export function* lightestRoute(search: Search, bounds: WeightBounds): Walk<Route | undefined> {
  const { forward, from, to, check, maxDepth } = search
  const exists = function* (nodes: readonly NodeRef[]): Walk<Set<string>> {
    if (!check.read) return new Set(nodes.map(({ key }) => key))
    const rows = yield* needNodes(forward.reached, nodes, check.test)
    return new Set(nodes.filter((_, i) => rows[i]).map(({ key }) => key))
  }
  const ends = yield* exists(from.key === to.key ? [from] : [from, to])
  if (!ends.has(from.key) || !ends.has(to.key)) return undefined
  const best = new Map<string, Label>([[from.key, { node: from, weight: 0, from: undefined, row: undefined }]])
  let level = [...best.values()]
  for (let depth = 0; depth < maxDepth && level[0]; depth++) {
    const limit = best.get(to.key)?.weight ?? Number.POSITIVE_INFINITY
    const open = level.filter(label => label.node.key !== to.key && label.weight < limit)
    const lists = yield* needLists(
      forward,
      open.map(({ node }) => node),
    )
    const lighter = new Map<string, Label>()
    for (const [i, label] of open.entries())
      for (const { node, row } of lists[i] ?? []) {
        const weight = label.weight + weightIn(row, bounds.weight, forward.type)
        const known = Math.min(
          best.get(node.key)?.weight ?? Number.POSITIVE_INFINITY,
          lighter.get(node.key)?.weight ?? Number.POSITIVE_INFINITY,
        )
        if (weight <= bounds.maxWeight && weight < known) lighter.set(node.key, { node, weight, from: label, row })
      }
    const there = yield* exists([...lighter.values()].map(({ node }) => node))
    level = [...lighter.values()].filter(({ node }) => there.has(node.key))
    for (const label of level) best.set(label.node.key, label)
  }
  const found = best.get(to.key)
  return found && routeOf(found)
}

function routeOf(label: Label): Route {
  const nodes: NodeRef[] = []
  const edges: Row[] = []
  for (let at: Label | undefined = label; at; at = at.from) {
    nodes.unshift(at.node)
    if (at.row) edges.unshift(at.row)
  }
  return { nodes, edges, weight: label.weight }
}

function weightIn(row: Row, attribute: string, type: string): number {
  const value = row[attribute]
  const weight = typeof value === 'number' ? value : value === undefined ? Number.NaN : Number(value)
  if (weight >= 0) return weight
  throw new GraphError(
    'traverse.weight',
    `${type}.${attribute}: an edge has ${value === undefined ? 'no value' : `the weight ${String(value)}`}; search by an attribute that has a number of 0 or more on every edge`,
    { type, name: attribute, value },
  )
}
