import type { AnyType } from '../../schema/graph.js'
import type { AnyEdge } from '../../schema/types/edge-types.js'
import type { Fault } from '../../schema/types/fault.js'
import type { AnyNode } from '../../schema/types/node-types.js'
import type { Names } from '../../schema/types/row.js'

/** The slots that a template names. A doubled brace is a literal brace. */
type Placeholders<S> = S extends `${infer Head}{{${infer Tail}`
  ? Placeholders<Head> | Placeholders<Tail>
  : S extends `${string}{${infer Slot}}${infer Rest}`
    ? Slot | Placeholders<Rest>
    : never

type IdNames<I> = I extends readonly (infer P extends string)[] ? P : I & string

type OwnerSlots<O> = O extends { readonly within: infer W extends AnyNode } ? ReferenceSlots<W['name'], W> : never

/** The slots that refer to a node: its name alone if the id has one part, otherwise the name before each part. */
type ReferenceSlots<Name extends string, N extends AnyNode> = N['options'] extends { readonly within: AnyNode }
  ? `${Name}.${IdSlots<N['options']>}`
  : N['options'] extends { readonly id: string | readonly [string] }
    ? Name
    : `${Name}.${IdSlots<N['options']>}`

type IdSlots<O> = O extends { readonly id: infer I } ? IdNames<I> | OwnerSlots<O> : never

type EndSlots<E> = { [K in Names<E>]: E[K] extends AnyNode ? ReferenceSlots<K, E[K]> : never }[Names<E>]

type CarriedSlots<O> = O extends { readonly carry: infer C } ? Names<C> : never

type DeclaredSlots<X> =
  | 'shard'
  | 'tenant'
  | (X extends AnyEdge
      ? Names<X['attributes']> | EndSlots<X['ends']> | CarriedSlots<X['options']>
      : X extends AnyNode
        ? Names<X['attributes']> | OwnerSlots<X['options']>
        : never)

/**
 * The name `mirror` for an edge that has one: an end declares it, or the stream maintains data at an end that declares
 * no other access method. A tree has one if the graph has a closure of it, which `layout()` checks.
 */
type MirrorKindName<O> = O extends { readonly undirected: true } | { readonly tree: true }
  ? 'mirror'
  : Extract<
        OptionValues<O, 'by'> | OptionValues<O, 'carry'> | OptionValues<O, 'count'> | OptionValues<O, 'sum'>,
        { readonly as: 'mirror' } | { readonly sync: string } | { readonly by: 'stream' }
      > extends never
    ? never
    : 'mirror'

type OptionValues<O, Option extends string> = O extends { readonly [K in Option]: infer S }
  ? ElementOf<S[keyof S]>
  : never

/** An end may have several counters. */
type ElementOf<S> = S extends readonly (infer One)[] ? One : S

type FacetKindNames<O> = O extends { readonly by: infer B }
  ? { [P in Names<B>]: B[P] extends { readonly as: 'item' } ? `by.${P}` : never }[Names<B>]
  : never

type UniqueKindNames<O> = O extends { readonly unique: readonly (infer U extends string)[] } ? `unique.${U}` : never

/** The names under which custom keys list the other kinds of items of a type. */
type OtherKindNames<X> = X extends AnyEdge
  ? MirrorKindName<X['options']>
  : X extends AnyNode
    ? FacetKindNames<X['options']> | UniqueKindNames<X['options']>
    : never

type TemplateFault<X, Name extends string, S> = [Exclude<Placeholders<S>, DeclaredSlots<X>>] extends [never]
  ? unknown
  : Fault<`{${Exclude<Placeholders<S>, DeclaredSlots<X>>}} is not in ${Name}`>

type TypeFaults<X, Name extends string, K> = {
  readonly [P in keyof K]: K[P] extends string
    ? TemplateFault<X, Name, K[P]>
    : P extends OtherKindNames<X>
      ? { readonly [Q in keyof K[P]]: TemplateFault<X, Name, K[P][Q]> }
      : string extends P
        ? unknown
        : Fault<`${Name} has no '${P & string}'`>
}

/** The types of a graph by name. The compiler builds it once, instead of searching the types for each key. */
type TypesByName<T extends AnyType> = { readonly [X in T as X['name']]: X }

/**
 * The compile errors of custom keys: an unknown type, kind of item or slot. Keys that are only known as strings are
 * accepted.
 */
export type KeyTemplateFaults<T extends AnyType, K> = {
  readonly [N in keyof K]: N extends T['name']
    ? TypeFaults<TypesByName<T>[N], N, K[N]>
    : string extends N
      ? unknown
      : Fault<`there is no ${N & string}`>
}
