import type { Layout } from '../../layout/layout.js'
import type { AnyType, Graph } from '../../schema/graph.js'
import type { AnyEdge } from '../../schema/types/edge-types.js'
import type { AnyNode } from '../../schema/types/node-types.js'
import type { SampledDegree } from '../traversal/sample.js'
import type { Call, ItemCall, RunOptions } from './call.js'
import type { AsyncDisposal } from './disposal.js'
import type { EdgeHandleOf } from './edge-handle.js'
import type { NodeHandleOf } from './node-handle.js'
import type { Traversal } from './traversal.js'

type HandleOf<X> = X extends AnyEdge ? EdgeHandleOf<X> : X extends AnyNode ? NodeHandleOf<X> : never

/** The handles of a graph, by the names of its nodes and edges. */
export type Handles<T extends AnyType> = { readonly [X in T as X['name']]: HandleOf<X> }

/**
 * Inference from the interface of the results is cheap; from a different interface the compiler would compare all
 * members.
 */
type CallResults<C> = { readonly [K in keyof C]: C[K] extends ItemCall<infer T> ? T : never }

/** Calls that combine several others. */
export interface Session {
  /** Runs reads, or writes, of one item each in one transaction. */
  $transact<const C extends readonly ItemCall<unknown>[]>(calls: C, options?: RunOptions): Call<CallResults<C>>
  /** Runs independent calls in the fewest requests. */
  $batch<const C extends readonly (ItemCall<unknown> & { readonly isCheck?: never })[]>(
    calls: C,
    options?: { readonly progress?: ((done: number, of: number) => void) | undefined },
  ): Call<CallResults<C>>
  /**
   * Restores a traversal from the data that `data()` returned, to run, price or continue it. The data is checked
   * against the graph.
   * @throws {call.argument} the data is not a traversal of this graph
   */
  $traversal(data: unknown): Traversal<AnyNode, Readonly<Record<string, unknown>>>
  /**
   * Counts the edges of some nodes on each path, for `explain({ degrees })` of a traversal. It sends at most
   * `requests` requests (100 by default) for `nodes` nodes of each type (10 by default), and stores nothing.
   */
  $sample(options?: {
    readonly requests?: number | undefined
    readonly nodes?: number | undefined
  }): Call<Record<string, SampledDegree>>
}

/** An opened graph that can be closed. `await using` closes it too. */
export interface Closable extends AsyncDisposal {
  /** Closes the handle. Later calls are rejected. The store stays open. */
  $close(): Promise<void>
  /** Waits until the copies and counters that the stream maintains include all earlier writes. */
  $settled(): Promise<void>
  /** the layout of the table */
  readonly $layout: Layout
}

/** A graph with partitions per tenant, which has separate handles for each tenant. */
export interface Tenants<T extends AnyType> extends Closable {
  /** Returns the handles of one tenant. */
  $tenant(id: string): Handles<T> & Session
}

/** The result of `open`: a handle for each node and edge, and calls that combine several of them. */
export type Opened<T extends AnyType, Tenant extends boolean = false> = Tenant extends true
  ? Tenants<T>
  : Handles<T> & Session & Closable

/** The result of `open` for a graph or a layout: `OpenedOf<typeof cinema>`. */
export type OpenedOf<G> = G extends Graph<infer T, infer Tenant> | Layout<infer T, infer Tenant>
  ? Opened<T, Tenant>
  : never
