import type { DeclaredAttribute } from '../../schema/declarations.js'
import { GraphError } from '../../schema/error.js'
import { identityColumns, identityQuery, type ProgramContext, viewOf } from '../algorithms/graph-tables.js'
import type { Database } from '../duckdb.js'
import { ITEMS } from '../sources/item-table.js'
import { itemText } from '../sources/item-text.js'
import { sqlName, sqlText } from '../sql-text.js'
import { storedAttribute } from '../views/typed-column.js'
import type { SummaryJob } from './summary-job.js'

/** A summary that a job writes, and the column of the result that it comes from. */
export interface SummaryTarget {
  readonly name: string
  readonly attribute: DeclaredAttribute
  readonly storedName: string
  readonly column: string
}

/** The summaries of a job. Throws unless they are declared. */
export function targetsOf(context: ProgramContext, { type, into }: SummaryJob): SummaryTarget[] {
  const { kind } = viewOf(context, type)
  return Object.entries(into).map(([name, column]) => {
    const attribute = kind.type.attributes[name]
    if (attribute?.kind !== 'summary')
      throw new GraphError('batch.job', `job: '${type}.${name}' is not a summary; declare it as summary().`, {
        type,
        name,
      })
    return { name, attribute, storedName: context.layout.names.attributeOf(kind.type, name), column }
  })
}

/** How the result of a job becomes the summaries of a type. Messages have the places `{name}`, `{columns}` and `{row}`. */
export interface ResultQueries {
  /** The columns that the result must have, and the message if `{name}` is missing in `{columns}`. */
  readonly columns: readonly string[]
  readonly missingColumn: string
  /** A query of a row of the type that the result has twice, and the message with it; undefined if it cannot be. */
  readonly repeated: string | undefined
  readonly repeatedRow: string
  /** The keys of all items of the type, with the values that the result has for them. */
  readonly rows: string
}

/** The queries over the result of a job. */
export function resultQueries(
  context: ProgramContext,
  job: SummaryJob,
  targets: readonly SummaryTarget[],
  result: string,
): ResultQueries {
  const view = viewOf(context, job.type)
  const by = job.isByIdentity ? identityColumns(view, context.layout) : ['pk', 'sk']
  const values = [...new Set(targets.map(({ column }) => column))]
  const names = by.map(sqlName).join(', ')
  const match = by.map(name => `own.${sqlName(name)} = result.${sqlName(name)}`).join(' AND ')
  const ofType = job.isByIdentity ? '' : ` WHERE type = ${sqlText(view.kind.type.name)}`
  const rows = `SELECT * FROM (${result})${ofType}`
  return {
    columns: [...by, ...values],
    missingColumn: `job '${job.name}': the result has no column '{name}', only {columns}; add it.`,
    repeated: job.isByIdentity
      ? `SELECT ${names} FROM (${rows}) GROUP BY ${names} HAVING count(*) > 1 LIMIT 1`
      : undefined,
    repeatedRow: `job '${job.name}': the result has several rows of {row}; group the rows by ${by.join(', ')}.`,
    rows: `SELECT own.pk, own.sk${values.map(name => `, result.${sqlName(name)}`).join('')}
      FROM (${identityQuery(context, view)}) AS own LEFT JOIN (${rows}) AS result ON ${match}`,
  }
}

/** Throws unless the result has every column, and each row once. */
export async function assertResult(database: Database, result: string, queries: ResultQueries): Promise<void> {
  const { columns } = await database.query(`SELECT * FROM (${result}) LIMIT 0`)
  const missing = queries.columns.find(name => !columns.includes(name))
  if (missing !== undefined)
    throw new GraphError(
      'batch.job',
      queries.missingColumn.replace('{name}', () => missing).replace('{columns}', () => columns.join(', ')),
    )
  if (queries.repeated === undefined) return
  const [twice] = await database.rows(queries.repeated)
  if (twice)
    throw new GraphError(
      'batch.job',
      queries.repeatedRow.replace('{row}', () => JSON.stringify(twice)),
    )
}

/** Numbers with more digits than a DOUBLE has. Two texts of one number are compared again before a write. */
const EXACT_KINDS: ReadonlySet<string> = new Set(['bigint', 'decimal'])

/** The rows of a result whose stored values seem to differ, with their items, in the order of their keys. */
export function changedQuery(context: ProgramContext, query: string, targets: readonly SummaryTarget[]): string {
  const differs = targets.map(({ attribute, storedName, column }) => {
    const { type } = attribute
    const value = `result.${sqlName(column)}`
    const isStored = `${context.dialect.json('items.item', [storedName])} IS NOT NULL`
    if (type !== 'N' && type !== 'S') return `(${value} IS NOT NULL OR ${isStored})`
    const text = stored(context, storedName, type)
    if (type === 'S' || EXACT_KINDS.has(storedAttribute(attribute).kind))
      return `(${text} IS DISTINCT FROM CAST(${value} AS STRING) OR (${value} IS NULL AND ${isStored}))`
    const number = `try_cast(${value} AS DOUBLE)`
    // A text that is not a number is an error of the job, so it counts as changed.
    return `(try_cast(${text} AS DOUBLE) IS DISTINCT FROM ${number} OR (${number} IS NULL AND (${value} IS NOT NULL OR ${isStored})))`
  })
  return `SELECT result.*, ${itemText('items.')} FROM (${query}) AS result
    JOIN ${ITEMS} AS items ON items.pk = result.pk AND items.sk = result.sk
    WHERE ${differs.join(' OR ')} ORDER BY result.pk, result.sk`
}

/** All rows of a result in the order of their keys. Their items have only the key, for a comparison with live items. */
export function allRowsQuery({ layout, dialect }: ProgramContext, query: string): string {
  const key = dialect.jsonObject(layout.names.keys.map(name => [name, dialect.json('items.item', [name])]))
  return `SELECT result.*, CAST(${key} AS STRING) AS item FROM (${query}) AS result
    JOIN ${ITEMS} AS items ON items.pk = result.pk AND items.sk = result.sk
    ORDER BY result.pk, result.sk`
}

const stored = ({ dialect }: ProgramContext, name: string, type: string) => dialect.jsonText('items.item', [name, type])
