import type { Keeper, OnDelete, Sync } from './declared.js'
import type { PathOptions } from './parts.js'

export type ByEnd<T> = Readonly<Record<string, T>>

export interface GivenCarry {
  readonly from: string
  readonly sync?: Sync
  readonly deleted?: 'keep' | 'remove'
}

/** Of edges with these values only: of an attribute one, or any of several. */
export interface GivenCount {
  readonly into: string
  readonly by?: Keeper
  readonly where?: Readonly<Record<string, unknown>>
}

type OneOrMore<T> = T | readonly T[]

/** The options of an edge, without the types that tie them to its ends and attributes. */
export interface GivenOptions {
  readonly key?: readonly string[]
  readonly one?: string
  readonly undirected?: boolean
  readonly carry?: ByEnd<string | GivenCarry>
  readonly count?: ByEnd<OneOrMore<string | GivenCount>> | undefined
  readonly sum?: ByEnd<OneOrMore<GivenCount & { readonly of: string }>> | undefined
  readonly embed?: ByEnd<{ readonly into: string; readonly max: number }> | undefined
  readonly by?: ByEnd<PathOptions> | undefined
  readonly onDelete?: ByEnd<OnDelete> | undefined
  readonly expires?: string
}
