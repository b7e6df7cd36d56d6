import type { Layout } from '../../layout/layout.js'
import { GraphError } from '../../schema/error.js'
import { columnsByName, columnsOf, setColumnValue } from '../rows/columns.js'
import { fromCellText } from '../rows/json-values.js'
import { metaColumnsOf } from '../rows/meta-columns.js'
import { type Cell, splitCells } from './csv-cells.js'
import { createMetaReader, type RowReader } from './row-reader.js'
import type { LoadSource } from './source.js'

export const separatorOf = ({ separator = ',' }: LoadSource): string => separator

/** Creates a reader for the records after the header of a CSV file. */
export function createCsvReader(
  layout: Layout,
  source: LoadSource,
  header: string,
  tenant: string | undefined,
): RowReader {
  const separator = separatorOf(source)
  const read = createMetaReader(layout, source, tenant)
  const names = readColumnNames(layout, source, header)
  return text => {
    const cells = splitCells(text, separator)
    if (!cells)
      throw new GraphError(
        'load.row',
        'row: a quoted cell is not followed by a separator; double the quotes within the cell.',
      )
    if (cells.length !== names.length)
      throw new GraphError(
        'load.row',
        `row: it has ${cells.length} cells, but the header has ${names.length}; give as many cells as columns.`,
      )
    const cellsByName: Record<string, Cell> = {}
    for (const [index, name] of names.entries())
      if (name !== '' && cells[index] !== undefined) cellsByName[name] = cells[index]
    const { row: textsByName, ...meta } = read(cellsByName)
    const row: Record<string, unknown> = {}
    const columns = columnsByName(meta.type)
    for (const [name, text] of Object.entries(textsByName) as [string, string][]) {
      const column = columns.get(name)
      if (column) setColumnValue(row, column, fromCellText(column.attribute, text, name))
      else row[name] = text
    }
    return { ...meta, row }
  }
}

/** Maps columns to attributes before anything is written, because an unknown name would make every row fail. */
function readColumnNames(layout: Layout, source: LoadSource, header: string): string[] {
  const { name, columns = {}, type } = source
  const toInputError = (fault: string) => new GraphError('load.input', `${name}: ${fault}.`)
  const headers = splitCells(header, separatorOf(source))
  if (!headers) throw toInputError('the header cannot be read because a quote is not closed; close it')
  const { nodes, edges } = layout.graph.declared
  const types = [...nodes, ...edges].filter(candidate => type === undefined || candidate.name === type)
  const known = [...new Set(types.flatMap(candidate => columnsOf(candidate).map(({ slot }) => slot)))]
  const metaNames = [...Object.values(metaColumnsOf(layout)), '$type', '$tenant']
  for (const columnName of Object.keys(columns))
    if (!headers.includes(columnName))
      throw toInputError(`there is no column '${columnName}'; use one of ${headers.join(', ')}`)
  const names = headers.map(header => columns[header ?? ''] ?? header?.trim() ?? '')
  if (
    type === undefined &&
    !names.some(columnName => columnName === '$type' || columnName === metaColumnsOf(layout).type)
  )
    throw toInputError(
      `the type of the rows is missing; set it (type, --type), or add a column '${metaColumnsOf(layout).type}'`,
    )
  for (const [index, columnName] of names.entries()) {
    if (columnName !== '' && !known.includes(columnName) && !metaNames.includes(columnName))
      throw toInputError(
        `the column '${headers[index]}' is not an attribute of ${type ?? layout.graph.declared.name}, which has ${known.join(', ')}; map it to an attribute, or to '' to leave it out (columns, --column)`,
      )
    if (columnName !== '' && names.indexOf(columnName) < index)
      throw toInputError(`two columns are mapped to '${columnName}'; leave one out`)
  }
  return names
}
