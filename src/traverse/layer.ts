import { type Lists, needLists, needNodes, type Walk } from './need.js'
import type { Hop, NodeCheck, NodeRef } from './traversal.js'
import { distinctNodes, type Visit } from './visit.js'

/** The lists of the nodes of a layer, by the key of the node. Every list is asked for once. */
export function* readListsOf(layer: readonly Visit[], hop: Hop): Walk<ReadonlyMap<string, Lists[number]>> {
  const nodes = distinctNodes(layer)
  const lists = yield* needLists(hop, nodes)
  return new Map(nodes.map((node, i) => [node.key, lists[i]]))
}

/** The layer after this one: each node once, with all edges that lead to it. */
export function* expandLayer(layer: readonly Visit[], hop: Hop): Walk<Visit[]> {
  const lists = yield* readListsOf(layer, hop)
  const next = new Map<string, Visit>()
  for (const from of layer)
    for (const { node, row } of lists.get(from.node.key) ?? []) {
      let visit = next.get(node.key)
      if (!visit) {
        visit = { node, depth: from.depth + 1, paths: 0, arrivals: [] }
        next.set(node.key, visit)
      }
      visit.paths += from.paths
      visit.arrivals.push({ from, row, type: hop.type })
    }
  return [...next.values()]
}

/** The visits whose nodes exist and meet the test. Without a check nothing is read. */
export function* filterVisits(type: string, visits: readonly Visit[], check: NodeCheck): Walk<Visit[]> {
  if (!check.read && !check.test) return [...visits]
  const kept = yield* filterNodes(type, distinctNodes(visits), check)
  const keptKeys = new Set(kept.map(({ key }) => key))
  return visits.filter(({ node }) => keptKeys.has(node.key))
}

/** The distinct nodes that exist and meet the test. Without a check nothing is read. */
export function* filterNodes(type: string, nodes: readonly NodeRef[], { read, test }: NodeCheck): Walk<NodeRef[]> {
  if (!read && !test) return [...nodes]
  const rows = yield* needNodes(type, nodes, test)
  return nodes.filter((_, i) => rows[i])
}
