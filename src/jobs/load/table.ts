import type { Layout } from '../../layout/layout.js'
import { GraphError } from '../../schema/error.js'
import { columnsByName, columnsOf, putAt } from '../rows/columns.js'
import { marksOf } from '../rows/mark.js'
import { fromText } from '../rows/plain.js'
import { type Cell, cellsOf } from './cells.js'
import { markReader, type RowReader } from './rows.js'
import type { LoadSource } from './source.js'

export const separatorOf = ({ separator = ',' }: LoadSource): string => separator

/** Reads the records of a table after its header. */
export function tableReader(layout: Layout, source: LoadSource, header: string, tenant: string | undefined): RowReader {
  const separator = separatorOf(source)
  const read = markReader(layout, source, tenant)
  const names = columnNames(layout, source, header)
  return text => {
    const cells = cellsOf(text, separator)
    if (!cells)
      throw new GraphError('load.row', 'a quoted cell is not followed by a separator: double quotes within it')
    if (cells.length !== names.length)
      throw new GraphError('load.row', `the row has ${cells.length} cells, and the header ${names.length}`)
    const whole: Record<string, Cell> = {}
    for (const [at, name] of names.entries()) if (name !== '' && cells[at] !== undefined) whole[name] = cells[at]
    const { row: texts, ...marks } = read(whole)
    const row: Record<string, unknown> = {}
    const columns = columnsByName(marks.type)
    for (const [name, text] of Object.entries(texts) as [string, string][]) {
      const column = columns.get(name)
      if (column) putAt(row, column, fromText(column.attribute, text, name))
      else row[name] = text
    }
    return { ...marks, row }
  }
}

/** What each column is of, checked before anything is written: a name that nothing has would refuse every row. */
function columnNames(layout: Layout, source: LoadSource, header: string): string[] {
  const { name, columns = {}, type } = source
  const wrong = (fault: string) => new GraphError('load.input', `${name}: ${fault}`)
  const heads = cellsOf(header, separatorOf(source))
  if (!heads) throw wrong('the header cannot be read: a quote in it is not closed')
  const { nodes, edges } = layout.graph.declared
  const types = [...nodes, ...edges].filter(each => type === undefined || each.name === type)
  const known = [...new Set(types.flatMap(each => columnsOf(each).map(({ slot }) => slot)))]
  const marks = [...Object.values(marksOf(layout)), '$type', '$tenant']
  for (const given of Object.keys(columns))
    if (!heads.includes(given)) throw wrong(`there is no column '${given}', only ${heads.join(', ')}`)
  const names = heads.map(head => columns[head ?? ''] ?? head?.trim() ?? '')
  if (type === undefined && !names.some(each => each === '$type' || each === marksOf(layout).type))
    throw wrong(`say of which type its rows are (type, --type), or have a column '${marksOf(layout).type}'`)
  for (const [at, each] of names.entries()) {
    if (each !== '' && !known.includes(each) && !marks.includes(each))
      throw wrong(
        `the column '${heads[at]}' is nothing of ${type ?? layout.graph.declared.name}, which has ${known.join(', ')}: say which it is, or '' to leave it out (columns, --column)`,
      )
    if (each !== '' && names.indexOf(each) < at) throw wrong(`two columns are '${each}'`)
  }
  return names
}
