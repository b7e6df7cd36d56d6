import type { DeclaredType } from '../../layout/slots.js'
import type { PlainRow } from '../../plan/row.js'
import { needNodes, type Walk } from '../need.js'
import { nodeTextOf, type Visit } from '../visit.js'
import type { WalkResult } from '../walk.js'
import { ExactSum, type Figure, figureConverterOf, figureOf } from './exact-sum.js'

export interface TreeEntry {
  readonly id: unknown
  readonly depth: number
  /** The edge from the parent; undefined at the start. */
  readonly edge: PlainRow | undefined
  readonly children: TreeEntry[]
}

/** The reached nodes as trees: each node once, below the node that reached it first. */
export function treeOf(walked: WalkResult): TreeEntry[] {
  const entries = new Map<string, TreeEntry>()
  const roots: TreeEntry[] = []
  for (const { node, depth, arrivals } of visitsInOrder(walked)) {
    const [arrival] = arrivals
    const parent = arrival && entries.get(nodeTextOf(arrival.from.node))
    const own: TreeEntry = { id: node.id, depth, edge: arrival?.row, children: [] }
    entries.set(nodeTextOf(node), own)
    const siblings = parent?.children ?? roots
    siblings.push(own)
  }
  return roots
}

export interface SubtreeOptions {
  /** Numeric attributes of the nodes that are added up. */
  readonly sum?: string | readonly string[] | undefined
}

export interface SubtreeEntry {
  readonly id: unknown
  readonly parent: unknown
  readonly depth: number
  /** The number of nodes in the subtree, its root included. */
  readonly size: number
  readonly sum: Readonly<Record<string, Figure>>
}

/** Each node with the size and the sums of the subtree below it, added up from the leaves. The root of each comes first. */
export function* subtreesOf(
  type: DeclaredType,
  walked: WalkResult,
  attributes: readonly string[],
): Walk<SubtreeEntry[]> {
  const visits = visitsInOrder(walked)
  const nodes = visits.map(({ node }) => node)
  const rows = attributes.length > 0 ? yield* needNodes(type.name, nodes) : []
  const totals = new Map<string, { size: number; readonly sums: readonly ExactSum[] }>()
  for (const [i, node] of nodes.entries()) {
    const row = rows[i]
    const sums = attributes.map(name => {
      const sum = new ExactSum()
      const value = row && figureOf(row, name, type.name)
      if (value !== undefined) sum.add(value)
      return sum
    })
    totals.set(nodeTextOf(node), { size: 1, sums })
  }
  for (const { node, arrivals } of visits.toReversed()) {
    const parent = arrivals[0] && totals.get(nodeTextOf(arrivals[0].from.node))
    const own = totals.get(nodeTextOf(node))!
    if (!parent) continue
    parent.size += own.size
    for (const [i, sum] of own.sums.entries()) parent.sums[i]!.addSum(sum)
  }
  const converters = attributes.map(name => figureConverterOf(type, name))
  return visits.map(({ node, depth, arrivals }) => {
    const { size, sums } = totals.get(nodeTextOf(node))!
    const sum = Object.fromEntries(attributes.map((name, i) => [name, converters[i]!(sums[i]!)]))
    return { id: node.id, parent: arrivals[0]?.from.node.id, depth, size, sum }
  })
}

/** The visits of the last step and all that led to them, from the start outwards, each node at its first visit. */
function visitsInOrder({ start, last }: WalkResult): Visit[] {
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
  for (const visit of sorted) if (!first.has(nodeTextOf(visit.node))) first.set(nodeTextOf(visit.node), visit)
  return [...first.values()]
}
