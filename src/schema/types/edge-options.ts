import type { AccessMethod, CopySync, DerivationMode, OnDelete } from '../declarations.js'
import type { AnyEdge, EdgeEnds } from './edge-types.js'
import type { Fault, PathOptionFaults, UnknownOptionFaults } from './fault.js'
import type { IdParts } from './node-types.js'
import type { InputOf, IsMapped, Names, NoOtherNames, OutputOf, PropertyOf } from './row.js'

type OrFault<K, Message extends string> = [K] extends [never] ? Fault<Message> : K

type DerivedKindOf<X> = X extends { readonly '~counter': true }
  ? 'counter'
  : X extends { readonly '~entry': unknown }
    ? 'embedded'
    : 'none'

type NamesByDerivedKind<A> = { [K in keyof A as DerivedKindOf<A[K]>]: K } & NoOtherNames

/**
 * The counters of a node. It is a conditional type, like the next one, so that the compiler resolves it once per node.
 */
type CounterNames<N> = N extends { readonly name: infer Name extends string; readonly attributes: infer A }
  ? OrFault<NamesByDerivedKind<A>['counter'], `${Name} has no counter()`>
  : never

type EmbeddedNames<N> = N extends { readonly name: infer Name extends string; readonly attributes: infer A }
  ? OrFault<NamesByDerivedKind<A>['embedded'], `${Name} has no embedded()`>
  : never

type IsNumber<X> = OutputOf<X> extends number ? (IsMapped<X> extends true ? false : true) : false

type NumberNames<A> = keyof { [K in keyof A as IsNumber<A[K]> extends true ? K : never]: 1 }

/**
 * The name of a number to sum. It is a conditional type, so that an editor completes the numbers of the edge; other
 * strings are checked later.
 */
type SummableName<A> = NumberNames<A> | (string & {})

/** The carried attributes of an edge that hold numbers. */
type CarriedNumbers<E, C> = keyof { [K in keyof C as IsNumberSource<E, C[K]> extends true ? K : never]: 1 }

type IsNumberSource<E, S> = S extends { readonly from: infer From }
  ? IsNumberSource<E, From>
  : S extends `${infer End}.${infer Name}`
    ? IsNumber<PropertyOf<PropertyOf<PropertyOf<E, End>, 'attributes'>, Name>>
    : false

/** How the copies of a mutable attribute are maintained. */
export interface CarryOptions {
  /** The consumer of the stream updates the copies. Both values mean the same. */
  readonly sync?: CopySync
  /** What happens to a copy when its source node is deleted; `keep` by default. */
  readonly deleted?: 'keep' | 'remove'
}

/** Selects the edges to count by their attributes: each attribute has this value, or one of these values. */
export type CountFilter<A> = { readonly [K in keyof A]?: InputOf<A[K]> | readonly InputOf<A[K]>[] }

type OneOrMore<T> = T | Several<T>

/**
 * A list in place of one value. It rules out the members of a single value, which keeps compile errors as short as for
 * a single value.
 */
interface Several<T> extends ReadonlyArray<T> {
  readonly into?: never
  readonly of?: never
  readonly by?: never
  readonly where?: never
}

export interface EdgePathOptions<Part> {
  /** The sort order of a node's edges; by default the other end, then the key of the edge. */
  readonly order?: readonly Part[]
  readonly as?: Exclude<AccessMethod, 'item'>
  readonly shards?: number
}

