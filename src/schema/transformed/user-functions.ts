import { rejectDeclarationIf } from '../checks/assertions.js'
import { GraphError } from '../error.js'

/** Rejects missing functions at the declaration, before a write stores values that cannot be read. */
export function checkFunctions(owner: string, functions: object | undefined, ...names: readonly string[]): void {
  for (const name of names)
    rejectDeclarationIf(
      owner,
      typeof functions?.[name as never] !== 'function',
      'call.argument',
      name,
      `'${name}' is not a function; give a function.`,
    )
}

/** Returns the result of a user's function. Errors that it throws are wrapped with the path of the value. */
export function callUserFunction<R>(call: () => R, code: 'value.check' | 'stored.type', path: string): R {
  try {
    return call()
  } catch (error) {
    if (error instanceof GraphError) throw error
    const message = error instanceof Error ? error.message : String(error)
    const advice =
      code === 'value.check' ? 'give a value that it accepts' : 'correct the stored item, or its declaration'
    throw new GraphError(code, `${path}: a function of the attribute failed (${message}); ${advice}.`, {
      path,
      issues: [{ message }],
    })
  }
}
