import type { Item } from '../../dynamodb/attribute-value.js'
import type { ExplainedStep } from '../../plan/explain.js'
import type { Plan } from '../../plan/plan.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import type { Condition } from './condition.js'

/** A call as the requests that will answer it. */
export interface Explanation {
  readonly steps: readonly ExplainedStep[]
  /** what all of them take: capacity units under `table` and the names of indexes, as in a report */
  readonly total: {
    readonly requests: number
    readonly read: Readonly<Record<string, number>>
    readonly write: Readonly<Record<string, number>>
  }
  toString(): string
}

/** Capacity units, as DynamoDB told them. */
export interface Consumed {
  /** all of them */
  readonly total: number
  readonly table: number
  readonly indexes: Readonly<Record<string, number>>
  /** those of reads, under `table` and the names of indexes, as in a price */
  readonly read: Readonly<Record<string, number>>
  /** those of writes */
  readonly write: Readonly<Record<string, number>>
}

/** The value of a call, and what it took. */
export interface Report<T> {
  readonly value: T
  readonly consumed: Consumed
  /** those that it is made of, without what had to be sent again */
  readonly requests: number
}

/** How a call is run. */
export interface RunOptions {
  /** ends the call with its reason; what was sent may be done */
  readonly signal?: AbortSignalLike | undefined
  /** ends the call when it has taken so long */
  readonly deadlineMs?: number | undefined
  /** of a write: makes it happen once, however often it is sent */
  readonly token?: string
  /** how long that holds; a day unless said */
  readonly tokenTtlSeconds?: number | undefined
  /** the most that this call may take */
  readonly caps?: { readonly requests?: number | undefined; readonly units?: number | undefined } | undefined
  /** of the deletion of a node: told how many edges are deleted with it so far */
  readonly progress?: ((done: number) => void) | undefined
}

/** How an item is read by its identity. */
export interface ReadItemOptions {
  /** strongly consistent: it costs twice as much */
  readonly consistent?: boolean | undefined
}

/** A promise that runs when it is awaited. */
export interface Call<T> extends Promise<T> {
  /** The requests as data, to be looked at, printed or kept as a snapshot. */
  plan(): Plan
  /**
   * The requests and their price, without sending any: for so many items that a read finds, of that size; of a write
   * exactly, given the items that are there of all that it reads and writes.
   */
  explain(sizes?: {
    readonly itemBytes?: number | undefined
    readonly items?: number | undefined
    readonly existing?: readonly Item[] | undefined
  }): Explanation
  /** Runs it, and reports what it took. */
  run(options?: RunOptions): Promise<Report<T>>
}

/** A call of one item: it can be part of a transaction or a batch. */
export interface ItemCall<T> extends Call<T> {
  readonly single: true
}

/** A condition on a row, to which the other writes of a `$transact` are held. */
export interface Check extends ItemCall<void> {
  /** in types only */
  readonly isCheck: true
}

/** A write that can be held to a condition on the row as it is. */
export interface DeleteCall<Row> extends ItemCall<void> {
  /** Only if the row as it is meets the condition. */
  if(condition: Condition<Row>): this
  /** only if nobody has written it since it was read: see etagOf() */
  ifEtag(etag: string): this
  /** Answers with the row as it was. */
  returning(which: 'old'): Call<Row | undefined>
}

export interface Write<Row> extends ItemCall<void> {
  /** Only if the row as it is meets the condition. */
  if(condition: Condition<Row>): this
  /** only if nobody has written it since it was read: see etagOf() */
  ifEtag(etag: string): this
  /** Answers with the row as it was. */
  returning(which: 'old'): Call<Row | undefined>
  /** Answers with the row as it is then. */
  returning(which: 'new'): ReturningNew<Row>
}

/** A write that answers with the row as it is then; where its token tells that it was done before, with nothing. */
export interface ReturningNew<Row> extends Call<Row> {
  run(options: RunOptions & { readonly token: string }): Promise<Report<Row | undefined>>
  run(options?: RunOptions): Promise<Report<Row>>
}

/** A write of a whole edge. */
export interface EdgeWrite<Row> extends Write<Row> {
  /** only if the nodes at both ends are there */
  checkingEnds(): this
}

/** A write that changes a row, or creates it. It can take two requests, so it is no part of `$transact` or `$batch`. */
export interface Upsert<Row> extends Call<void> {
  /** Where it is there, it is changed only if it meets the condition. */
  if(condition: Condition<Row>): this
  /** Answers with the row as it was, undefined where it is made. */
  returning(which: 'old'): Call<Row | undefined>
  /** Answers with the row as it is then. */
  returning(which: 'new'): Call<Row>
}
