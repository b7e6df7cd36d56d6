import type { Layout } from '../layout/layout.js'
import type { DeclaredType } from '../layout/slots.js'
import { GraphError } from '../schema/error.js'
import { isCount, shown } from '../schema/refusal.js'
import type { Expressions, Filter } from './expression.js'
import type { LateCursor } from './plan.js'
import type { Sizes } from './price.js'
import type { Where } from './where.js'
import { traitsOf } from './write-traits.js'

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
  /** Only these of a row's members. */
  readonly only?: readonly string[] | undefined
  /** The nodes at the other end, in place of the edges or with them. */
  readonly nodes?: 'nodes' | 'joined' | undefined
}

export interface PathAsk extends PathRead, ReadOptions {
  /** The id of the node that it starts at, or the parts that the path is `in`. */
  readonly given?: unknown
  readonly cursor?: string | LateCursor | undefined
  readonly count?: boolean | undefined
}

export function checkLimit(limit: number | undefined): void {
  if (limit !== undefined && !isCount(limit))
    throw new GraphError('read.limit', `a limit of ${shown(limit)}: give a whole number from 1`, { value: limit })
}

/** Rows that are gone are left out when they are read; what DynamoDB counts must be without them. */
export function leaveGone(layout: Layout, type: DeclaredType, { nowMs }: ReadOptions, expressions: Expressions): void {
  const { expires, going } = layout.names
  const { timed, canBeGoing } = traitsOf(layout, type.name)
  if (timed && nowMs !== undefined) {
    const name = expressions.name(expires)
    const now = expressions.value({ N: String(Math.floor(nowMs / 1000)) })
    expressions.given({ expression: `attribute_not_exists(${name}) OR ${name} > ${now}` })
  }
  // Only nodes at an end of an edge are deleted step by step.
  if (canBeGoing) expressions.given({ expression: `attribute_not_exists(${expressions.name(going)})` })
}
