import { rejectDeclarationIf } from '../checks/assertions.js'
import { GraphError } from '../error.js'

/** Refuses what has not the functions that it needs, before anything is written that cannot be read. */
export function checkFunctions(owner: string, functions: object | undefined, ...names: readonly string[]): void {
  for (const name of names)
    rejectDeclarationIf(
      owner,
      typeof functions?.[name as never] !== 'function',
      'call.given',
      name,
      `give '${name}' as a function`,
    )
}

/** What a function makes that the user wrote. It may throw anything, which is told with the place of the value. */
export function callUserFunction<R>(call: () => R, code: 'value.check' | 'stored.type', path: string): R {
  try {
    return call()
  } catch (error) {
    if (error instanceof GraphError) throw error
    const message = error instanceof Error ? error.message : String(error)
    throw new GraphError(code, `${path}: ${message}`, { path, issues: [{ message }] })
  }
}
