import { paint } from './output.js'

/** A table of texts, its columns by name. */
export interface TextTable {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export interface DrawOptions {
  /** Characters a line; without end where nobody looks at it on a screen. */
  readonly width?: number
  /** The columns that are keys here: they are coloured. */
  readonly keys?: readonly string[]
  /** Columns that are cut last, and in the middle, since both their ends tell. */
  readonly kept?: readonly string[]
  /** Whether a row is one of those that matter; where it is asked, the others step back. */
  readonly isMarked?: (row: readonly string[]) => boolean
}

const GAP = '  '
const MARK = '▸ '
/** Down to which a column is cut before another has to go. */
const NARROWEST = 11
const NARROWEST_KEPT = 18
/** So many rows beside the matter are told by their number. */
const LONGEST_ASIDE = 4

/** Reads a table as the layout prints it: every line has its cells at the same places. */
export function readTable(printed: string): TextTable {
  const [head = '', rule = '', ...lines] = printed.split('\n')
  const bars = [...rule].flatMap((character, at) => (character === '|' ? [at] : []))
  const cells = (line: string) => bars.slice(1).map((bar, i) => line.slice(bars[i]! + 2, bar - 1).trimEnd())
  return { columns: cells(head), rows: lines.map(cells) }
}

/** The table for people: no wider than asked, keys and what matters in colour. */
export function drawTable(
  table: TextTable,
  { width = Infinity, keys = [], kept = keys, isMarked }: DrawOptions = {},
): string {
  const mark = isMarked ? MARK.length : 0
  const { widths, left } = fitted(table, width - mark, kept)
  const shown = table.columns.slice(0, widths.length)
  const isKey = shown.map(column => keys.includes(column))
  const cut = shown.map(column => (kept.includes(column) ? cutMiddle : cutEnd))
  const cells = (row: readonly string[]) => widths.map((cell, i) => cut[i]!(row[i]!, cell).padEnd(cell))
  const head = ' '.repeat(mark) + paint('bold', cells(shown).join(GAP).trimEnd())
  const lines = asides(table.rows, isMarked).map(row => {
    if (typeof row === 'number') return paint('dim', `${' '.repeat(mark)}… ${row} more`)
    if (isMarked && !isMarked(row)) return paint('dim', ' '.repeat(mark) + cells(row).join(GAP).trimEnd())
    const text = cells(row).map((cell, i) => (isKey[i] ? paint(isMarked ? 'green' : 'cyan', cell) : cell))
    return `${isMarked ? paint('green', MARK) : ''}${text.join(GAP).trimEnd()}`
  })
  const more = left.length > 0 ? [paint('dim', `${' '.repeat(mark)}no room for ${left.join(', ')}`)] : []
  return [head, ...lines, ...more].join('\n')
}

/** The width of each column that has room, from the left, and the names of those that have none. */
function fitted({ columns, rows }: TextTable, width: number, kept: readonly string[]) {
  const natural = columns.map((column, i) => Math.max(column.length, ...rows.map(row => row[i]!.length)))
  const least = natural.map((each, i) => Math.min(each, kept.includes(columns[i]!) ? NARROWEST_KEPT : NARROWEST))
  const whole = (widths: readonly number[]) => widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length)
  let count = columns.length
  while (count > 1 && whole(least.slice(0, count)) > width) count--
  const widths = natural.slice(0, count)
  // The widest gives way first, so that what is short stays readable.
  while (whole(widths) > width) {
    const room = widths.map((each, i) => (each > least[i]! ? each : 0))
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

/** The rows, with each long run of those that do not matter as their number. */
function asides(rows: TextTable['rows'], isMarked: DrawOptions['isMarked']): (readonly string[] | number)[] {
  if (!isMarked) return [...rows]
  const shown: (readonly string[] | number)[] = []
  let aside: (readonly string[])[] = []
  const flush = () => {
    shown.push(...(aside.length > LONGEST_ASIDE ? [aside[0]!, aside.length - 2, aside.at(-1)!] : aside))
    aside = []
  }
  for (const row of rows) {
    if (!isMarked(row)) aside.push(row)
    else {
      flush()
      shown.push(row)
    }
  }
  flush()
  return shown
}
