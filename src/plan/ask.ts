import type { Layout } from '../layout/layout.js'
import type { DeclaredType } from '../layout/slots.js'
import { GraphError } from '../schema/error.js'
import type { Expressions, Filter } from './expression.js'
import { ASSUMED, type Sizes } from './price.js'
import type { Where } from './where.js'

export interface ReadOptions {
  readonly consistent?: boolean | undefined
  readonly tenant?: string | undefined
  readonly sizes?: Sizes | undefined
  /** The time, for what has expired; without it nothing has. */
  readonly nowMs?: number | undefined
}

/** A part of a path, as it is asked for. */
export interface PathRead {
  readonly type: string
  readonly path: string
  readonly where?: Where | undefined
  readonly reverse?: boolean | undefined
  readonly limit?: number | undefined
  readonly filter?: Filter | undefined
  /** The nodes at the other end, in place of the edges or with them. */
  readonly nodes?: 'nodes' | 'joined' | undefined
}

export interface PathAsk extends PathRead, ReadOptions {
  /** The id of the node that it starts at, or the parts that the path is `in`. */
  readonly given?: unknown
  readonly cursor?: string | undefined
  readonly count?: boolean | undefined
}

export function checkLimit(limit: number | undefined): void {
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 1))
    throw new GraphError('read.limit', `a limit of ${limit}: give a whole number from 1`, { value: limit })
}

export function sizesOf({ sizes }: ReadOptions): { items: number; itemBytes: number } {
  return { items: sizes?.items ?? ASSUMED.items, itemBytes: sizes?.itemBytes ?? ASSUMED.itemBytes }
}

/** Rows that have expired are left out when they are read; a count must do it by a filter. */
export function leaveExpired(
  { names }: Layout,
  { expires }: DeclaredType,
  { count, nowMs }: ReadOptions & { readonly count?: boolean | undefined },
  expressions: Expressions,
): void {
  if (count && nowMs !== undefined && expires !== undefined)
    expressions.notPast(names.expires, Math.floor(nowMs / 1000))
}
