import { type Attribute, createAttribute } from '../attribute.js'
import { GraphError } from '../error.js'
import type { StandardSchema } from '../standard-schema.js'
import { number } from './number.js'
import { declarationOf } from './validated.js'

/** A value that a batch job computes. It is read, never written, and absent before the first job. */
export interface Summary<T> extends StandardSchema<T> {
  readonly declared: Attribute<T>['declared']
  readonly '~flag': 'derived' | 'optional'
  readonly '~summary': true
}

/**
 * A value that a batch job computes over the whole graph, such as a rank or a recommendation. Other writes neither set
 * nor lose it, and paths of nodes can be sorted by one that is stored as a number or a text.
 *
 * @param of The kind of the value; a number by default.
 * @throws {attribute.element} if the kind is optional, immutable, derived or has a default.
 *
 * @example
 * ```ts
 * import { node, string, summary } from 'edgewise'
 *
 * const user = node('user', { id: string(), rank: summary() }, { id: 'id', by: { rank: { order: ['rank'] } } })
 * ```
 */
export function summary(): Summary<number>
export function summary<T>(of: Attribute<T>): Summary<T>
export function summary(of: Attribute<unknown> = number()): Summary<unknown> {
  const declared = declarationOf(of, 'summary()')
  const { kind, type, optional, immutable, derived, fallback, recomputation, storedAs } = declared
  if (optional || immutable || derived || fallback || recomputation || storedAs)
    throw new GraphError(
      'attribute.element',
      `summary(): the ${kind}() has a modifier of its own; give a plain kind, such as number() or list(string()).`,
    )
  const unchanged = (value: unknown) => value
  const made: unknown = createAttribute({
    kind: 'summary',
    type,
    derived: true,
    optional: true,
    mapped: { inner: declared, write: unchanged, read: unchanged },
    encode: declared.encode,
    decode: declared.decode,
  })
  return made as Summary<unknown>
}
