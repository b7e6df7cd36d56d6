import { compareNumbers } from '../../dynamodb/number.js'
import { rowValueAt } from '../../layout/row-members.js'
import type { DeclaredType } from '../../layout/slots.js'
import { membersByName } from '../../plan/members.js'
import type { PlainRow } from '../../plan/row.js'
import { canonicalText } from '../../plan/slot-values.js'
import { storedValueOf } from '../stored-value.js'
import { ExactSum, type Figure, figureConverterOf, figureOf } from './exact-sum.js'

export interface AggregateOptions {
  /** Whether the nodes of the last step are aggregated, or the edges that lead to them. */
  readonly over?: 'nodes' | 'edges' | undefined
  /** An attribute by whose values the rows are grouped. */
  readonly by?: string | undefined
  /** The numeric attribute that is added up. */
  readonly of?: string | undefined
}

/** The count of a group, and the aggregates of a number. Bigints and decimals keep their types. */
export interface Aggregate<Value = number> {
  /** The value of the attribute in `by`. */
  readonly group: unknown
  /** The number of rows. */
  readonly count: number
  /** The exact sum of the attribute in `of`, over the rows that have it. */
  readonly sum: Value
  /** The least and the greatest value; undefined if no row has one. */
  readonly min: Value | undefined
  readonly max: Value | undefined
  /** The mean, rounded to a number. */
  readonly avg: number | undefined
}

interface Group {
  readonly group: unknown
  count: number
  values: number
  readonly sum: ExactSum
  min: Figure | undefined
  max: Figure | undefined
}

/** Rows by group, the groups in the order in which they came first. Without `by` there is one group. */
export function aggregateRows(
  type: DeclaredType,
  rows: readonly PlainRow[],
  { by, of }: AggregateOptions,
): Aggregate<Figure>[] {
  const groups = new Map<string, Group>()
  const groupOf = (key: string, group: unknown): Group => {
    let entry = groups.get(key)
    if (!entry) {
      entry = { group, count: 0, values: 0, sum: new ExactSum(), min: undefined, max: undefined }
      groups.set(key, entry)
    }
    return entry
  }
  const keyOf = by === undefined ? () => '' : groupKeyOf(type, by)
  if (by === undefined) groupOf('', undefined)
  for (const row of rows) {
    const entry = groupOf(keyOf(row), by === undefined ? undefined : row[by])
    entry.count++
    const value = of === undefined ? undefined : figureOf(row, of, type.name)
    if (value !== undefined) addValue(entry, value)
  }
  const convert = of === undefined ? (sum: ExactSum) => sum.toNumber() : figureConverterOf(type, of)
  return [...groups.values()].map(({ group, count, values, sum, min, max }) => ({
    group,
    count,
    sum: convert(sum),
    min,
    max,
    avg: values > 0 ? sum.toMean(values) : undefined,
  }))
}

function addValue(entry: Group, value: Figure): void {
  entry.values++
  entry.sum.add(value)
  if (entry.min === undefined || compareFigures(value, entry.min) < 0) entry.min = value
  if (entry.max === undefined || compareFigures(value, entry.max) > 0) entry.max = value
}

const compareFigures = (a: Figure, b: Figure): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : compareNumbers(String(a), String(b))

/** Rows are of one group if DynamoDB stores the same value. Objects of a class can look alike and differ. */
function groupKeyOf(type: DeclaredType, name: string): (row: PlainRow) => string {
  const members = membersByName(type, name)
  return row =>
    canonicalText(
      members.map(({ attribute, segments, path }) => {
        const value = rowValueAt(row, segments)
        return value === undefined ? null : storedValueOf(attribute, value, path)
      }),
    )!
}