/** The options of an edge. */
export interface EdgeOptions<E extends EdgeEnds, A> {
  /** Attributes that identify the edge together with its ends. */
  readonly key?: readonly (keyof A)[]
  /** The end whose nodes have at most one edge of this type each. */
  readonly one?: keyof E
  /** The edge has no direction: both ends find it. Options of the first end apply to both ends. */
  readonly undirected?: boolean
  /** Makes the edge a hierarchy: the end that `one` names is the child, the other its parent. Cycles are rejected. */
  readonly tree?: boolean
  /**
   * Makes the edge the closure of a tree: the consumer of the stream writes an edge from each node to each of its
   * ancestors, so that one Query reads all descendants.
   */
  readonly closureOf?: AnyEdge
  /** Attributes of an end that are copied to the edge. */
  readonly carry?: {
    // The union is written out, so that compile errors list the sources instead of a type name.
    readonly [name: string]:
      | { [End in Names<E>]: `${End}.${Names<E[End]['attributes']>}` }[Names<E>]
      | (CarryOptions & { readonly from: { [End in Names<E>]: `${End}.${Names<E[End]['attributes']>}` }[Names<E>] })
  }
  /** Counters of an end that hold the number of its edges. */
  readonly count?: {
    readonly [End in Names<E>]?: OneOrMore<
      | CounterNames<E[End]>
      | { readonly into: CounterNames<E[End]>; readonly by?: DerivationMode; readonly where?: CountFilter<A> }
    >
  }
  /** Counters of an end that hold the sum of an attribute of its edges, or of an attribute that its edges carry. */
  readonly sum?: {
    readonly [End in Names<E>]?: OneOrMore<{
      readonly into: CounterNames<E[End]>
      readonly of: SummableName<A>
      readonly by?: DerivationMode
      readonly where?: CountFilter<A>
    }>
  }
  /** Neighbors in a bounded map inside the item of the node. */
  readonly embed?: { readonly [End in Names<E>]?: { readonly into: EmbeddedNames<E[End]>; readonly max: number } }
  /** How each end reads its edges. */
  readonly by?: { readonly [End in Names<E>]?: EdgePathOptions<keyof A | keyof E> }
  /** What happens to the edge when the node at this end is deleted; `leave` by default. */
  readonly onDelete?: { readonly [End in Names<E>]?: OnDelete }
  /** The attribute with the date after which the edge is deleted. */
  readonly expires?: keyof A
}

type IsFixed<N, Name> =
  HasFixedFlag<PropertyOf<PropertyOf<N, 'attributes'>, Name>> extends true
    ? true
    : Name extends IdParts<N>[number]
      ? true
      : false

type HasFixedFlag<X> = X extends { readonly '~flag': infer F } ? ('immutable' extends F ? true : false) : false

type CarryFault<E, C> = C extends { readonly sync: CopySync }
  ? unknown
  : C extends { readonly from: infer S }
    ? CarryFault<E, S>
    : C extends `${infer End}.${infer Name}`
      ? IsFixed<PropertyOf<E, End>, Name> extends true
        ? unknown
        : Fault<`'${C}' can change: make it immutable(), or say how its copies follow: { from: '${C}', sync: 'eventual' }`>
      : unknown

type Summable<E, A, O> = OrFault<
  NumberNames<A> | (O extends { readonly carry: infer C } ? CarriedNumbers<E, C> : never),
  'the edge has no number to sum'
>

type SumFault<X, Of> = X extends readonly { readonly of: unknown }[]
  ? X[number]['of'] extends Of
    ? unknown
    : // Other options have a place here, so that the compiler complains of this one.
      readonly { readonly of: Of; readonly [option: string]: unknown }[]
  : X extends { readonly of: Of }
    ? unknown
    : { readonly of: Of }

/** The compile errors for options that have a valid shape but contradict the ends or attributes. */
export type EdgeFaults<E, A, O> = UnknownOptionFaults<O, keyof EdgeOptions<never, never>> &
  PathOptionFaults<O, keyof EdgePathOptions<never>> &
  (O extends { readonly carry: infer C }
    ? { readonly carry: { readonly [K in keyof C]: CarryFault<E, C[K]> } }
    : unknown) &
  (O extends { readonly sum: infer S }
    ? { readonly sum: { readonly [End in keyof S]: SumFault<S[End], Summable<E, A, O>> } }
    : unknown)

/** The names of options and of ends for completion: an editor suggests none for a type parameter that has a default. */
export type EdgeNameCompletions<E> = {
  readonly [K in keyof EdgeOptions<never, never>]?: K extends 'by' | 'count' | 'sum' | 'embed' | 'onDelete'
    ? { readonly [End in keyof E]?: unknown }
    : unknown
}
