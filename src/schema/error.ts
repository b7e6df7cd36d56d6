import type { Code } from './codes.js'

/** What an error is about, where that is known. */
export interface ErrorDetails {
  /** the node or the edge */
  readonly type?: string
  /** the attribute, the end, the path or the option */
  readonly name?: string
  /** from the type down to the value: `movie.year` */
  readonly path?: string
  readonly value?: unknown
  /** which of the calls of a transaction */
  readonly call?: number
  /** the calls of a batch that were not done */
  readonly failed?: readonly { readonly call: number; readonly error: unknown }[]
  /** how the layout of the table differs from the declared one */
  readonly changes?: readonly string[]
  /** what a validator said */
  readonly issues?: readonly { readonly message: string }[]
}

/** The one error of edgewise. Its code is stable, its message says what to do. */
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
