import type { PathOptions } from '../checks/attributes.js'
import type { CopySync, DeclaredEdge, DerivationMode, OnDelete } from '../declarations.js'

export type ByEnd<T> = Readonly<Record<string, T>>

export interface CarryInput {
  readonly from: string
  readonly sync?: CopySync
  readonly deleted?: 'keep' | 'remove'
}

/** A counter. With `where`, it counts the edges whose attributes have the given value, or one of the given values. */
export interface CountInput {
  readonly into: string
  readonly by?: DerivationMode
  readonly where?: Readonly<Record<string, unknown>>
}

type OneOrMore<T> = T | readonly T[]

/** The options of an edge without the types that tie them to its ends and attributes. */
export interface UntypedEdgeOptions {
  readonly key?: readonly string[]
  readonly one?: string
  readonly undirected?: boolean
  readonly tree?: boolean
  readonly closureOf?: { readonly name: string; readonly declared?: DeclaredEdge }
  readonly carry?: ByEnd<string | CarryInput>
  readonly count?: ByEnd<OneOrMore<string | CountInput>> | undefined
  readonly sum?: ByEnd<OneOrMore<CountInput & { readonly of: string }>> | undefined
  readonly embed?: ByEnd<{ readonly into: string; readonly max: number }> | undefined
  readonly by?: ByEnd<PathOptions> | undefined
  readonly onDelete?: ByEnd<OnDelete> | undefined
  readonly expires?: string
}
