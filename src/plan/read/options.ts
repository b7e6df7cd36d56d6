import type { Layout } from '../../layout/layout.js'
import type { DeclaredType } from '../../layout/slots.js'
import { formatValue, isPositiveInteger } from '../../schema/checks/assertions.js'
import { GraphError } from '../../schema/error.js'
import type { ExpressionBuilder, Filter } from '../expression.js'
import type { DeferredCursor } from '../plan.js'
import type { Sizes } from '../price/read-price.js'
import { traitsOf } from '../type-traits.js'
import type { PathWhere } from './where.js'

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
  readonly where?: PathWhere | undefined
  readonly reverse?: boolean | undefined
  readonly limit?: number | undefined
  readonly filter?: Filter | undefined
  /** Only these of a row's members. */
  readonly only?: readonly string[] | undefined
  /** The nodes at the other end, in place of the edges or with them. */
  readonly nodes?: 'nodes' | 'joined' | undefined
}

export interface PathQuery extends PathRead, ReadOptions {
  /** The id of the node that it starts at, or the parts that the path is `in`. */
  readonly start?: unknown
  readonly cursor?: string | DeferredCursor | undefined
  readonly count?: boolean | undefined
}

export function assertLimit(limit: number | undefined): void {
  if (limit !== undefined && !isPositiveInteger(limit))
    throw new GraphError('read.limit', `a limit of ${formatValue(limit)}: give a whole number from 1`, { value: limit })
}

/** Rows that are gone are left out when they are read; what DynamoDB counts must be without them. */
export function addLiveFilter(
  layout: Layout,
  type: DeclaredType,
  { nowMs }: ReadOptions,
  expressions: ExpressionBuilder,
): void {
  const { expires, deletionMark } = layout.names
  const { expiryName, canBeDeleting } = traitsOf(layout, type.name)
  if (expiryName && nowMs !== undefined) {
    const name = expressions.name(expires)
    const now = expressions.value({ N: String(Math.floor(nowMs / 1000)) })
    expressions.addCondition({ expression: `attribute_not_exists(${name}) OR ${name} > ${now}` })
  }
  // Only nodes at an end of an edge are deleted step by step.
  if (canBeDeleting) expressions.addCondition({ expression: `attribute_not_exists(${expressions.name(deletionMark)})` })
}
