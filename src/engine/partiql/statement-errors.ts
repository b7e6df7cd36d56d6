import { type ServiceError, validationError } from '../errors.js'

/** Where a token stands in a statement, counted from 1. */
export interface TokenPosition {
  readonly line: number
  readonly column: number
  readonly length: number
}

/** What the service says of a statement that it cannot read; of what it cannot even split into tokens it says no more. */
export const malformedStatementError = (detail = ''): ServiceError =>
  validationError(`Statement wasn't well formed, can't be processed: ${detail}`)

/** What it says of one that it can read and does not run. */
export const unsupportedStatementError = (detail: string, { line, column, length }: TokenPosition): ServiceError =>
  validationError(`${detail} at ${line}:${column}:${length}`)
