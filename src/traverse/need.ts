import type { PlainRow } from '../plan/row.js'
import type { NodeTest } from './node-test.js'
import type { Hop, NodeRef } from './traversal.js'
import type { Visit } from './visit.js'

/** An edge of an adjacency list, and the node that it leads to. */
export interface Neighbor {
  readonly node: NodeRef
  /** The row of the edge, or of the owned node. */
  readonly row: PlainRow
}

/**
 * The data that a walk needs before it can continue: adjacency lists, nodes that exist and meet a test, or the edges
 * from one node to others. `paths` asks whether the budget allows so many more paths. A `reached` need announces nodes
 * of the result and takes no answer.
 */
export type Need =
  | { readonly kind: 'lists'; readonly hop: Hop; readonly nodes: readonly NodeRef[] }
  | {
      readonly kind: 'nodes'
      readonly type: string
      readonly nodes: readonly NodeRef[]
      readonly test: NodeTest | undefined
    }
  | { readonly kind: 'edges'; readonly hop: Hop; readonly from: NodeRef; readonly to: readonly NodeRef[] }
  | { readonly kind: 'paths'; readonly of: string; readonly count: number }
  | ReachedNodes

/** Nodes of the result. */
export interface ReachedNodes {
  readonly kind: 'reached'
  readonly visits: readonly Visit[]
  /** Whether more nodes of the same wave follow. */
  readonly isPart?: boolean
}

/** Adjacency lists in the order of the need. A list is undefined if the budget did not allow the read. */
export type Lists = readonly (readonly Neighbor[] | undefined)[]

/** Rows in the order of the need. A row is undefined if the node is absent, fails the test, or was not read. */
export type NodeRows = readonly (PlainRow | undefined)[]

/** A computation over adjacency lists and nodes. It does not know how they are read. */
export type Walk<T> = Generator<Need, T, unknown>

export function* needLists(hop: Hop, nodes: readonly NodeRef[]): Walk<Lists> {
  return nodes.length > 0 ? ((yield { kind: 'lists', hop, nodes }) as Lists) : []
}

/** The edges from one node to others, each undefined if it does not exist. */
export function* needEdges(hop: Hop, from: NodeRef, to: readonly NodeRef[]): Walk<NodeRows> {
  return to.length > 0 ? ((yield { kind: 'edges', hop, from, to }) as NodeRows) : []
}

/** Whether so many more simple paths may be followed. */
export function* needPaths({ type, path }: Hop, count: number): Walk<boolean> {
  return count === 0 || ((yield { kind: 'paths', of: `${type}.by.${path}`, count }) as boolean)
}

export function* needNodes(type: string, nodes: readonly NodeRef[], test?: NodeTest): Walk<NodeRows> {
  return nodes.length > 0 ? ((yield { kind: 'nodes', type, nodes, test }) as NodeRows) : []
}
