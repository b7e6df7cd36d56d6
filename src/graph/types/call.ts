import type { Item } from '../../dynamodb/attribute-value.js'
import type { ExplainedStep } from '../../plan/explain.js'
import type { PricedPlan } from '../../plan/price/plan-price.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import type { Condition } from './condition.js'

/** The planned requests of a call and their price. */
export interface Explanation {
  readonly steps: readonly ExplainedStep[]
  /** their total: capacity units under `table` and the names of indexes, as in a report */
  readonly total: {
    readonly requests: number
    readonly read: Readonly<Record<string, number>>
    readonly write: Readonly<Record<string, number>>
  }
  toString(): string
}

/** Capacity units as reported by DynamoDB. */
export interface Consumed {
  /** the sum of all units */
  readonly total: number
  readonly table: number
  readonly indexes: Readonly<Record<string, number>>
  /** units of reads, under `table` and the names of indexes, as in a price */
  readonly read: Readonly<Record<string, number>>
  /** units of writes */
  readonly write: Readonly<Record<string, number>>
}

/** The value of a call, and the requests and units that it took. */
export interface Report<T> {
  readonly value: T
  readonly consumed: Consumed
  /** the number of requests, without retries */
  readonly requests: number
}

/** Options for running a call. */
export interface RunOptions {
  /** ends the call with the signal's reason; writes that were already sent may still be applied */
  readonly signal?: AbortSignalLike | undefined
  /** aborts the call after this many milliseconds */
  readonly deadlineMs?: number | undefined
  /** of a write: an idempotency token; a repeated call with the same token has no effect */
  readonly token?: string
  /** the lifetime of the token; one day by default */
  readonly tokenTtlSeconds?: number | undefined
  /** the limits of this call */
  readonly caps?: { readonly requests?: number | undefined; readonly units?: number | undefined } | undefined
  /** of a node's deletion: called with the number of edges deleted so far */
  readonly progress?: ((done: number) => void) | undefined
}

/** Options for reading an item by its identity. */
export interface ReadItemOptions {
  /** reads with strong consistency, at twice the price */
  readonly consistent?: boolean | undefined
}

/** A promise that runs when it is awaited. */
export interface Call<T> extends Promise<T> {
  /** Returns the requests as data, for inspection, logs or snapshot tests. */
  plan(): PricedPlan
  /**
   * Returns the requests and their price without sending a request. The price of a read assumes this number and size
   * of items. The price of a write is exact when `existing` has all items that the write reads and writes.
   */
  explain(sizes?: {
    readonly itemBytes?: number | undefined
    readonly items?: number | undefined
    readonly existing?: readonly Item[] | undefined
  }): Explanation
  /** Runs the call and reports the requests and units that it took. */
  run(options?: RunOptions): Promise<Report<T>>
}

/** A call of one item, which can be part of a transaction or a batch. */
export interface ItemCall<T> extends Call<T> {
  readonly single: true
}

/** A condition on a row. The writes of a `$transact` are applied only if the condition holds. */
export interface Check extends ItemCall<void> {
  /** exists only in types */
  readonly isCheck: true
}

/** A write with an optional condition on the current row. */
export interface DeleteCall<Row> extends ItemCall<void> {
  /** Applies the write only if the current row meets the condition. */
  if(condition: Condition<Row>): this
  /** Applies the write only if the row is unchanged since it was read: see `etagOf`. */
  ifEtag(etag: string): this
  /** Resolves to the row before the write. */
  returning(which: 'old'): Call<Row | undefined>
}

/** A write of a whole row. It is lazy like every {@link Call}, and can be part of a transaction or a batch. */
export interface Write<Row> extends ItemCall<void> {
  /** Applies the write only if the current row meets the condition. */
  if(condition: Condition<Row>): this
  /** Applies the write only if the row is unchanged since it was read: see `etagOf`. */
  ifEtag(etag: string): this
  /** Resolves to the row before the write. */
  returning(which: 'old'): Call<Row | undefined>
  /** Resolves to the row after the write. */
  returning(which: 'new'): ReturningNew<Row>
}

/**
 * A write that resolves to the row after the write. It resolves to undefined when its token shows that it was applied
 * before.
 */
export interface ReturningNew<Row> extends Call<Row> {
  run(options: RunOptions & { readonly token: string }): Promise<Report<Row | undefined>>
  run(options?: RunOptions): Promise<Report<Row>>
}

/** A write of a whole edge. */
export interface EdgeWrite<Row> extends Write<Row> {
  /** Applies the write only if the nodes at both ends exist. */
  checkingEnds(): this
}

/**
 * A write that changes a row, or creates it. It can take two requests, so `$transact` and `$batch` do not accept it.
 */
export interface Upsert<Row> extends Call<void> {
  /** Changes an existing row only if it meets the condition. */
  if(condition: Condition<Row>): this
  /** Resolves to the row before the write, or undefined when the call created the row. */
  returning(which: 'old'): Call<Row | undefined>
  /** Resolves to the row after the write. */
  returning(which: 'new'): Call<Row>
}
