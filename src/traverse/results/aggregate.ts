import type { PlainRow } from '../../plan/row.js'
import { numberOrZero } from './rank.js'

export interface AggregateOptions {
  /** Whether the nodes of the last step are aggregated, or the edges that lead to them. */
  readonly over?: 'nodes' | 'edges' | undefined
  /** An attribute by whose values the rows are grouped. */
  readonly by?: string | undefined
  /** The numeric attribute that is added up. */
  readonly of?: string | undefined
}

export interface Aggregate {
  /** The value of the attribute in `by`. */
  readonly group: unknown
  /** The number of rows. */
  readonly count: number
  /** The figures of the attribute in `of`, over the rows that have it. `min`, `max` and `avg` are undefined without any. */
  readonly sum: number
  readonly min: number | undefined
  readonly max: number | undefined
  readonly avg: number | undefined
}

/** Rows by group, the groups in the order in which they came first. Without `by` there is one group. */
export function aggregateRows(type: string, rows: readonly PlainRow[], { by, of }: AggregateOptions): Aggregate[] {
  const groups = new Map<string, { readonly group: unknown; count: number; readonly figures: number[] }>()
  if (by === undefined) groups.set('', { group: undefined, count: 0, figures: [] })
  for (const row of rows) {
    const group = by === undefined ? undefined : row[by]
    const key = by === undefined ? '' : groupKeyOf(group)
    const entry = groups.get(key) ?? { group, count: 0, figures: [] }
    groups.set(key, entry)
    entry.count++
    if (of !== undefined && row[of] !== undefined) entry.figures.push(numberOrZero(row, of, type))
  }
  return [...groups.values()].map(({ group, count, figures }) => {
    const sum = figures.reduce((total, each) => total + each, 0)
    const bound = (pick: (a: number, b: number) => number) => (figures.length === 0 ? undefined : figures.reduce(pick))
    const avg = figures.length > 0 ? sum / figures.length : undefined
    return { group, count, sum, min: bound((a, b) => Math.min(a, b)), max: bound((a, b) => Math.max(a, b)), avg }
  })
}

const groupKeyOf = (value: unknown): string =>
  `${typeof value} ${
    JSON.stringify(value, (_, each) =>
      typeof each === 'bigint' ? String(each) : each instanceof Set ? [...each] : each,
    ) ?? ''
  }`
