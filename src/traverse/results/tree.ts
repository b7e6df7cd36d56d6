import type { Row } from '../../plan/row.js'
import { needNodes, type Walk } from '../need.js'
import { textOf, type Visit } from '../visit.js'
import type { Walked } from '../walk.js'
import { numberIn } from './rank.js'

export interface TreeNode {
  readonly id: unknown
  readonly depth: number
  /** The edge from the parent; undefined at the start. */
  readonly edge: Row | undefined
  readonly children: TreeNode[]
}

/** Everything that was reached, each node once, below the node by which it was reached first. */
export function treeOf(walked: Walked): TreeNode[] {
  const made = new Map<string, TreeNode>()
  const roots: TreeNode[] = []
  for (const { node, depth, arrivals } of inOrder(walked)) {
    const [arrival] = arrivals
    const parent = arrival && made.get(textOf(arrival.from.node))
    const own: TreeNode = { id: node.id, depth, edge: arrival?.row, children: [] }
    made.set(textOf(node), own)
    const siblings = parent?.children ?? roots
    siblings.push(own)
  }
  return roots
}

export interface SubtreeOptions {
  /** Numeric attributes of the nodes that are added up. */
  readonly sum?: string | readonly string[] | undefined
}

export interface Subtree {
  readonly id: unknown
  readonly parent: unknown
  readonly depth: number
  /** The number of nodes in the subtree, its root included. */
  readonly size: number
  readonly sum: Readonly<Record<string, number>>
}

/** Each node with the size and the sums of the subtree below it, added up from the leaves. The root of each comes first. */
export function* subtreesOf(type: string, walked: Walked, attributes: readonly string[]): Walk<Subtree[]> {
  const visits = inOrder(walked)
  const nodes = visits.map(({ node }) => node)
  const rows = attributes[0] ? yield* needNodes(type, nodes) : []
  const totals = new Map<string, { size: number; readonly sum: Record<string, number> }>()
  for (const [i, node] of nodes.entries()) {
    const row = rows[i]
    const own = attributes.map(name => [name, row ? numberIn(row, name, type) : 0] as const)
    totals.set(textOf(node), { size: 1, sum: Object.fromEntries(own) })
  }
  for (const { node, arrivals } of visits.toReversed()) {
    const parent = arrivals[0] && totals.get(textOf(arrivals[0].from.node))
    const own = totals.get(textOf(node))!
    if (!parent) continue
    parent.size += own.size
    for (const name of attributes) parent.sum[name]! += own.sum[name]!
  }
  return visits.map(({ node, depth, arrivals }) => {
    const { size, sum: added } = totals.get(textOf(node))!
    return { id: node.id, parent: arrivals[0]?.from.node.id, depth, size, sum: added }
  })
}

/** The visits of the last step and all that led to them, from the start outwards, each node at its first visit. */
function inOrder({ start, last }: Walked): Visit[] {
  const all = new Set<Visit>(start)
  const pending = [...last]
  for (let visit = pending.pop(); visit; visit = pending.pop()) {
    if (all.has(visit)) continue
    all.add(visit)
    for (const { from } of visit.arrivals) pending.push(from)
  }
  const rank = new Map([...last].map((visit, i) => [visit, i]))
  const sorted = [...all].sort((a, b) => a.depth - b.depth || (rank.get(a) ?? 0) - (rank.get(b) ?? 0))
  const first = new Map<string, Visit>()
  for (const visit of sorted) if (!first.has(textOf(visit.node))) first.set(textOf(visit.node), visit)
  return [...first.values()]
}
