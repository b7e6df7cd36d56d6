import type { AccessMethod, CopySync, DerivationMode, OnDelete } from '../declarations.js'
import type { EdgeEnds } from './edge-types.js'
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

/** A conditional type, as the next, which the compiler works out once for each node. */
type CounterNames<N> = N extends { readonly name: infer Name extends string; readonly attributes: infer A }
  ? OrFault<NamesByDerivedKind<A>['counter'], `${Name} has no counter()`>
  : never

type EmbeddedNames<N> = N extends { readonly name: infer Name extends string; readonly attributes: infer A }
  ? OrFault<NamesByDerivedKind<A>['embedded'], `${Name} has no embedded()`>
  : never

type IsNumber<X> = OutputOf<X> extends number ? (IsMapped<X> extends true ? false : true) : false

type NumberNames<A> = keyof { [K in keyof A as IsNumber<A[K]> extends true ? K : never]: 1 }

/** A conditional type, so that an editor completes the numbers of the edge, and any other text is checked later. */
type SummableName<A> = NumberNames<A> | (string & {})

/** The names under which an edge carries numbers. */
type CarriedNumbers<E, C> = keyof { [K in keyof C as IsNumberSource<E, C[K]> extends true ? K : never]: 1 }

type IsNumberSource<E, S> = S extends { readonly from: infer From }
  ? IsNumberSource<E, From>
  : S extends `${infer End}.${infer Name}`
    ? IsNumber<PropertyOf<PropertyOf<PropertyOf<E, End>, 'attributes'>, Name>>
    : false

/** How copies of an attribute that can change are kept. */
export interface CarryOptions {
  /** that the copies follow, by the stream; either word means the same */
  readonly sync?: CopySync
  /** what a copy becomes when its source is deleted: kept unless said */
  readonly deleted?: 'keep' | 'remove'
}

/** Only edges with this value of an attribute of theirs, or one of these. */
export type CountFilter<A> = { readonly [K in keyof A]?: InputOf<A[K]> | readonly InputOf<A[K]>[] }

type OneOrMore<T> = T | Several<T>

/** Several in place of one. What one may have it has not, which keeps the compiler's words about one as short as they would be alone. */
interface Several<T> extends ReadonlyArray<T> {
  readonly into?: never
  readonly of?: never
  readonly by?: never
  readonly where?: never
}

export interface EdgePathOptions<Part> {
  /** what the edges of a node are sorted by; unless said, by the other end and then the key */
  readonly order?: readonly Part[]
  readonly as?: Exclude<AccessMethod, 'item'>
  readonly shards?: number
}

/** What an edge may be told beside its ends and attributes. */
export interface EdgeOptions<E extends EdgeEnds, A> {
  /** parts of the edge's identity beyond its ends */
  readonly key?: readonly (keyof A)[]
  /** each node at this end has at most one such edge */
  readonly one?: keyof E
  /** one fact that both ends find; what is said of the first end holds for both */
  readonly undirected?: boolean
  /** attributes of an end, copied to the edge */
  readonly carry?: {
    // Written out, so that the compiler prints the sources and not a name for them.
    readonly [name: string]:
      | { [End in Names<E>]: `${End}.${Names<E[End]['attributes']>}` }[Names<E>]
      | (CarryOptions & { readonly from: { [End in Names<E>]: `${End}.${Names<E[End]['attributes']>}` }[Names<E>] })
  }
  /** counters of an end that say how many edges it has */
  readonly count?: {
    readonly [End in Names<E>]?: OneOrMore<
      | CounterNames<E[End]>
      | { readonly into: CounterNames<E[End]>; readonly by?: DerivationMode; readonly where?: CountFilter<A> }
    >
  }
  /** counters of an end that add up an attribute of its edges, or one that its edges carry */
  readonly sum?: {
    readonly [End in Names<E>]?: OneOrMore<{
      readonly into: CounterNames<E[End]>
      readonly of: SummableName<A>
      readonly by?: DerivationMode
      readonly where?: CountFilter<A>
    }>
  }
  /** neighbours, in a bounded map inside the node's own item */
  readonly embed?: { readonly [End in Names<E>]?: { readonly into: EmbeddedNames<E[End]>; readonly max: number } }
  /** how each end reads its edges */
  readonly by?: { readonly [End in Names<E>]?: EdgePathOptions<keyof A | keyof E> }
  /** what happens to the edge when the node at this end is deleted: left unless said */
  readonly onDelete?: { readonly [End in Names<E>]?: OnDelete }
  /** the date after which the edge is gone */
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

/** What is wrong with the options beyond their shape. */
export type EdgeFaults<E, A, O> = UnknownOptionFaults<O, keyof EdgeOptions<never, never>> &
  PathOptionFaults<O, keyof EdgePathOptions<never>> &
  (O extends { readonly carry: infer C }
    ? { readonly carry: { readonly [K in keyof C]: CarryFault<E, C[K]> } }
    : unknown) &
  (O extends { readonly sum: infer S }
    ? { readonly sum: { readonly [End in keyof S]: SumFault<S[End], Summable<E, A, O>> } }
    : unknown)

/** The names of options and of ends, to be completed: an editor finds none in options that have a default. */
export type EdgeNameCompletions<E> = {
  readonly [K in keyof EdgeOptions<never, never>]?: K extends 'by' | 'count' | 'sum' | 'embed' | 'onDelete'
    ? { readonly [End in keyof E]?: unknown }
    : unknown
}
