import type { PlainRow } from '../plan/row.js'
import { GraphError } from '../schema/error.js'
import { filterNodes } from './layer.js'
import { needLists, type Walk } from './need.js'
import type { NodeRoute, RouteSearch } from './shortest-routes.js'
import type { NodeRef } from './traversal.js'

/** The lightest known way to a node. */
interface RouteLabel {
  readonly node: NodeRef
  readonly weight: number
  readonly from: RouteLabel | undefined
  readonly row: PlainRow | undefined
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
export function* findLightestRoute(search: RouteSearch, bounds: WeightBounds): Walk<NodeRoute | undefined> {
  const { forward, from, to, endCheck, check, maxDepth } = search
  const both = from.key === to.key ? [from] : [from, to]
  const ends = yield* filterNodes(forward.start, both, endCheck)
  if (ends.length < both.length) return undefined
  const best = new Map<string, RouteLabel>([[from.key, { node: from, weight: 0, from: undefined, row: undefined }]])
  let level = [...best.values()]
  for (let depth = 0; depth < maxDepth && level[0]; depth++) {
    const limit = best.get(to.key)?.weight ?? Number.POSITIVE_INFINITY
    const followed = level.filter(label => label.node.key !== to.key && label.weight < limit)
    const lists = yield* needLists(
      forward,
      followed.map(({ node }) => node),
    )
    const lighter = new Map<string, RouteLabel>()
    for (const [i, label] of followed.entries())
      for (const { node, row } of lists[i] ?? []) {
        const weight = label.weight + edgeWeightOf(row, bounds.weight, forward.type)
        const knownWeight = Math.min(
          best.get(node.key)?.weight ?? Number.POSITIVE_INFINITY,
          lighter.get(node.key)?.weight ?? Number.POSITIVE_INFINITY,
        )
        if (weight <= bounds.maxWeight && weight < knownWeight)
          lighter.set(node.key, { node, weight, from: label, row })
      }
    const between = [...lighter.values()].map(({ node }) => node).filter(({ key }) => key !== to.key)
    const passed = yield* filterNodes(forward.reached, between, check)
    const passedKeys = new Set([to.key, ...passed.map(({ key }) => key)])
    level = [...lighter.values()].filter(({ node }) => passedKeys.has(node.key))
    for (const label of level) best.set(label.node.key, label)
  }
  const found = best.get(to.key)
  return found && routeOf(found)
}

function routeOf(label: RouteLabel): NodeRoute {
  const nodes: NodeRef[] = []
  const edges: PlainRow[] = []
  for (let at: RouteLabel | undefined = label; at; at = at.from) {
    nodes.unshift(at.node)
    if (at.row) edges.unshift(at.row)
  }
  return { nodes, edges, weight: label.weight }
}

function edgeWeightOf(row: PlainRow, attribute: string, type: string): number {
  const value = row[attribute]
  const weight = typeof value === 'number' ? value : value === undefined ? Number.NaN : Number(value)
  if (weight >= 0) return weight
  throw new GraphError(
    'traverse.weight',
    `${type}.${attribute}: an edge has ${value === undefined ? 'no value' : `the weight ${String(value)}`}; search by an attribute that has a number of 0 or more on every edge.`,
    { type, name: attribute, value },
  )
}
