import type { Layout } from '../../layout/layout.js'
import type { AnyType, Graph } from '../../schema/graph.js'
import type { AnyEdge } from '../../schema/types/edge-types.js'
import type { AnyNode } from '../../schema/types/node-types.js'
import type { SampledDegree } from '../traversal/sample.js'
import type { Call, ItemCall, RunOptions } from './call.js'
import type { AsyncDisposal } from './disposal.js'
import type { EdgeHandleOf } from './edge-handle.js'
import type { NodeHandleOf } from './node-handle.js'

type HandleOf<X> = X extends AnyEdge ? EdgeHandleOf<X> : X extends AnyNode ? NodeHandleOf<X> : never

export type Handles<T extends AnyType> = { readonly [X in T as X['name']]: HandleOf<X> }

/** Inferred from the same interface that reads answer with: through another the compiler looks into all of it. */
type CallResults<C> = { readonly [K in keyof C]: C[K] extends ItemCall<infer T> ? T : never }

/** Several calls together. */
export interface Session {
  /** All or nothing: reads, or writes, of one item each. */
  $transact<const C extends readonly ItemCall<unknown>[]>(calls: C, options?: RunOptions): Call<CallResults<C>>
  /** Each by itself, in as few requests as they fit in. */
  $batch<const C extends readonly (ItemCall<unknown> & { readonly isCheck?: never })[]>(
    calls: C,
    options?: { readonly progress?: ((done: number, of: number) => void) | undefined },
  ): Call<CallResults<C>>
  /**
   * Counts the edges of some nodes on each path, for `explain({ degrees })` of a traversal. It takes at most so many
   * requests, 100 unless set, for so many nodes of each type, 10 unless set, and stores nothing.
   */
  $sample(options?: {
    readonly requests?: number | undefined
    readonly nodes?: number | undefined
  }): Call<Record<string, SampledDegree>>
}

export interface Closable extends AsyncDisposal {
  /** Ends the handle: calls after it are refused. The store stays open. */
  $close(): Promise<void>
  /** Waits until copies and counters that the stream keeps have all that was written before. */
  $settled(): Promise<void>
  /** where everything lies */
  readonly $layout: Layout
}

/** A graph whose partitions belong to tenants has its handles for each of them. */
export interface Tenants<T extends AnyType> extends Closable {
  /** The handles of one tenant. */
  $tenant(id: string): Handles<T> & Session
}

/** What `open` answers with: a handle for each node and edge, and what goes over several of them. */
export type Opened<T extends AnyType, Tenant extends boolean = false> = Tenant extends true
  ? Tenants<T>
  : Handles<T> & Session & Closable

/** What `open` answers with for a graph, or for its layout: `OpenedOf<typeof cinema>`. */
export type OpenedOf<G> = G extends Graph<infer T, infer Tenant> | Layout<infer T, infer Tenant>
  ? Opened<T, Tenant>
  : never
