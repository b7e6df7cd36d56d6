import type { DeclaredEdge } from '../declarations.js'
import type { EdgeFaults, EdgeNameCompletions, EdgeOptions } from '../types/edge-options.js'
import type { EdgeEnds } from '../types/edge-types.js'
import type { Fault } from '../types/fault.js'
import type { Attributes, Names } from '../types/row.js'
import type { StorableFaults } from '../types/storable.js'
import { declareEdge } from './declaration.js'
import type { UntypedEdgeOptions } from './untyped-options.js'

/** A declared type of edge. */
export interface EdgeType<Name extends string, E, A, O> {
  readonly kind: 'edge'
  readonly name: Name
  readonly ends: E
  readonly attributes: A
  readonly options: O
  readonly declared: DeclaredEdge
}

type IsOne<T, All = T> = [T] extends [never] ? false : T extends unknown ? ([All] extends [T] ? true : false) : never

/** Whether each end has exactly one other end. */
type AreTwo<K, All = K> = K extends unknown ? IsOne<Exclude<All, K>> : never

/** The compile error for a number of ends other than two. Ends that are only known as strings are accepted. */
type EndFaults<E> = string extends keyof E
  ? unknown
  : true extends AreTwo<keyof E>
    ? unknown
    : Fault<'an edge has two ends, each a node'>

type ShadowFaults<E, A> = { readonly [K in Names<E> & Names<A>]: Fault<`'${K}' is an end already`> }

/**
 * Declares a type of edge between two named ends. Keys contain its name, so renaming it moves data.
 *
 * @param ends - the node of each end, by the name of the end
 * @throws {edge.ends} if there are not exactly two ends, or an end is not a node
 *
 * @example
 * ```ts
 * import { edge, node, string } from 'edgewise'
 *
 * const actor = node('actor', { name: string() }, { id: 'name' })
 * const movie = node('movie', { title: string() }, { id: 'title' })
 * const role = edge('role', { actor, movie }, { character: string() }, { key: ['character'] })
 * ```
 */
export function edge<
  const Name extends string,
  E extends EdgeEnds,
  A extends Attributes = Record<never, never>,
  const O extends EdgeOptions<E, A> = Record<never, never>,
>(
  name: Name,
  ends: E & EndFaults<E>,
  attributes: A & ShadowFaults<E, A> & StorableFaults<A> = {} as A & ShadowFaults<E, A> & StorableFaults<A>,
  options: O & EdgeFaults<E, A, O> & EdgeNameCompletions<E> = {} as O & EdgeFaults<E, A, O> & EdgeNameCompletions<E>,
): EdgeType<Name, E, A, O> {
  return {
    kind: 'edge',
    name,
    ends,
    attributes,
    options,
    declared: declareEdge(name, ends, attributes, options as UntypedEdgeOptions),
  }
}
