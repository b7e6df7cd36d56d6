import type { GraphError } from '../../schema/error.js'

/**
 * Whether an error is a `GraphError`. Compares the name, because another copy of the package may have created the
 * error.
 */
export const isGraphError = (error: unknown): error is GraphError =>
  error instanceof Error && error.name === 'GraphError'
