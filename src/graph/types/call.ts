import type { Condition } from './condition.js'

/** A call as the requests that will answer it. */
export interface Explanation {
  readonly steps: readonly unknown[]
  toString(): string
}

export interface Consumed {
  readonly total: number
  readonly table: number
  readonly indexes: Readonly<Record<string, number>>
}

export interface Report<T> {
  readonly value: T
  readonly consumed: Consumed
  readonly requests: number
}

export interface RunOptions {
  readonly signal?: AbortSignal
  readonly deadlineMs?: number
  /** makes the call happen once, however often it is sent */
  readonly token?: string
}

/** A promise that runs when it is awaited. */
export interface Call<T> extends Promise<T> {
  /** The requests and their price, without sending any. */
  explain(sizes?: { readonly itemBytes?: number; readonly items?: number }): Explanation
  /** Runs it, and reports what it took. */
  run(options?: RunOptions): Promise<Report<T>>
}

/** A call of one item: it can be part of a transaction or a batch. */
export interface Single<T> extends Call<T> {
  readonly single: true
}

/** A write that can be held to a condition on the row as it is. */
export interface Removal<Row> extends Single<void> {
  if(condition: Condition<Row>): this
  returning(which: 'old'): Call<Row | undefined>
}

export interface Write<Row> extends Single<void> {
  if(condition: Condition<Row>): this
  returning(which: 'old'): Call<Row | undefined>
  returning(which: 'new'): Call<Row>
}
