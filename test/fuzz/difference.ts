import type { Call } from './random/operation.js'
import type { TableShape } from './random/tables.js'
import type { Outcome, Plain } from './sides/outcome.js'

/** One thing in which two sides differ. */
export interface Difference {
  /**
   * Where: `outcome` (answered, or the name of the refusal), `message`, `text` (of a
   * message that has one text everywhere), `reasons` (of a cancelled transaction), `Item`
   * (with a failed condition), a member of the answer, `pages` (their number), `left` (items after the round) or
   * `stream`.
   */
  readonly at: string
  readonly ours: Plain | undefined
  readonly theirs: Plain | undefined
}

/** A difference with all that surrounds it, for whoever judges it. */
export interface Seen extends Difference {
  readonly call: Call
  readonly tables: readonly TableShape[]
  readonly outcomes: { readonly ours: Outcome; readonly theirs: Outcome }
}
