import type { ProgramContext } from '../algorithms/graph-tables.js'
import { create, type SqlStep } from '../algorithms/program.js'
import { counterQueries } from '../validation/counter-queries.js'
import { entryQueries } from '../validation/entry-queries.js'
import { RELATED, relatedItems, SUSPECTS } from '../validation/related-items.js'
import { suspectQuery } from '../validation/suspect-queries.js'
import { DUPLICATES, withItems } from '../validation/validated-items.js'

/** The names of the results of a validation. */
export const VALIDATION_RESULTS = {
  suspects: 'suspects',
  related: 'related',
  counters: 'counters',
  amounts: 'amounts',
  entries: 'entries',
  duplicates: 'duplicates',
  hidden: 'hidden',
} as const

/** The statements of a validation, and the queries of its results. The number of a query is in the column `query`. */
export function validationSteps(context: ProgramContext): {
  readonly steps: SqlStep[]
  readonly results: { readonly name: string; readonly as: string }[]
} {
  const counters = counterQueries(context)
  const entries = entryQueries(context)
  const { suspects, related, counters: counted, amounts, entries: entered, duplicates, hidden } = VALIDATION_RESULTS
  const amountQueries = counters.flatMap(({ amounts: amountsOf }, at) =>
    amountsOf ? [numbered(at, amountsOf(`SELECT pk, sk FROM ${tableOf(at)} WHERE NOT exact`))] : [],
  )
  const tables = [...counters, ...entries]
  const hiddenQueries = tables.flatMap(({ hiddenEdges }, at) =>
    hiddenEdges ? [numbered(at, hiddenEdges(`SELECT pk, sk FROM ${tableOf(at)}`))] : [],
  )
  return {
    steps: [
      create(SUSPECTS, suspectQuery(context)),
      ...relatedItems(context),
      ...tables.map(({ sql }, at) => create(tableOf(at), sql)),
    ],
    results: [
      { name: suspects, as: withItems(`SELECT pk, sk FROM ${SUSPECTS}`) },
      { name: related, as: withItems(`SELECT pk, sk FROM ${RELATED}`) },
      union(
        counted,
        counters.map((_, at) => numbered(at, withItems(`SELECT * FROM ${tableOf(at)}`))),
        ['pk', 'sk', 'expected', 'found', 'exact', 'item'],
      ),
      union(amounts, amountQueries, ['pk', 'sk', 'amount']),
      union(
        entered,
        entries.map((_, at) => numbered(at, withItems(`SELECT * FROM ${tableOf(counters.length + at)}`))),
        ['pk', 'sk', 'item'],
      ),
      { name: duplicates, as: numbered(0, withItems(DUPLICATES)) },
      union(hidden, hiddenQueries, ['pk', 'sk', 'item']),
    ],
  }
}

const tableOf = (at: number) => `counted_${at}`

const numbered = (at: number, sql: string) => `SELECT ${at} AS query, rows.* FROM (${sql}) AS rows`

/** The rows of all queries. Without a query it has no row. */
function union(name: string, queries: readonly string[], columns: readonly string[]) {
  const none = `SELECT 0 AS query, ${columns.map(column => `'' AS ${column}`).join(', ')} WHERE 1 = 0`
  return { name, as: queries.length > 0 ? queries.join('\n UNION ALL ') : none }
}
