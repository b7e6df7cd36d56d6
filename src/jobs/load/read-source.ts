import type { Layout } from '../../layout/layout.js'
import { GraphError } from '../../schema/error.js'
import { createCellSplitter } from './csv-cells.js'
import { createCsvReader, separatorOf } from './csv-reader.js'
import { createExportReader } from './export-reader.js'
import { createJsonReader } from './json-reader.js'
import { createLineSplitter, type RecordSplitter, readTextRecords, type TextRecord } from './records.js'
import { type RowReader, readRecordRows, SOURCE_START } from './row-reader.js'
import type { LoadSource, SourcePosition, SourceRow } from './source.js'

interface ReadOptions {
  /** Tenant of rows that do not specify theirs. */
  readonly tenant: string | undefined
  /** Time of the first start of the load. It is the same in all passes and after a restart. */
  readonly nowMs: number
}

/** Reads the rows of a source from a position on, block by block. */
export async function* readSourceRows(
  layout: Layout,
  source: LoadSource,
  from: SourcePosition,
  options: ReadOptions,
): AsyncGenerator<SourceRow[]> {
  const { read, first } = await createReader(layout, source, options)
  const start = from.offset > 0 ? from : first
  for await (const block of readSourceRecords(source, start)) yield readRecordRows(layout, block, read)
}

/** Creates the reader of a source, with the position of its first row. Throws if the source cannot be read. */
export async function createReader(
  layout: Layout,
  source: LoadSource,
  { tenant, nowMs }: ReadOptions,
): Promise<{ readonly read: RowReader; readonly first: SourcePosition }> {
  // Ignoring `columns` would load columns that should be left out or renamed.
  if (source.format !== 'csv' && Object.keys(source.columns ?? {}).length > 0)
    throw new GraphError(
      'load.input',
      `${source.name}: the file is not a CSV file, so it has no columns to map; rename its members to the names of attributes and omit 'columns' (--column).`,
    )
  if (source.format === 'json') return { read: createJsonReader(layout, source, tenant), first: SOURCE_START }
  if (source.format === 'dynamodb' || source.format === 'ion')
    return { read: createExportReader(layout, source, nowMs), first: SOURCE_START }
  const { text, line, end } = await readHeader(source)
  const first = { offset: end, lines: line + text.split('\n').length - 1 }
  return { read: createCsvReader(layout, source, text, tenant), first }
}

const splitterOf = (source: LoadSource, { offset }: SourcePosition): RecordSplitter =>
  source.format === 'csv' ? createCellSplitter(separatorOf(source), offset) : createLineSplitter()

const readSourceRecords = (source: LoadSource, from: SourcePosition) =>
  readTextRecords(source.name, source.open(from.offset), splitterOf(source, from), from)

async function readHeader(source: LoadSource): Promise<TextRecord> {
  for await (const [header] of readSourceRecords(source, SOURCE_START))
    if (header) {
      if (header.error)
        throw new GraphError(
          'load.input',
          `${source.name}: the header cannot be read (${header.error.message}); correct it.`,
        )
      return header
    }
  throw new GraphError(
    'load.input',
    `${source.name}: the file is empty; write the names of the columns in its first line.`,
  )
}
