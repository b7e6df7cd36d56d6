import type { GraphError } from '../../schema/error.js'

/** By its name: a schema may be declared by another copy of the package than the one that runs. */
export const isGraphError = (error: unknown): error is GraphError =>
  error instanceof Error && error.name === 'GraphError'
