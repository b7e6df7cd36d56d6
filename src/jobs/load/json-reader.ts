import type { Layout } from '../../layout/layout.js'
import type { DeclaredType } from '../../layout/slots.js'
import { GraphError } from '../../schema/error.js'
import { columnsOf, columnValueOf, setColumnValue } from '../rows/columns.js'
import { assertExactNumbers } from '../rows/exact-numbers.js'
import { fromJsonValue } from '../rows/json-values.js'
import { metaColumnsOf } from '../rows/meta-columns.js'
import { createMetaReader, type RowReader } from './row-reader.js'
import type { LoadSource } from './source.js'

/** Creates a reader for lines such as `{"type":"movie","name":"Big"}`. */
export function createJsonReader(layout: Layout, source: LoadSource, tenant: string | undefined): RowReader {
  const readMeta = createMetaReader(layout, source, tenant)
  const { type: typeColumn } = metaColumnsOf(layout)
  return text => {
    const parsed = parseJsonObject(source, text)
    // A dump of an older graph may have the row's type in `type`, which is an attribute now. Do not take it for a
    // value.
    if (
      typeColumn !== 'type' &&
      parsed[typeColumn] === undefined &&
      source.type !== undefined &&
      parsed.type === source.type
    )
      throw new GraphError(
        'load.row',
        `row: 'type' is an attribute of the graph, but its value is the type '${source.type}'; write the type of the row in '${typeColumn}'.`,
      )
    const { row, ...meta } = readMeta(parsed)
    return { ...meta, row: convertColumns(meta.type, row) }
  }
}

export function parseJsonObject({ name }: Pick<LoadSource, 'name'>, text: string): Record<string, unknown> {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    if (/^\s*\[/.test(text))
      throw new GraphError(
        'load.input',
        `${name}: the file is a JSON array; write one row per line, as jq -c '.[]' does.`,
      )
    throw new GraphError('load.row', `row: the line is not JSON (${(error as Error).message}); correct the line.`)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new GraphError('load.row', 'row: the line is not a JSON object; write one object per line.')
  assertExactNumbers(text)
  return parsed as Record<string, unknown>
}

function convertColumns(type: DeclaredType, jsonRow: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const row: Record<string, unknown> = { ...jsonRow }
  for (const column of columnsOf(type)) {
    const value = columnValueOf(jsonRow, column)
    if (value !== undefined) setColumnValue(row, column, fromJsonValue(column.attribute, value, column.slot))
  }
  return row
}
