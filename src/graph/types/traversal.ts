import type { AnyNode, NodeId, NodeRow } from '../../schema/types/node-types.js'
import type { LeftOut } from '../../traverse/budget-usage.js'
import type { Aggregate } from '../../traverse/results/aggregate.js'
import type { DepthCount } from '../../traverse/results/nodes-and-paths.js'
import type { TraversalData } from '../../traverse/traversal.js'
import type { Degrees, Estimate, ExplainedWave } from '../../traverse/wave-estimates.js'
import type { Call, Explanation } from './call.js'
import type { Condition } from './condition.js'
import type { Path, Rows } from './query.js'

/** The most that a traversal may take: 100 requests unless set. */
export interface BudgetOptions {
  readonly requests?: number | undefined
  /** Capacity units that are read. */
  readonly units?: number | undefined
  /** Distinct nodes that are reached. */
  readonly nodes?: number | undefined
  /** Edges that are followed. */
  readonly edges?: number | undefined
  /** Paths that `visits: 'simple'` follows, 100,000 unless set. They grow with the factorial of the nodes. */
  readonly paths?: number | undefined
  /** Whether a traversal that would pass its budget fails, or resolves to what it found. `error` unless set. */
  readonly onBudget?: 'error' | 'partial' | undefined
}

/** How a hop is repeated. */
export interface RepeatOptions<Q, Node> {
  /** The largest number of hops. */
  readonly depth: number
  /** The least number of hops to a node of the result: 1 unless set. 0 includes the start. */
  readonly minDepth?: number | undefined
  /** Refines the read of each node's edges: `reports => reports.where(…).limit(10)`. */
  readonly edges?: ((read: Q) => Q) | undefined
  /** Only nodes that meet the condition are reached. */
  readonly nodes?: Condition<Node> | undefined
  /** Nodes that meet the condition are reached, and not followed further. */
  readonly until?: Condition<Node> | undefined
  /** `once`: each node at its least depth. `simple`: every path that visits no node twice. `once` unless set. */
  readonly visits?: 'once' | 'simple' | undefined
}

/** What an explained traversal is expected to take, wave by wave. */
export interface TraversalExplanation extends Explanation {
  readonly waves: readonly ExplainedWave[]
  readonly requests: Estimate
  readonly units: Estimate
}

/** A traversal that runs when it is awaited. */
export interface TraversalCall<T> extends Call<T> {
  /** The waves and their price, without a request. The mean number of edges can be given for each path. */
  explain(sizes?: {
    readonly degrees?: Degrees | undefined
    readonly items?: number | undefined
    readonly itemBytes?: number | undefined
  }): TraversalExplanation
}

/** A result that may lack what the budget did not allow. */
export interface PartialResult<T> {
  readonly value: T
  /** Whether nothing is missing. */
  readonly complete: boolean
  /** The adjacency lists and nodes that were not read. */
  readonly leftOut: readonly LeftOut[]
  /** Where the same traversal continues: `resume(cursor)`. Undefined if the result is complete. */
  readonly cursor: string | undefined
}

type Result<T, Partly> = TraversalCall<Partly extends true ? PartialResult<T> : T>

/** One way through the graph: the ids of its nodes from the start, and the edges between them. */
export interface GraphPath {
  readonly nodes: readonly unknown[]
  readonly edges: readonly Readonly<Record<string, unknown>>[]
}

/** A node that a traversal reached, with its score. */
export interface Ranked<Id> {
  readonly id: Id
  readonly score: number
}

/** A node that a traversal reached, with its score and its row. */
export interface RankedNode<Id, Node> extends Ranked<Id> {
  readonly node: Node
}

/** A node of the tree that a traversal found, with the nodes that were reached from it. */
export interface TreeNode<Id, Edge> {
  readonly id: Id
  readonly depth: number
  /** The edge from the parent; undefined at the start. */
  readonly edge: Edge | undefined
  readonly children: readonly TreeNode<Id, Edge>[]
}

/** The type of a sum of values: bigint for bigints, text for decimals, otherwise number. */
export type FigureOf<Value> = [Value] extends [never]
  ? number
  : NonNullable<Value> extends bigint
    ? bigint
    : NonNullable<Value> extends string
      ? string
      : number

/** The aggregates of a node and all nodes below it. */
export interface Subtree<Id, Row> {
  readonly id: Id
  readonly parent: Id | undefined
  readonly depth: number
  /** The number of nodes in the subtree, its root included. */
  readonly size: number
  /** The exact sums over the subtree. */
  readonly sum: { readonly [K in keyof Row]: FigureOf<Row[K]> }
}

