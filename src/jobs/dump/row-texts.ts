import type { Layout } from '../../layout/layout.js'
import type { DeclaredType } from '../../layout/slots.js'
import { columnsOf, columnValueOf, setColumnValue } from '../rows/columns.js'
import type { ItemRow } from '../rows/item-row.js'
import { toCellText, toJsonValue } from '../rows/json-values.js'
import { metaColumnsOf } from '../rows/meta-columns.js'

/** The text format of the rows in a dump file. */
export interface RowTexts {
  /** Returns the first line of the file of a type, if the format has one. */
  header(type: DeclaredType): string
  line(row: ItemRow): string
}

/**
 * Writes lines such as `{"type":"movie","name":"Big"}`, which `load()` reads.
 *
 * @example
 * ```ts
 * import { graph, layout, node, string } from 'edgewise'
 * import { jsonTexts } from 'edgewise/jobs'
 *
 * const cinema = layout(graph('cinema', [node('movie', { name: string() }, { id: 'name' })]))
 * const texts = jsonTexts(cinema)
 * ```
 */
export function jsonTexts(layout: Layout): RowTexts {
  const marks = metaColumnsOf(layout)
  return {
    header: () => '',
    line({ type, tenant, row }) {
      const plain: Record<string, unknown> = { [marks.type]: type.name }
      if (tenant !== undefined) plain[marks.tenant] = tenant
      for (const column of columnsOf(type)) {
        const value = columnValueOf(row, column)
        if (value !== undefined) setColumnValue(plain, column, toJsonValue(column.attribute, value))
      }
      return `${JSON.stringify(plain)}\n`
    },
  }
}

/** Options of `csvTexts()`. */
export interface CsvTextOptions {
  /**
   * Puts an apostrophe before each cell that a spreadsheet would run as a formula. The default is `false`, because
   * `load()` reads the apostrophe as part of the value.
   */
  readonly escapeFormulas?: boolean | undefined
}

/**
 * Writes a CSV table with a header for each type, which `load()` reads.
 *
 * @example
 * ```ts
 * import { graph, layout, node, string } from 'edgewise'
 * import { csvTexts } from 'edgewise/jobs'
 *
 * const cinema = layout(graph('cinema', [node('movie', { name: string() }, { id: 'name' })]))
 * const texts = csvTexts(cinema)
 * ```
 */
export function csvTexts(layout: Layout, { escapeFormulas = false }: CsvTextOptions = {}): RowTexts {
  const { tenant: mark } = metaColumnsOf(layout)
  const hasTenants = layout.graph.declared.tenant
  return {
    header: type => csvLine([...(hasTenants ? [mark] : []), ...columnsOf(type).map(({ slot }) => slot)]),
    line({ type, tenant, row }) {
      const cells = columnsOf(type).map(column => {
        const value = columnValueOf(row, column)
        return value === undefined ? undefined : toCellText(column.attribute, value)
      })
      const all = hasTenants ? [tenant, ...cells] : cells
      return csvLine(escapeFormulas ? all.map(withoutFormula) : all)
    },
  }
}

/** Spreadsheets also accept these characters in full width. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i

/** A negative number is a value and not a formula, so it needs no apostrophe. */
function withoutFormula(cell: string | undefined): string | undefined {
  return cell !== undefined && FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell
}

const QUOTED = /^$|^\s|\s$|[",\r\n]/

/** Quotes a cell according to RFC 4180. Quotes distinguish an empty string from a missing value. */
export function csvLine(cells: readonly (string | undefined)[]): string {
  const texts = cells.map(cell => {
    if (cell === undefined) return ''
    return QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
  })
  return `${texts.join(',')}\n`
}
