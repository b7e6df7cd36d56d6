import type { Layout } from '../../layout/layout.js'
import type { DeclaredType } from '../../layout/slots.js'
import { columnsOf, putAt, valueAt } from '../rows/columns.js'
import type { ItemRow } from '../rows/item-row.js'
import { marksOf } from '../rows/mark.js'
import { toPlain, toText } from '../rows/plain.js'

/** How rows stand in the files of a dump. */
export interface RowTexts {
  /** The first line of the file of a type, if it has one. */
  header(type: DeclaredType): string
  line(row: ItemRow): string
}

/** `{"type":"movie","name":"Big"}`, which load() reads. */
export function jsonTexts(layout: Layout): RowTexts {
  const marks = marksOf(layout)
  return {
    header: () => '',
    line({ type, tenant, row }) {
      const plain: Record<string, unknown> = { [marks.type]: type.name }
      if (tenant !== undefined) plain[marks.tenant] = tenant
      for (const column of columnsOf(type)) {
        const value = valueAt(row, column)
        if (value !== undefined) putAt(plain, column, toPlain(column.attribute, value))
      }
      return `${JSON.stringify(plain)}\n`
    },
  }
}

/** A table with a header for each type, which load() reads. */
export function csvTexts(layout: Layout): RowTexts {
  const { tenant: mark } = marksOf(layout)
  const hasTenants = layout.graph.declared.tenant
  return {
    header: type => csvLine([...(hasTenants ? [mark] : []), ...columnsOf(type).map(({ slot }) => slot)]),
    line({ type, tenant, row }) {
      const cells = columnsOf(type).map(column => {
        const value = valueAt(row, column)
        return value === undefined ? undefined : toText(column.attribute, value)
      })
      return csvLine(hasTenants ? [tenant, ...cells] : cells)
    },
  }
}

const QUOTED = /^$|^\s|\s$|[",\r\n]/

/** As RFC 4180 has it. An empty text is told from none by its quotes. */
export function csvLine(cells: readonly (string | undefined)[]): string {
  const texts = cells.map(cell => {
    if (cell === undefined) return ''
    return QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
  })
  return `${texts.join(',')}\n`
}