type RowOf<Q> = Q extends Rows<infer Row> ? Row : never

/** A traversal at the nodes `N`, reached by the edges `Edge`. */
export interface Traversal<N extends AnyNode, Edge, Partly extends boolean = false> extends AsyncIterable<NodeRow<N>> {
  /** Follows one kind of edge, or the path to owned nodes. The result has each reached node once. */
  hop<Q, To extends AnyNode>(
    path: Path<N['name'], never, Q, To>,
    refine?: (read: Q) => Q,
  ): Traversal<To, RowOf<Q>, Partly>
  /** Follows one kind of edge several times, breadth first. */
  repeat<Q>(path: Path<N['name'], never, Q, N>, options: RepeatOptions<Q, NodeRow<N>>): Traversal<N, RowOf<Q>, Partly>
  /**
   * Leaves out the nodes that the steps before the last hop reached, whether these steps kept them or not; or the nodes
   * of the start.
   */
  except(nodes: 'visited' | 'start'): this
  /** Keeps the nodes that meet a condition. The nodes are read. */
  filter(condition: Condition<NodeRow<N>>): this
  /** Keeps the nodes that exist. The nodes are read. */
  existing(): this
  /** Keeps so many nodes: after a hop the first in the order of its path, merged over all lists. */
  limit(nodes: number): this
  /** Reads lists and nodes strongly consistently, at twice the units; refused where a path is an index. */
  consistent(): this
  /** Bounds what the traversal may take. */
  budget(options: BudgetOptions & { readonly onBudget: 'partial' }): Traversal<N, Edge, true>
  budget(options: BudgetOptions & { readonly onBudget: 'error' }): Traversal<N, Edge, false>
  budget(options: BudgetOptions): this
  /** Continues a traversal after a partial result: what was read before is not read again. */
  resume(cursor: string | undefined): Traversal<N, Edge, true>
  /** The traversal as plain data. */
  data(): TraversalData
  /** The ids of the reached nodes, each once. The nodes are not read. */
  ids(): Result<NodeId<N>[], Partly>
  /** The reached nodes that exist, each once. */
  nodes(): Result<NodeRow<N>[], Partly>
  /** The edges by which the last hop reached its nodes. */
  edges(): Result<Edge[], Partly>
  /** Every path from the start to a reached node; more than `max`, 10,000 unless set, are refused. */
  paths(options?: { readonly max?: number | undefined }): Result<GraphPath[], Partly>
  /** The reached nodes below the nodes by which they were reached first. */
  tree(): Result<TreeNode<NodeId<N>, Edge>[], Partly>
  /** The number of reached nodes at each distance from the start. */
  depths(): Result<DepthCount[], Partly>
  /** The number of reached nodes. The nodes are not read. */
  count(): Result<number, Partly>
  /** The reached nodes by the number of paths that lead to them, or by the sum of a weight over these paths. */
  rank(options: {
    readonly weight?: keyof Edge | undefined
    readonly limit?: number | undefined
    readonly nodes: true
  }): Result<RankedNode<NodeId<N>, NodeRow<N>>[], Partly>
  rank(options?: {
    readonly weight?: keyof Edge | undefined
    readonly limit?: number | undefined
    readonly nodes?: false | undefined
  }): Result<Ranked<NodeId<N>>[], Partly>
  /** Each node with the size of the subtree below it, and the sums of attributes over it. */
  subtree<const S extends keyof NodeRow<N> & string = never>(options?: {
    readonly sum?: S | readonly S[] | undefined
  }): Result<Subtree<NodeId<N>, Pick<NodeRow<N>, S>>[], Partly>
  /**
   * The count, sum, least, greatest and mean of an attribute, by group: over the reached nodes that exist, or over the
   * edges of the last hop.
   */
  aggregate<K extends keyof NodeRow<N> = never>(options?: {
    readonly over?: 'nodes' | undefined
    readonly by?: keyof NodeRow<N> | undefined
    readonly of?: K | undefined
  }): Result<Aggregate<FigureOf<NodeRow<N>[K]>>[], Partly>
  aggregate<K extends keyof Edge = never>(options: {
    readonly over: 'edges'
    readonly by?: keyof Edge | undefined
    readonly of?: K | undefined
  }): Result<Aggregate<FigureOf<Edge[K]>>[], Partly>
}
