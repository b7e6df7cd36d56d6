import type { PlainRow } from '../plan/row.js'
import type { NodeRef } from './traversal.js'

/** The way in which a visit was reached from an earlier one. */
export interface Arrival {
  readonly from: Visit
  readonly row: PlainRow
  /** The name of the edge, or of the owned node. */
  readonly type: string
}

/** A node in one layer of a traversal. */
export interface Visit {
  readonly node: NodeRef
  /** The number of edges from the start. */
  readonly depth: number
  /** The number of paths that lead here. */
  paths: number
  readonly arrivals: Arrival[]
}

export const startVisitOf = (node: NodeRef): Visit => ({ node, depth: 0, paths: 1, arrivals: [] })

/** The text of a node among those of all types. */
export const nodeTextOf = ({ type, key }: NodeRef): string => `${type}\u0000${key}`

/** The nodes of some visits, each once, in the order in which they came first. */
export function distinctNodes(visits: readonly Visit[]): NodeRef[] {
  const nodes = new Map<string, NodeRef>()
  for (const { node } of visits) if (!nodes.has(node.key)) nodes.set(node.key, node)
  return [...nodes.values()]
}
