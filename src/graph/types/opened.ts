import type { Layout } from '../../layout/layout.js'
import type { AnyType, Graph } from '../../schema/graph.js'
import type { AnyNode } from '../../schema/types/identity.js'
import type { AnyEdge } from '../../schema/types/neighbours.js'
import type { Call, RunOptions, Single } from './call.js'
import type { EdgeHandleOf } from './edge-handle.js'
import type { NodeHandleOf } from './node-handle.js'

type HandleOf<X> = X extends AnyEdge ? EdgeHandleOf<X> : X extends AnyNode ? NodeHandleOf<X> : never

export type Handles<T extends AnyType> = { readonly [X in T as X['name']]: HandleOf<X> }

type Answers<C> = { readonly [K in keyof C]: C[K] extends Call<infer T> ? T : never }

export interface Session {
  /** All or nothing: reads, or writes, of one item each. */
  $transact<const C extends readonly Single<unknown>[]>(calls: C, options?: RunOptions): Call<Answers<C>>
  /** Each by itself, in as few requests as they fit in. */
  $batch<const C extends readonly Single<unknown>[]>(
    calls: C,
    options?: { readonly progress?: (done: number, of: number) => void },
  ): Call<Answers<C>>
}

export interface Closing extends AsyncDisposable {
  $close(): Promise<void>
  /** where everything lies */
  readonly $layout: Layout
}

/** A graph whose partitions belong to tenants has its handles for each of them. */
export interface Tenants<T extends AnyType> extends Closing {
  $tenant(id: string): Handles<T> & Session
}

export type Opened<T extends AnyType, Tenant extends boolean = false> = Tenant extends true
  ? Tenants<T>
  : Handles<T> & Session & Closing

export type OpenedOf<G> = G extends Graph<infer T, infer Tenant> ? Opened<T, Tenant> : never
