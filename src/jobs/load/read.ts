import type { Layout } from '../../layout/layout.js'
import { GraphError } from '../../schema/error.js'
import { cellSplitter } from './cells.js'
import { exportedReader } from './exported.js'
import { jsonReader } from './json-lines.js'
import { lineSplitter, recordsOf, type Splitter, type TextRecord } from './records.js'
import { foundRows, type RowReader, START } from './rows.js'
import type { FoundRow, LoadSource, Position } from './source.js'
import { separatorOf, tableReader } from './table.js'

interface ReadOptions {
  /** Of rows that do not tell theirs. */
  readonly tenant: string | undefined
  /** The same for all passes, however often the load is cut off. */
  readonly nowMs: number
}

/** The rows of a source from a position on, in blocks as they come. */
export async function* readRows(
  layout: Layout,
  source: LoadSource,
  from: Position,
  given: ReadOptions,
): AsyncGenerator<FoundRow[]> {
  const { read, first } = await readerOf(layout, source, given)
  const start = from.offset > 0 ? from : first
  for await (const block of records(source, start)) yield foundRows(layout, block, read)
}

/** How the rows of a source are read, and where they begin; refused where none of them can be. */
export async function readerOf(
  layout: Layout,
  source: LoadSource,
  { tenant, nowMs }: ReadOptions,
): Promise<{ readonly read: RowReader; readonly first: Position }> {
  // Passed over, what is to be left out would be loaded, and what has another name under its own.
  if (source.format !== 'csv' && Object.keys(source.columns ?? {}).length > 0)
    throw new GraphError(
      'load.input',
      `${source.name} has no columns, being no table of CSV: give its members the names of attributes (columns, --column)`,
    )
  if (source.format === 'json') return { read: jsonReader(layout, source, tenant), first: START }
  if (source.format === 'dynamodb') return { read: exportedReader(layout, source, nowMs), first: START }
  const { text, line, end } = await headerOf(source)
  const first = { offset: end, lines: line + text.split('\n').length - 1 }
  return { read: tableReader(layout, source, text, tenant), first }
}

const splitterOf = (source: LoadSource, { offset }: Position): Splitter =>
  source.format === 'csv' ? cellSplitter(separatorOf(source), offset) : lineSplitter()

const records = (source: LoadSource, from: Position) =>
  recordsOf(source.name, source.open(from.offset), splitterOf(source, from), from)

async function headerOf(source: LoadSource): Promise<TextRecord> {
  for await (const [header] of records(source, START))
    if (header) {
      if (header.error) throw new GraphError('load.input', `${source.name}: ${header.error.message}`)
      return header
    }
  throw new GraphError('load.input', `${source.name} is empty: its first line names the columns`)
}
