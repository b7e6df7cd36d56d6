import type { Code } from './codes.js'

/** The details of an error, as far as they are known. */
export interface ErrorDetails {
  /** The type of the node or edge. */
  readonly type?: string
  /** The attribute, end, path or option. */
  readonly name?: string
  /** The path from the type down to the value: `movie.year`. */
  readonly path?: string
  readonly value?: unknown
  /** The index of the call within its transaction. */
  readonly call?: number
  /** The calls of a batch that failed. */
  readonly failed?: readonly { readonly call: number; readonly error: unknown }[]
  /** The differences between the layout of the table and the declared layout. */
  readonly changes?: readonly string[]
  /** The issues that a validator reported. */
  readonly issues?: readonly { readonly message: string }[]
}

/**
 * The error class of edgewise. Its `code` is stable, and its message says what to do.
 *
 * @example
 * ```ts
 * import { GraphError, integer } from 'edgewise'
 *
 * try {
 *   integer({ min: 2, max: 1 })
 * } catch (error) {
 *   if (!(error instanceof GraphError) || error.code !== 'attribute.range') throw error
 * }
 * ```
 */
export class GraphError<Details = ErrorDetails> extends Error {
  override readonly name = 'GraphError'

  constructor(
    readonly code: Code,
    message: string,
    readonly details: Details = {} as Details,
  ) {
    super(message)
  }
}
