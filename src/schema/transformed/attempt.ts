import { GraphError } from '../error.js'

/** What a function makes that the user wrote. It may throw anything, which is told with the place of the value. */
export function attempt<R>(made: () => R, code: 'value.check' | 'stored.type', path: string): R {
  try {
    return made()
  } catch (error) {
    if (error instanceof GraphError) throw error
    const message = error instanceof Error ? error.message : String(error)
    throw new GraphError(code, `${path}: ${message}`, { path, issues: [{ message }] })
  }
}
