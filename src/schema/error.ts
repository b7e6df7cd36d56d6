import type { Code } from './codes.js'
import type { DetailsByCode } from './error-details.js'

/** All codes that begin with the same word, as in `'write.*'`. */
export type CodeGroup = Code extends `${infer Group}.${string}` ? `${Group}.*` : never

/** The codes that a code or a group of codes stands for. */
export type CodesIn<P extends Code | CodeGroup> = P extends `${infer Group}.*`
  ? Extract<Code, `${Group}.${string}`>
  : P & Code

/** The details are required for the codes that always have some. */
type DetailsArgument<C extends Code> =
  Record<never, never> extends DetailsByCode[C] ? [details?: DetailsByCode[C]] : [details: DetailsByCode[C]]

/**
 * The error class of edgewise. Its `code` is stable, its message says what to do, and the type of its `details` follows
 * from the code.
 *
 * @example
 * ```ts
 * import { GraphError, integer } from 'edgewise'
 *
 * try {
 *   integer({ min: 2, max: 1 })
 * } catch (error) {
 *   if (!GraphError.is(error, 'attribute.range')) throw error
 *   console.log(error.message)
 * }
 * ```
 */
export class GraphError<C extends Code = Code> extends Error {
  override readonly name = 'GraphError'
  readonly details: DetailsByCode[C]

  constructor(
    readonly code: C,
    message: string,
    ...[details]: DetailsArgument<C>
  ) {
    super(message)
    this.details = details ?? ({} as DetailsByCode[C])
  }

  /**
   * Whether a value is a `GraphError`, with a certain code or with any code of a group. It narrows `code` and `details`,
   * and recognizes the errors of another installed copy of edgewise too.
   *
   * @param error - any caught value
   * @param code - a code, or a group such as `'write.*'`; any code by default
   *
   * @example
   * ```ts
   * import { GraphError, graph, node, open, string } from 'edgewise'
   * import { memory } from 'edgewise/engine'
   *
   * const g = await open(graph('app', [node('user', { name: string() }, { id: 'name' })]), memory())
   * await g.user.create({ name: 'Ann' })
   * try {
   *   await g.user.create({ name: 'Ann' })
   * } catch (error) {
   *   if (GraphError.is(error, 'write.exists')) console.log('taken:', error.details.value)
   *   else if (GraphError.is(error, 'write.*')) console.log('refused:', error.code)
   *   else throw error
   * }
   * ```
   */
  static is<P extends Code | CodeGroup = Code>(error: unknown, code?: P): error is GraphError<CodesIn<P>> {
    if (!(error instanceof Error) || error.name !== 'GraphError') return false
    const { code: actual } = error as GraphError
    if (code === undefined || code === actual) return true
    return code.endsWith('.*') && actual.startsWith(code.slice(0, -1))
  }
}
