import type { AnyNode, NodeId, NodeRow } from '../../schema/types/node-types.js'
import type { Similarity } from '../../traverse/neighbors.js'
import type { Condition } from './condition.js'
import type { Path, Rows } from './query.js'
import type { BudgetOptions, TraversalCall } from './traversal.js'

/** A way between two nodes. */
export interface Route<Id, Edge> {
  /** The ids of its nodes, from the first to the last. */
  readonly nodes: readonly Id[]
  readonly edges: readonly Edge[]
  /** The number of edges, or the sum of their weights. */
  readonly weight: number
}

type SearchBudget = Omit<BudgetOptions, 'onBudget' | 'paths'>

/** The options of searches for shortest paths between two nodes. */
export interface RouteOptions<Q, Node> {
  /** The largest number of edges: 6 unless set. */
  readonly maxDepth?: number | undefined
  /** Refines the read of each node's edges. */
  readonly edges?: ((read: Q) => Q) | undefined
  /** Only nodes that meet the condition are passed between the two ends. The nodes are read. */
  readonly nodes?: Condition<Node> | undefined
  /** Strongly consistent reads, at twice the units. */
  readonly consistent?: boolean | undefined
  readonly budget?: SearchBudget | undefined
}

/** The options of a search for the path with the smallest total weight. */
export interface WeightedRouteOptions<Q, Node, Edge> extends RouteOptions<Q, Node> {
  /** The attribute of the edges whose sum is to be least; the number of edges unless set. */
  readonly weight?: keyof Edge | undefined
  /** Ways that are heavier are not followed. */
  readonly maxWeight?: number | undefined
}

/** The options of searches among the direct neighbors of nodes. */
export interface NeighborOptions<Q> {
  /** Refines the read of each node's edges. */
  readonly edges?: ((read: Q) => Q) | undefined
  /** Strongly consistent reads, at twice the units. */
  readonly consistent?: boolean | undefined
  readonly budget?: SearchBudget | undefined
}

/** The options of `common`, which finds nodes that several nodes lead to. */
export interface CommonOptions<Q> extends NeighborOptions<Q> {
  /** The number of edges of each node, if you know it. A counter of the edge is used without being asked for. */
  readonly degrees?: readonly number[] | undefined
}

type RowOf<Q> = Q extends Rows<infer Row> ? Row : never

/** Searches between given nodes. */
export interface Searches<N extends AnyNode> {
  /** The shortest way between two nodes, searched from both ends; by `weight` the lightest. */
  shortestPath<Q>(
    from: NodeId<N>,
    to: NodeId<N>,
    path: Path<N['name'], never, Q, N>,
    options?: WeightedRouteOptions<Q, NodeRow<N>, RowOf<Q>>,
  ): TraversalCall<Route<NodeId<N>, RowOf<Q>> | undefined>
  /** All shortest ways between two nodes; more than `max`, 1,000 unless set, are refused. */
  shortestPaths<Q>(
    from: NodeId<N>,
    to: NodeId<N>,
    path: Path<N['name'], never, Q, N>,
    options?: RouteOptions<Q, NodeRow<N>> & { readonly max?: number | undefined },
  ): TraversalCall<Route<NodeId<N>, RowOf<Q>>[]>
  /** The ids of the nodes to which all of the given nodes lead. */
  common<Q, To extends AnyNode>(
    ids: readonly NodeId<N>[],
    path: Path<N['name'], never, Q, To>,
    options?: CommonOptions<Q>,
  ): TraversalCall<NodeId<To>[]>
  /** The number of common neighbors of two nodes, and its ratio to the number of all of them (Jaccard). */
  similarity<Q>(
    one: NodeId<N>,
    other: NodeId<N>,
    path: Path<N['name'], never, Q>,
    options?: NeighborOptions<Q>,
  ): TraversalCall<Similarity>
}
