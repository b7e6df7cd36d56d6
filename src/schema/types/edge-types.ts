import type { AnyNode, NodeId } from './node-types.js'
import type { Patch } from './patch.js'
import type { AttributeRow, AttributeRowInput, IsOptional, Names, OutputOf, PropertyOf, Simplify } from './row.js'

/** Any edge, as far as its types are looked into. */
export interface AnyEdge {
  readonly kind: 'edge'
  readonly name: string
  readonly ends: object
  readonly attributes: object
  readonly options: object
}

export interface EdgeEnds {
  readonly [end: string]: AnyNode
}

export type EndIds<E> = { -readonly [K in keyof E]: NodeId<E[K]> }

export type EdgeKeyParts<O> = O extends { readonly key: infer K extends readonly string[] } ? K : readonly []

/** What tells an edge from every other of its type: its ends and its key. */
export type EdgeKey<X> = X extends AnyEdge
  ? Simplify<
      EndIds<X['ends']> & {
        [P in EdgeKeyParts<X['options']>[number] & keyof X['attributes']]: OutputOf<X['attributes'][P]>
      }
    >
  : never

type CarriedFrom<E, Source> = Source extends `${infer End}.${infer Name}`
  ? CopyOf<PropertyOf<PropertyOf<PropertyOf<E, End>, 'attributes'>, Name>>
  : Source extends { readonly from: infer S }
    ? CarriedFrom<E, S> | (Source extends { readonly deleted: 'remove' } ? undefined : never)
    : never

type CopyOf<X> = OutputOf<X> | (IsOptional<X> extends true ? undefined : never)

/**
 * Copies are made when the edge is put, which is refused where their source is absent; what may be undefined there may be
 * missing here. Most edges carry nothing that may be: to part it costs the compiler more.
 */
export type CarriedRow<E, O> = O extends { readonly carry: infer C }
  ? undefined extends CarriedFrom<E, C[keyof C]>
    ? OptionalIfUndefined<{ -readonly [K in keyof C]: CarriedFrom<E, C[K]> }>
    : { -readonly [K in keyof C]: CarriedFrom<E, C[K]> }
  : unknown

type OptionalIfUndefined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** A row of an edge, as it is read: `EdgeRow<typeof role>`. A conditional type, as those of nodes, of which the compiler tells the name where the edge is not known yet. */
export type EdgeRow<X> = X extends AnyEdge
  ? Simplify<EndIds<X['ends']> & AttributeRow<X['attributes']> & CarriedRow<X['ends'], X['options']>>
  : never

/** A row of an edge, as it is given to be written: `EdgeGiven<typeof role>`. */
export type EdgeInput<X> = X extends AnyEdge
  ? Simplify<EndIds<X['ends']> & AttributeRowInput<X['attributes']> & CarriedInput<X['ends'], X['options']>>
  : never

/** Copies in a row that was read. They are held to the nodes that they come from. */
type CarriedInput<E, O> = {
  [K in CarriedNames<O>]?: CarriedFrom<E, PropertyOf<PropertyOf<O, 'carry'>, K>> | undefined
}

type CarriedNames<O> = O extends { readonly carry: infer C } ? keyof C : never

/** What an update of an edge may change: `EdgePatch<typeof role>`. */
export type EdgePatch<X> = X extends AnyEdge ? Patch<X['attributes'], EdgeKeyParts<X['options']>[number]> : never

/** The order in which an end reads its edges: as declared, or by the other end and the key. One edge has none. */
export type OrderOf<O, End, Other extends string> = O extends { readonly one: End }
  ? readonly []
  : O extends { readonly by: { readonly [K in End & string]: { readonly order: infer P extends readonly string[] } } }
    ? P
    : O extends {
          readonly undirected: true
          readonly by: { readonly [K in Other]: { readonly order: infer P extends readonly string[] } }
        }
      ? SwappedOrder<P, End, Other>
      : readonly [Other, ...EdgeKeyParts<O>]

/** What an undirected edge says of its first end, with the ends turned. */
type SwappedOrder<P extends readonly string[], End, Other> = {
  readonly [I in keyof P]: P[I] extends End ? Other & string : P[I] extends Other ? End & string : P[I]
}

export type OtherEnd<E, End> = Exclude<Names<E>, End>
