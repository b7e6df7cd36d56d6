import { readFileSync } from 'node:fs'
import type { QueryResult } from '../batch/duckdb.js'
import type { CopyFormat } from '../batch/index.js'
import { csvLine } from '../jobs/dump/row-texts.js'
import { UsageFailure } from './command-failure.js'
import type { SourceOptions } from './options-batch.js'
import { formatJson, print, printJson } from './terminal/output.js'
import { drawTable } from './terminal/text-table.js'
import { withBatch } from './with-batch.js'

interface SqlOptions extends SourceOptions {
  readonly format: 'table' | 'csv' | 'json' | 'parquet'
  readonly output?: string
}

/** More rows than that are not read on a terminal. */
const TABLE_ROWS = 1_000
const STANDARD_INPUT = '-'

/** Runs a statement and prints its rows, or writes them to a file. */
export async function sqlCommand(file: string, statement: string, options: SqlOptions): Promise<void> {
  const { format, output, json } = options
  if (format === 'parquet' && output === undefined)
    throw new UsageFailure('--format parquet: this format needs a file; add --output FILE.')
  if (format === 'table' && output !== undefined)
    throw new UsageFailure('--output: a table cannot be written to a file; add --format csv, json or parquet.')
  const sql = statement === STANDARD_INPUT ? readFileSync(0, 'utf8') : statement
  if (sql.trim() === '')
    throw new UsageFailure('sql: the statement is empty; give a statement, for example "select 1".')
  await withBatch(file, options, async ({ data }) => {
    if (output !== undefined) {
      const rows = await data.copy(sql, output, format as CopyFormat)
      if (json) printJson({ rows, output })
      else print(`Wrote ${rows.toLocaleString('en-US')} rows to ${output}.`)
    } else if (json) printJson(await data.rows(sql))
    else if (format === 'table') await printTable(await data.database.query(sql))
    else await printLines(await data.database.query(sql), format)
  })
}

async function printTable({ columns, chunks }: QueryResult): Promise<void> {
  const rows: string[][] = []
  let count = 0
  for await (const chunk of chunks) {
    count += chunk.length
    for (const row of chunk.slice(0, TABLE_ROWS - rows.length)) rows.push(columns.map(name => cellOf(row[name]) ?? ''))
  }
  const width = process.stdout.isTTY ? { width: process.stdout.columns } : {}
  const more = count > rows.length ? [`and ${count - rows.length} more rows; use --format csv to print all`] : []
  print([drawTable({ columns, rows }, width), ...more].join('\n'))
}

async function printLines({ columns, chunks }: QueryResult, format: SqlOptions['format']): Promise<void> {
  if (format === 'csv') write(csvLine(columns))
  for await (const chunk of chunks)
    write(
      chunk
        .map(row => (format === 'csv' ? csvLine(columns.map(name => cellOf(row[name]))) : `${formatJson(row)}\n`))
        .join(''),
    )
}

function write(text: string): void {
  process.stdout.write(text)
}

/** A value as the text of a cell; undefined if it is NULL. */
function cellOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? formatJson(value) : String(value)
}
