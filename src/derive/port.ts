import type { ChangeRecord } from '../dynamodb/operation-types.js'
import type { Layout } from '../layout/layout.js'

/** The result of handling a batch of records. */
export interface HandleResult {
  readonly applied: number
  readonly skipped: number
  /** Failed records in the order of the batch. Empty if all records succeeded. */
  readonly failures: readonly { readonly record: ChangeRecord; readonly error: unknown }[]
}

/** Whether a value is a consumer, and not a graph or layout to create one from. */
export const isConsumer = (value: object): value is Consumer => 'handle' in Object(value)

/** Handles stream records in any order and any number of times, and updates the derived data. */
export interface Consumer {
  readonly layout: Layout
  /**
   * Handles a batch of records. A record that fails permanently is reported in `failures`, not thrown. Calls for
   * different shards may run concurrently.
   */
  handle(records: readonly ChangeRecord[]): Promise<HandleResult>
}
