import type { Layout } from '../../layout/layout.js'
import type { DeclaredType } from '../../layout/slots.js'
import { GraphError } from '../../schema/error.js'
import { columnsOf, putAt, valueAt } from '../rows/columns.js'
import { checkNumbers } from '../rows/exact-numbers.js'
import { marksOf } from '../rows/mark.js'
import { fromPlain } from '../rows/plain.js'
import { markReader, type RowReader } from './rows.js'
import type { LoadSource } from './source.js'

/** Reads `{"type":"movie","name":"Big"}`. */
export function jsonReader(layout: Layout, source: LoadSource, tenant: string | undefined): RowReader {
  const read = markReader(layout, source, tenant)
  const { type: mark } = marksOf(layout)
  return text => {
    const whole = objectOf(source, text)
    // As in a dump under a graph that had no attribute of that name yet, which would be given the name of the type.
    if (mark !== 'type' && whole[mark] === undefined && source.type !== undefined && whole.type === source.type)
      throw new GraphError(
        'load.row',
        `the graph has something of the name 'type': say the type of the row in '${mark}', so that '${source.type}' is not taken for it`,
      )
    const { row, ...marks } = read(whole)
    return { ...marks, row: converted(marks.type, row) }
  }
}

export function objectOf({ name }: Pick<LoadSource, 'name'>, text: string): Record<string, unknown> {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    if (/^\s*\[/.test(text))
      throw new GraphError('load.input', `${name} is a list: write each row on a line of its own, as jq -c '.[]' does`)
    throw new GraphError('load.row', `the line is not JSON: ${(error as Error).message}`)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new GraphError('load.row', 'the line is not an object of JSON')
  checkNumbers(text)
  return parsed as Record<string, unknown>
}

function converted(type: DeclaredType, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const row: Record<string, unknown> = { ...given }
  for (const column of columnsOf(type)) {
    const value = valueAt(given, column)
    if (value !== undefined) putAt(row, column, fromPlain(column.attribute, value, column.slot))
  }
  return row
}
