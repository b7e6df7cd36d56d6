import { paint } from './output.js'

/** A table of strings with named columns. */
export interface TextTable {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export interface DrawOptions {
  /** The number of characters per line; unlimited outside a terminal. */
  readonly width?: number
  /** The key columns, which are colored. */
  readonly keyColumns?: readonly string[]
  /** The columns that are cut last, and in the middle, because both ends identify the value. */
  readonly keptColumns?: readonly string[]
  /** Returns whether a row is highlighted; the other rows are dimmed. */
  readonly isMarked?: (row: readonly string[]) => boolean
}

const GAP = '  '
const MARK = '▸ '
/** The minimum width of a column; below it, another column is dropped. */
const COLUMN_CHARACTERS_MIN = 11
const KEPT_COLUMN_CHARACTERS_MIN = 18
/** More unmarked rows in sequence than this are replaced by their count. */
const UNMARKED_ROWS_MAX = 4

/** Parses a table that the layout printed: every line has its cells at the same positions. */
export function parseTable(printed: string): TextTable {
  const [head = '', rule = '', ...lines] = printed.split('\n')
  const bars = [...rule].flatMap((character, at) => (character === '|' ? [at] : []))
  const cells = (line: string) => bars.slice(1).map((bar, i) => line.slice(bars[i]! + 2, bar - 1).trimEnd())
  return { columns: cells(head), rows: lines.map(cells) }
}

/** Formats a table within a width, with keys and marked rows in color. */
export function drawTable(
  table: TextTable,
  { width = Infinity, keyColumns = [], keptColumns = keyColumns, isMarked }: DrawOptions = {},
): string {
  const mark = isMarked ? MARK.length : 0
  const { widths, left: hiddenColumns } = fitColumns(table, width - mark, keptColumns)
  const shown = table.columns.slice(0, widths.length)
  const isKey = shown.map(column => keyColumns.includes(column))
  const cut = shown.map(column => (keptColumns.includes(column) ? cutMiddle : cutEnd))
  const cells = (row: readonly string[]) => widths.map((cell, i) => cut[i]!(row[i]!, cell).padEnd(cell))
  const head = ' '.repeat(mark) + paint('bold', cells(shown).join(GAP).trimEnd())
  const lines = collapseUnmarked(table.rows, isMarked).map(row => {
    if (typeof row === 'number') return paint('dim', `${' '.repeat(mark)}… ${row} more`)
    if (isMarked && !isMarked(row)) return paint('dim', ' '.repeat(mark) + cells(row).join(GAP).trimEnd())
    const text = cells(row).map((cell, i) => (isKey[i] ? paint(isMarked ? 'green' : 'cyan', cell) : cell))
    return `${isMarked ? paint('green', MARK) : ''}${text.join(GAP).trimEnd()}`
  })
  const more =
    hiddenColumns.length > 0 ? [paint('dim', `${' '.repeat(mark)}no room for ${hiddenColumns.join(', ')}`)] : []
  return [head, ...lines, ...more].join('\n')
}

/** Computes the widths of the columns that fit, from the left, and the names of the others. */
function fitColumns({ columns, rows }: TextTable, width: number, keptColumns: readonly string[]) {
  const natural = columns.map((column, i) => Math.max(column.length, ...rows.map(row => row[i]!.length)))
  const minimumWidths = natural.map((each, i) =>
    Math.min(each, keptColumns.includes(columns[i]!) ? KEPT_COLUMN_CHARACTERS_MIN : COLUMN_CHARACTERS_MIN),
  )
  const totalWidth = (widths: readonly number[]) => widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length)
  let count = columns.length
  while (count > 1 && totalWidth(minimumWidths.slice(0, count)) > width) count--
  const widths = natural.slice(0, count)
  // Shrinks the widest column first, so that short values stay readable.
  while (totalWidth(widths) > width) {
    const room = widths.map((each, i) => (each > minimumWidths[i]! ? each : 0))
    const widest = room.indexOf(Math.max(...room))
    if (room[widest] === 0) break
    widths[widest] = widths[widest]! - 1
  }
  return { widths, left: columns.slice(count) }
}

export const cutEnd = (text: string, width: number): string =>
  text.length > width ? `${text.slice(0, width - 1)}…` : text

function cutMiddle(text: string, width: number): string {
  if (text.length <= width) return text
  const tail = Math.floor((width - 1) / 2)
  return `${text.slice(0, width - 1 - tail)}…${text.slice(text.length - tail)}`
}

/** Replaces long runs of unmarked rows by their count. */
function collapseUnmarked(rows: TextTable['rows'], isMarked: DrawOptions['isMarked']): (readonly string[] | number)[] {
  if (!isMarked) return [...rows]
  const shown: (readonly string[] | number)[] = []
  let unmarked: (readonly string[])[] = []
  const flush = () => {
    shown.push(
      ...(unmarked.length > UNMARKED_ROWS_MAX ? [unmarked[0]!, unmarked.length - 2, unmarked.at(-1)!] : unmarked),
    )
    unmarked = []
  }
  for (const row of rows) {
    if (!isMarked(row)) unmarked.push(row)
    else {
      flush()
      shown.push(row)
    }
  }
  flush()
  return shown
}
