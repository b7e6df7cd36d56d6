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
  /** The time for expiry checks. Without it, no row is expired. */
  readonly nowMs?: number | undefined
}

/** A part of a path, as a read requests it. */
export interface PathRead {
  readonly type: string
  readonly path: string
  readonly where?: PathWhere | undefined
  readonly reverse?: boolean | undefined
  readonly limit?: number | undefined
  readonly filter?: Filter | undefined
  /** The row members to return. */
  readonly only?: readonly string[] | undefined
  /** Returns the nodes at the other end, in place of the edges or joined with them. */
  readonly nodes?: 'nodes' | 'joined' | undefined
}

export interface PathQuery extends PathRead, ReadOptions {
  /** The id of the start node, or the parts of the partition that the path declares as `in`. */
  readonly start?: unknown
  readonly cursor?: string | DeferredCursor | undefined
  readonly count?: boolean | undefined
}

export function assertLimit(limit: number | undefined): void {
  if (limit !== undefined && !isPositiveInteger(limit))
    throw new GraphError('read.limit', `limit: ${formatValue(limit)} is not a limit; give a whole number from 1.`, {
      value: limit,
    })
}

/**
 * Excludes rows that are expired or being deleted, because DynamoDB must not count them. Other reads drop these rows
 * after decoding.
 */
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
  // Only nodes at an end of an edge, and owners, are marked during deletion.
  if (canBeDeleting) expressions.addCondition({ expression: `attribute_not_exists(${expressions.name(deletionMark)})` })
}
