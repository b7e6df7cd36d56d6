import type { Fault } from './fault.js'
import type { AnyNode, NodeId } from './node-types.js'
import type { Patch } from './patch.js'
import type { AttributeRow, AttributeRowInput, IsOptional, Names, OutputOf, PropertyOf, Simplify } from './row.js'

/** An edge of any type. */
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

/** The key of an edge: the ids of its ends and its own key attributes. */
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
 * The carried attributes of a row. A put fails without the source node, so a copy is missing only where its source may
 * be undefined. Few edges carry an optional attribute, and splitting the row for all edges costs the compiler more.
 */
export type CarriedRow<E, O> = O extends { readonly carry: infer C }
  ? undefined extends CarriedFrom<E, C[keyof C]>
    ? OptionalIfUndefined<{ -readonly [K in keyof C]: CarriedFrom<E, C[K]> }>
    : { -readonly [K in keyof C]: CarriedFrom<E, C[K]> }
  : unknown

type OptionalIfUndefined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/**
 * A row of an edge as it is read: `EdgeRow<typeof role>`. It is a conditional type, so that compile errors show its
 * name while the edge is still a type parameter.
 */
export type EdgeRow<X> = X extends AnyEdge
  ? Simplify<EndIds<X['ends']> & AttributeRow<X['attributes']> & CarriedRow<X['ends'], X['options']>>
  : never

/** A row of an edge as it is written: `EdgeInput<typeof role>`. */
export type EdgeInput<X> = X extends AnyEdge
  ? IsClosure<X['options']> extends true
    ? Fault<'the stream consumer writes a closure; write its tree instead'>
    : Simplify<EndIds<X['ends']> & AttributeRowInput<X['attributes']> & CarriedInput<X['ends'], X['options']>>
  : never

/** Whether these are the options of a closure. Options of the type `never` are not. */
type IsClosure<O> = ['closureOf', keyof O] extends [keyof O, 'closureOf' | 'by'] ? true : false

/** The copies in a row that was read. A write compares them with the source nodes. */
type CarriedInput<E, O> = {
  [K in CarriedNames<O>]?: CarriedFrom<E, PropertyOf<PropertyOf<O, 'carry'>, K>> | undefined
}

type CarriedNames<O> = O extends { readonly carry: infer C } ? keyof C : never

/** The changes that an update of an edge accepts: `EdgePatch<typeof role>`. */
export type EdgePatch<X> = X extends AnyEdge ? Patch<X['attributes'], EdgeKeyParts<X['options']>[number]> : never

/**
 * The order in which an end reads its edges: the declared order, or the other end and then the key. An end with one
 * edge has no order.
 */
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

/** The order of an undirected edge's first end, with the ends swapped. */
type SwappedOrder<P extends readonly string[], End, Other> = {
  readonly [I in keyof P]: P[I] extends End ? Other & string : P[I] extends Other ? End & string : P[I]
}

export type OtherEnd<E, End> = Exclude<Names<E>, End>
