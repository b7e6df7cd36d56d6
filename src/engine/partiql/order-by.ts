import { validationError } from '../errors.js'
import type { KeyAttribute } from '../keys/key-schema.js'
import type { PartiqlExpression, SelectStatement } from './parsing/syntax.js'
import { unsupportedStatementError } from './statement-errors.js'
import type { WhereBranch } from './where-branches.js'

/** The order of partitions and of the keys within each. */
export interface ReadOrder {
  readonly hasDescendingPartitions: boolean
  readonly isReversed: boolean
}

/** Checks that a statement orders only by key attributes. */
export function checkOrderTerms(
  { order, where }: SelectStatement,
  partition: KeyAttribute,
  sort: KeyAttribute | undefined,
): void {
  if (order.length > 0 && !where)
    throw validationError('Must have WHERE clause in the statement when using ORDER BY clause.')
  for (const { term } of order) {
    const name = plainNameOf(term)
    if (name !== partition.name && name !== sort?.name)
      throw validationError(`Attribute ${name} in ORDER BY clause must be part of the primary key`)
  }
}

function plainNameOf(term: PartiqlExpression): string {
  if (term.kind === 'path' && term.steps.length === 0) return term.root
  const type = term.kind === 'string' ? term.text : term.kind.toUpperCase()
  throw unsupportedStatementError(`Argument to ORDER BY must be of type VariableReference. Type: ${type}`, term.at)
}

/** Returns the order of a SELECT. Without a term for the sort key, each partition is read backward. */
export function readOrderOf(
  { order }: SelectStatement,
  branches: readonly WhereBranch[] | undefined,
  partition: KeyAttribute,
  sort: KeyAttribute | undefined,
): ReadOrder | undefined {
  if (order.length === 0) return undefined
  const named = (name: string | undefined) =>
    order.find(({ term }) => name !== undefined && term.kind === 'path' && term.root === name)
  if (!branches)
    throw validationError(
      'Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.',
    )
  const byPartition = named(partition.name)
  if (!byPartition && branches.reduce((sum, { partitions }) => sum + partitions.length, 0) > 1)
    throw validationError(
      'Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause.',
    )
  const bySort = named(sort?.name)
  return { hasDescendingPartitions: byPartition?.isDescending ?? false, isReversed: bySort?.isDescending ?? true }
}
