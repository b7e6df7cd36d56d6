import type { Call } from './random/operation.js'
import type { TableShape } from './random/tables.js'
import type { Outcome, Plain } from './sides/outcome.js'

/** One difference between two sides. */
export interface Difference {
  /**
   * The compared part: `outcome` (success, or the name of the error), `message`, `text` (of a message that is identical
   * everywhere), `reasons` (of a cancelled transaction), `Item` (of a failed condition), a member of the output,
   * `pages` (their number), `left` (items after the round) or `stream`.
   */
  readonly at: string
  readonly ours: Plain | undefined
  readonly theirs: Plain | undefined
}

/** A difference with its context for the analysis. */
export interface Seen extends Difference {
  readonly call: Call
  readonly tables: readonly TableShape[]
  readonly outcomes: { readonly ours: Outcome; readonly theirs: Outcome }
}
