import type { Layout } from '../../layout/layout.js'
import { GraphError } from '../../schema/error.js'
import { cellSplitter } from './cells.js'
import { exportedReader } from './exported.js'
import { jsonReader } from './json-lines.js'
import { lineSplitter, recordsOf, type Splitter, type TextRecord } from './records.js'
import { foundRows, type RowReader, START } from './rows.js'
import type { FoundRow, LoadSource, Position } from './source.js'
import { separatorOf, tableReader } from './table.js'

/** The rows of a source from a position on, in blocks as they come. */
export async function* readRows(
  layout: Layout,
  source: LoadSource,
  from: Position,
  tenant?: string,
): AsyncGenerator<FoundRow[]> {
  const splitter = splitterOf(source)
  if (source.format !== 'csv') {
    const read = source.format === 'json' ? jsonReader(layout, source, tenant) : exportedReader(layout, source)
    for await (const block of records(source, splitter(), from)) yield foundRows(layout, block, read)
    return
  }
  const header = await headerOf(source, splitter())
  const read: RowReader = tableReader(layout, source, header.text, tenant)
  const start = from.offset > 0 ? from : { offset: header.end, lines: header.line + header.text.split('\n').length - 1 }
  for await (const block of records(source, splitter(), start)) yield foundRows(layout, block, read)
}

const splitterOf = (source: LoadSource) => (): Splitter =>
  source.format === 'csv' ? cellSplitter(separatorOf(source)) : lineSplitter()

const records = (source: LoadSource, splitter: Splitter, from: Position) =>
  recordsOf(source.name, source.open(from.offset), splitter, from)

async function headerOf(source: LoadSource, splitter: Splitter): Promise<TextRecord> {
  for await (const [header] of records(source, splitter, START))
    if (header) {
      if (header.error) throw new GraphError('load.input', `${source.name}: ${header.error.message}`)
      return header
    }
  throw new GraphError('load.input', `${source.name} is empty: its first line names the columns`)
}
