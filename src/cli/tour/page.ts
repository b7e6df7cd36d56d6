import { inspect, stripVTControlCharacters } from 'node:util'
import { printIndex, printItems } from '../../layout/items/print.js'
import { formatCount, hasColor, paint } from '../terminal/output.js'
import { drawTable, parseTable, type TextTable } from '../terminal/text-table.js'
import { formatHeading, formatRequests, indentText } from './format-text.js'
import type { TourQuestion, TourStop } from './stops.js'

/** Renders a page on display, because the terminal may have a different size then. */
export type TourPage = (width: number) => string

/** The maximum number of list elements in a printed result; the rest is counted. */
const SHOWN_ROWS = 4

/** A graph with its declaration, its table and its indexes. */
export function formatIntroduction(
  { name, title, declarations, layout, items, note }: TourStop,
  number: number,
  width: number,
): string {
  const { design } = layout
  const tableKeys = Object.values(design.keys)
  const formatTable = (printed: string, keyColumns: readonly string[]) =>
    drawTable(parseTable(printed), { width, keyColumns, keptColumns: [...keyColumns, ...tableKeys] })
  return [
    formatHeading(`${number} ${name}`, width),
    paint('bold', title),
    `${paint('dim', 'Declared')}\n${paint('cyan', indentText(declarations, width))}`,
    ...(note === undefined ? [] : [paint('yellow', indentText(note, width))]),
    `${formatPlaceTitle(layout.design.name)}\n${formatTable(printItems(layout, items), tableKeys)}`,
    ...design.indexes.map(
      ({ name: index, partition, sort }) =>
        `${formatPlaceTitle(design.name, index)}\n${formatTable(printIndex(layout, items, index), [...partition, ...sort])}`,
    ),
  ].join('\n\n')
}

/** A question: the call, its requests, the items that they found, the result and the consumed capacity. */
export function formatQuestion(stop: TourStop, at: number, width: number): string {
  const question = stop.questions[at]!
  const { what, code, explained, value } = question
  return [
    formatHeading(`${stop.name}, ${at + 1} of ${stop.questions.length}`, width),
    paint('bold', what),
    paint('cyan', indentText(`await ${code}`, width)),
    `${paint('dim', 'Requests')}\n${indentText(formatRequests(explained), width)}`,
    ...question.found.map(found => formatFoundItems(stop, found, width)),
    `${paint('dim', 'Answer')}\n${formatAnswer(value, Math.min(width, COLUMNS_MAX))}`,
    `${paint('dim', 'Took')} ${paint('bold', formatConsumed(question))}`,
  ].join('\n\n')
}

/** A step: the call, and its result. */
export function formatStep({ name, steps }: TourStop, at: number, width: number): string {
  const { what, code, value } = steps[at]!
  return [
    formatHeading(`${name}, ${at + 1} of ${steps.length}`, width),
    paint('bold', what),
    paint('cyan', indentText(`await ${code}`, width)),
    `${paint('dim', 'Answer')}\n${formatAnswer(value, Math.min(width, COLUMNS_MAX))}`,
  ].join('\n\n')
}

const COLUMNS_MAX = 110
/** The tolerance of `inspect`: its lines are shorter or longer than the given length by about this much. */
const COLUMNS_TOLERANCE = 12

/** Formats a value as compactly as possible without a line that is too long. */
function formatAnswer(value: unknown, width: number): string {
  const shown = (breakLength: number) =>
    inspect(value, { depth: null, breakLength, maxArrayLength: SHOWN_ROWS, colors: hasColor() }).replace(/^/gm, '  ')
  const fits = (text: string) =>
    stripVTControlCharacters(text)
      .split('\n')
      .every(line => line.length <= width)
  let breakLength = width + COLUMNS_TOLERANCE
  while (breakLength > width - COLUMNS_TOLERANCE && !fits(shown(breakLength))) breakLength--
  return shown(breakLength)
}

/** The table or index that the requests read, with the found items marked. */
function formatFoundItems(
  { layout, items }: TourStop,
  { index, items: found }: TourQuestion['found'][number],
  width: number,
): string {
  const { design, names } = layout
  const keyOf = (cell: (column: string) => string | undefined) => names.keys.map(cell).join('\n')
  const isFound = new Set(found.map(({ item }) => keyOf(column => item[column]?.S)))
  const indexDesign = design.indexes.find(({ name }) => name === index)
  const keyColumns = indexDesign ? [...indexDesign.partition, ...indexDesign.sort] : Object.values(design.keys)
  const fullTable = parseTable(indexDesign ? printIndex(layout, items, indexDesign.name) : printItems(layout, items))
  const isMarked =
    ({ columns }: TextTable) =>
    (row: readonly string[]) =>
      isFound.has(keyOf(column => row[columns.indexOf(column)]))
  const keptColumns = [...keyColumns, ...names.keys]
  const otherIndexKeys = design.indexes.flatMap(({ partition, sort }) => [...partition, ...sort])
  const table = withoutEmptyColumns(fullTable, keptColumns, otherIndexKeys, isMarked(fullTable))
  return `${formatPlaceTitle(design.name, index)}\n${drawTable(table, { width, keyColumns, keptColumns, isMarked: isMarked(table) })}`
}

/** Keeps only columns in which a marked row has a value and that are not keys of other indexes. */
function withoutEmptyColumns(
  { columns, rows }: TextTable,
  keptColumns: readonly string[],
  otherIndexKeys: readonly string[],
  isMarked: (row: readonly string[]) => boolean,
): TextTable {
  const marked = rows.filter(isMarked)
  const isShown = columns.map(
    (column, i) =>
      keptColumns.includes(column) || (!otherIndexKeys.includes(column) && marked.some(row => row[i] !== '')),
  )
  const shown = <T>(cells: readonly T[]) => cells.filter((_, i) => isShown[i])
  return { columns: shown(columns), rows: rows.map(shown) }
}

const formatPlaceTitle = (table: string, index?: string) =>
  paint('dim', index === undefined ? `The table ${table}` : `The index ${index}`)

function formatConsumed({ requests, consumed }: TourQuestion): string {
  const places = Object.entries(consumed.read).map(
    ([place, units]) => `${units} on ${place === 'table' ? 'the table' : `the index ${place}`}`,
  )
  return `${formatCount(requests, 'request')}, ${formatCount(consumed.total, 'read unit')}: ${places.join(', ')}`
}
