import { GraphError } from '../../src/schema/error.js'

/** Returns the code of the GraphError that a function throws; undefined if it does not throw. */
export function codeOf(work: () => unknown): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    if (error instanceof GraphError) return error.code
    throw error
  }
}
