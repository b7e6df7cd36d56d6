import { validation } from '../errors.js'
import type { KeyAttribute } from '../keys/schema.js'
import type { Branch } from './branches.js'
import { refused } from './faults.js'
import type { Expression, SelectStatement } from './syntax.js'

/** In which order partitions are read, and the keys within each. */
export interface Order {
  readonly descending: boolean
  readonly reverse: boolean
}

/** An order is of the key, and of nothing else. */
export function checkOrderTerms(
  { order, where }: SelectStatement,
  partition: KeyAttribute,
  sort: KeyAttribute | undefined,
): void {
  if (order.length > 0 && !where)
    throw validation('Must have WHERE clause in the statement when using ORDER BY clause.')
  for (const { term } of order) {
    const name = plainName(term)
    if (name !== partition.name && name !== sort?.name)
      throw validation(`Attribute ${name} in ORDER BY clause must be part of the primary key`)
  }
}

function plainName(term: Expression): string {
  if (term.kind === 'path' && term.steps.length === 0) return term.root
  const type = term.kind === 'string' ? term.text : term.kind.toUpperCase()
  throw refused(`Argument to ORDER BY must be of type VariableReference. Type: ${type}`, term.at)
}

/** Without a term for the sort key each partition is read from its end. */
export function orderOf(
  { order }: SelectStatement,
  branches: readonly Branch[] | undefined,
  partition: KeyAttribute,
  sort: KeyAttribute | undefined,
): Order | undefined {
  if (order.length === 0) return undefined
  const named = (name: string | undefined) =>
    order.find(({ term }) => name !== undefined && term.kind === 'path' && term.root === name)
  if (!branches)
    throw validation(
      'Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.',
    )
  const byPartition = named(partition.name)
  if (!byPartition && branches.reduce((sum, { partitions }) => sum + partitions.length, 0) > 1)
    throw validation(
      'Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause.',
    )
  const bySort = named(sort?.name)
  return { descending: byPartition?.descending ?? false, reverse: bySort?.descending ?? true }
}
