import type { DeclaredEdge, DeclaredNode } from '../declarations.js'

/** An edge type that is the closure of a tree, which only the consumer of the stream writes. */
export type DeclaredClosure = DeclaredEdge & { readonly closureOf: string }

export const isClosure = (type: DeclaredNode | DeclaredEdge): type is DeclaredClosure =>
  type.kind === 'edge' && type.closureOf !== undefined
