import { GraphError } from '../../src/schema/error.js'

/** The code with which something is refused; undefined where it is not. */
export function codeOf(work: () => unknown): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    if (error instanceof GraphError) return error.code
    throw error
  }
}
