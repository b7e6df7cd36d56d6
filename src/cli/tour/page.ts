import { inspect, stripVTControlCharacters } from 'node:util'
import { printIndex, printItems } from '../../layout/print.js'
import { drawTable, readTable, type TextTable } from '../item-table.js'
import { counted, hasColour, paint } from '../output.js'
import type { Question, Stop } from './stops.js'
import { heading, indented, requestLines } from './text.js'

/** A page is made when it is looked at, since the terminal may have another size by then. */
export type Page = (width: number) => string

/** Of a list in an answer; the rest is counted. */
const SHOWN_ROWS = 4

/** A graph as it is declared, and as it lies: its table and its indexes. */
export function introduction(
  { name, title, declarations, layout, items }: Stop,
  number: number,
  width: number,
): string {
  const { design } = layout
  const own = Object.values(design.keys)
  const draw = (printed: string, keys: readonly string[]) =>
    drawTable(readTable(printed), { width, keys, kept: [...keys, ...own] })
  return [
    heading(`${number} ${name}`, width),
    paint('bold', title),
    `${paint('dim', 'Declared')}\n${paint('cyan', indented(declarations, width))}`,
    `${placeTitle(layout.design.name)}\n${draw(printItems(layout, items), own)}`,
    ...design.indexes.map(
      ({ name: index, partition, sort }) =>
        `${placeTitle(design.name, index)}\n${draw(printIndex(layout, items, index), [...partition, ...sort])}`,
    ),
  ].join('\n\n')
}

/** One question: the call, its requests, what they found and where, the answer, and what it took. */
export function questionPage(stop: Stop, at: number, width: number): string {
  const question = stop.questions[at]!
  const { what, code, explained, value } = question
  return [
    heading(`${stop.name}, ${at + 1} of ${stop.questions.length}`, width),
    paint('bold', what),
    paint('cyan', indented(`await ${code}`, width)),
    `${paint('dim', 'Requests')}\n${indented(requestLines(explained), width)}`,
    ...question.found.map(found => foundTable(stop, found, width)),
    `${paint('dim', 'Answer')}\n${answerText(value, Math.min(width, MOST_COLUMNS))}`,
    `${paint('dim', 'Took')} ${paint('bold', taken(question))}`,
  ].join('\n\n')
}

const MOST_COLUMNS = 110
/** `inspect` measures roughly: lines come out shorter or longer than asked by about so much. */
const ROUGHLY_COLUMNS = 12

/** As compact as it can be without a line that is too long. */
function answerText(value: unknown, width: number): string {
  const shown = (breakLength: number) =>
    inspect(value, { depth: null, breakLength, maxArrayLength: SHOWN_ROWS, colors: hasColour() }).replace(/^/gm, '  ')
  const fits = (text: string) =>
    stripVTControlCharacters(text)
      .split('\n')
      .every(line => line.length <= width)
  let breakLength = width + ROUGHLY_COLUMNS
  while (breakLength > width - ROUGHLY_COLUMNS && !fits(shown(breakLength))) breakLength--
  return shown(breakLength)
}

/** Where the requests looked, with what they found marked. */
function foundTable(
  { layout, items }: Stop,
  { index, items: found }: Question['found'][number],
  width: number,
): string {
  const { design, names } = layout
  const keyOf = (cell: (column: string) => string | undefined) => names.keys.map(cell).join('\n')
  const isFound = new Set(found.map(({ item }) => keyOf(column => item[column]?.S)))
  const here = design.indexes.find(({ name }) => name === index)
  const keys = here ? [...here.partition, ...here.sort] : Object.values(design.keys)
  const whole = readTable(here ? printIndex(layout, items, here.name) : printItems(layout, items))
  const isMarked =
    ({ columns }: TextTable) =>
    (row: readonly string[]) =>
      isFound.has(keyOf(column => row[columns.indexOf(column)]))
  const kept = [...keys, ...names.keys]
  const others = design.indexes.flatMap(({ partition, sort }) => [...partition, ...sort])
  const table = withoutEmpty(whole, kept, others, isMarked(whole))
  return `${placeTitle(design.name, index)}\n${drawTable(table, { width, keys, kept, isMarked: isMarked(table) })}`
}

/** Only the columns in which a row that matters has something, and which are not there for another place. */
function withoutEmpty(
  { columns, rows }: TextTable,
  kept: readonly string[],
  others: readonly string[],
  isMarked: (row: readonly string[]) => boolean,
): TextTable {
  const marked = rows.filter(isMarked)
  const isShown = columns.map(
    (column, i) => kept.includes(column) || (!others.includes(column) && marked.some(row => row[i] !== '')),
  )
  const shown = <T>(cells: readonly T[]) => cells.filter((_, i) => isShown[i])
  return { columns: shown(columns), rows: rows.map(shown) }
}

const placeTitle = (table: string, index?: string) =>
  paint('dim', index === undefined ? `The table ${table}` : `The index ${index}`)

function taken({ requests, consumed }: Question): string {
  const places = Object.entries(consumed.read).map(
    ([place, units]) => `${units} on ${place === 'table' ? 'the table' : `the index ${place}`}`,
  )
  return `${counted(requests, 'request')}, ${counted(consumed.total, 'read unit')}: ${places.join(', ')}`
}
