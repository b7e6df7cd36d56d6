import type { Patch } from './patch.js'
import type { AttributeRow, AttributeRowInput, OutputOf, Simplify } from './row.js'

/** A node of any type. */
export interface AnyNode {
  readonly kind: 'node'
  readonly name: string
  readonly attributes: object
  readonly options: object
}

export type IdParts<N> = N extends { readonly options: { readonly id: infer I } }
  ? I extends readonly string[]
    ? I
    : readonly [I & string]
  : never

/** The id of a node's owner, under the owner's name. It is part of the rows and ids of owned nodes. */
export type OwnerReference<N> = N extends { readonly options: { readonly within: infer W extends AnyNode } }
  ? { [K in W['name']]: NodeId<W> }
  : unknown

/**
 * The id of a node. An id of one part is a scalar; an id of several parts, or the id of an owned node, is an object.
 */
export type NodeId<N> = N extends {
  readonly attributes: infer A
  readonly options: { readonly id: infer I; readonly within: AnyNode }
}
  ? Simplify<OwnerReference<N> & { [K in (I extends readonly string[] ? I[number] : I) & keyof A]: OutputOf<A[K]> }>
  : N extends { readonly attributes: infer A; readonly options: { readonly id: infer I } }
    ? I extends keyof A
      ? OutputOf<A[I]>
      : I extends readonly [infer P extends keyof A]
        ? OutputOf<A[P]>
        : I extends readonly (keyof A)[]
          ? { [K in I[number]]: OutputOf<A[K]> }
          : never
    : never

/** A row of a node as it is read: `NodeRow<typeof movie>`. */
export type NodeRow<N> = N extends { readonly attributes: infer A }
  ? Simplify<OwnerReference<N> & AttributeRow<A>>
  : never

/** A row of a node as it is written: `NodeInput<typeof movie>`. */
export type NodeInput<N> = N extends { readonly attributes: infer A }
  ? Simplify<OwnerReference<N> & AttributeRowInput<A>>
  : never

/** The changes that an update of a node accepts: `NodePatch<typeof movie>`. */
export type NodePatch<N> = N extends { readonly attributes: infer A } ? Patch<A, IdParts<N>[number]> : never
