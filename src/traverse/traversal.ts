import type { PathRead } from '../plan/read/options.js'
import type { NodeTest } from './node-test.js'

/** A node within a traversal. `key` is the same text for the same id, and differs for any two ids of a type. */
export interface NodeRef {
  readonly type: string
  readonly id: unknown
  readonly key: string
}

/** One kind of adjacency list: the path that reads it, and the nodes on both sides of the path. */
export interface Hop {
  /** The edge, or the owned node, and its path: `follow` and `follower`. */
  readonly type: string
  readonly path: string
  /** The part of the path that takes the owner. Undefined if the path has the name of the node that it starts at. */
  readonly owner?: string | undefined
  /** The type of the nodes that the path starts at, and of those that it reaches. */
  readonly start: string
  readonly reached: string
  /** The end of the edge at the reached node. Undefined for owned nodes: their rows are the reached nodes. */
  readonly end: string | undefined
  /** The options of the read of each list: `where`, `filter`, `reverse`, `limit`. */
  readonly read: Omit<PathRead, 'type' | 'path'> & { readonly consistent?: boolean | undefined }
}

/** The condition for a node to stay in a layer. `read` alone keeps the nodes that exist. */
export interface NodeCheck {
  readonly read: boolean
  readonly test?: NodeTest | undefined
}

/** A step of a traversal as plain data. */
export type TraversalStep =
  | { readonly kind: 'hop'; readonly hop: Hop; readonly check: NodeCheck }
  | {
      readonly kind: 'repeat'
      readonly hop: Hop
      readonly check: NodeCheck
      readonly minDepth: number
      readonly maxDepth: number
      /** `once`: breadth first, each node at its least depth. `simple`: every path that visits no node twice. */
      readonly visits: 'once' | 'simple'
      /** Nodes that match are reached, and not followed further. */
      readonly until?: NodeTest | undefined
    }
  | { readonly kind: 'except'; readonly nodes: 'visited' | 'start' }
  | { readonly kind: 'filter'; readonly type: string; readonly check: NodeCheck }
  | { readonly kind: 'limit'; readonly nodes: number }

/** Where a traversal begins, and its steps: plain data, which can be printed, stored and priced. */
export interface TraversalData {
  readonly type: string
  readonly start: readonly NodeRef[]
  readonly check: NodeCheck
  readonly steps: readonly TraversalStep[]
  /** Whether lists and nodes are read strongly consistently. */
  readonly consistent?: boolean | undefined
}

/** The most that a traversal may take. */
export interface Budget {
  readonly requests: number
  /** Capacity units that are read. */
  readonly units?: number | undefined
  /** Distinct nodes that are reached. */
  readonly nodes?: number | undefined
  /** Edges that are followed. */
  readonly edges?: number | undefined
  /** Paths that `visits: 'simple'` follows: 100,000 unless set. */
  readonly paths?: number | undefined
}

export const DEFAULT_BUDGET_REQUESTS = 100
/** Some 40 MB of memory. The number of simple paths grows with the factorial of the nodes, without any request. */
export const DEFAULT_BUDGET_PATHS = 100_000

/** The units of the largest page of a Query: 1 MB, and the item of 400 KB that ends it; and of a batch, 16 MB. */
export const PAGE_UNITS = 175
export const BATCH_UNITS = 2_048
