import type { DeclaredAttribute } from '../../schema/declarations.js'
import { GraphError } from '../../schema/error.js'
import { identityColumns, identityQuery, type ProgramContext, viewOf } from '../algorithms/graph-tables.js'
import type { Database } from '../duckdb.js'
import { ITEMS } from '../sources/item-table.js'
import { itemText } from '../sources/item-text.js'
import { sqlName, sqlText } from '../sql-text.js'
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

/** The query of the keys of all items of a type with the values that a job has for them; its tables are made. */
export async function resultQuery(
  database: Database,
  context: ProgramContext,
  job: SummaryJob,
  targets: readonly SummaryTarget[],
  result: string,
): Promise<string> {
  const { columns } = await database.query(`SELECT * FROM (${result}) LIMIT 0`)
  const view = viewOf(context, job.type)
  const by = job.isByIdentity ? identityColumns(view, context.layout) : ['pk', 'sk']
  const missing = [...by, ...targets.map(({ column }) => column)].find(name => !columns.includes(name))
  if (missing !== undefined)
    throw new GraphError(
      'batch.job',
      `job '${job.name}': the result has no column '${missing}', only ${columns.join(', ')}; add it.`,
    )
  const values = targets.map(({ column }) => `result.${sqlName(column)}`)
  const match = by.map(name => `own.${sqlName(name)} = result.${sqlName(name)}`).join(' AND ')
  const ofType = job.isByIdentity ? '' : ` WHERE type = ${sqlText(view.kind.type.name)}`
  const rows = `SELECT * FROM (${result})${ofType}`
  await assertDistinct(database, job, by, rows)
  return `SELECT own.pk, own.sk${values.map(value => `, ${value}`).join('')}
    FROM (${identityQuery(context, view)}) AS own LEFT JOIN (${rows}) AS result ON ${match}`
}

async function assertDistinct(database: Database, job: SummaryJob, by: readonly string[], rows: string): Promise<void> {
  if (!job.isByIdentity) return
  const names = by.map(sqlName).join(', ')
  const [twice] = await database.rows(`SELECT ${names} FROM (${rows}) GROUP BY ${names} HAVING count(*) > 1 LIMIT 1`)
  if (twice)
    throw new GraphError(
      'batch.job',
      `job '${job.name}': the result has several rows of ${JSON.stringify(twice)}; group the rows by ${by.join(', ')}.`,
    )
}

/** The rows of a result whose stored values seem to differ, with their items, in the order of their keys. */
export function changedQuery(context: ProgramContext, query: string, targets: readonly SummaryTarget[]): string {
  const differs = targets.map(({ attribute: { type }, storedName, column }) => {
    const value = `result.${sqlName(column)}`
    if (type !== 'N' && type !== 'S') return `(${value} IS NOT NULL OR ${stored(context, storedName, 'M')} IS NULL)`
    const text = stored(context, storedName, type)
    if (type === 'S') return `${text} IS DISTINCT FROM CAST(${value} AS STRING)`
    return `CAST(${text} AS DOUBLE) IS DISTINCT FROM CAST(${value} AS DOUBLE)`
  })
  return `SELECT result.*, ${itemText('items.')} FROM (${query}) AS result
    JOIN ${ITEMS} AS items ON items.pk = result.pk AND items.sk = result.sk
    WHERE ${differs.join(' OR ')} ORDER BY result.pk, result.sk`
}

const stored = ({ dialect }: ProgramContext, name: string, type: string) => dialect.jsonText('items.item', [name, type])
