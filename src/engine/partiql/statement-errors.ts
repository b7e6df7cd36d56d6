import { type ServiceError, validationError } from '../errors.js'

/** The position of a token in a statement, counted from 1. */
export interface TokenPosition {
  readonly line: number
  readonly column: number
  readonly length: number
}

/** Creates the error for a statement that cannot be parsed. The detail is empty if it cannot even be tokenized. */
export const malformedStatementError = (detail = ''): ServiceError =>
  validationError(`Statement wasn't well formed, can't be processed: ${detail}`)

/** Creates the error for a valid statement that the service does not support. */
export const unsupportedStatementError = (detail: string, { line, column, length }: TokenPosition): ServiceError =>
  validationError(`${detail} at ${line}:${column}:${length}`)
