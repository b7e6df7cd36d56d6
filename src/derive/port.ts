import type { ChangeRecord } from '../dynamodb/operations/streams.js'
import type { Layout } from '../layout/layout.js'

/** What became of a batch of records. */
export interface HandleResult {
  readonly applied: number
  readonly skipped: number
  /** In the order of the records; empty where all are done. */
  readonly failures: readonly { readonly record: ChangeRecord; readonly error: unknown }[]
}

/** Whether it takes records itself, and is not what a consumer is made of. */
export const isConsumer = (value: object): value is Consumer => 'handle' in Object(value)

/** Takes records of the stream, in any order and any number of times, and brings what is derived from them up. */
export interface Consumer {
  readonly layout: Layout
  /** A record's own fault is among the failures, never thrown. May be called for several shards at once. */
  handle(records: readonly ChangeRecord[]): Promise<HandleResult>
}
