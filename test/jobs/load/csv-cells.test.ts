import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvLine } from '../../../src/jobs/dump/row-texts.js'
import { type Cell, createCellSplitter, splitCells } from '../../../src/jobs/load/csv-cells.js'
import { readTextRecords, type TextRecord } from '../../../src/jobs/load/records.js'
import { parseExactNumber } from '../../../src/jobs/rows/exact-numbers.js'
import { source } from './sources.js'

const START = { offset: 0, lines: 0 }

async function recordsIn(text: string, chunkBytes: number, from = START): Promise<TextRecord[]> {
  const records: TextRecord[] = []
  const chunks = source('t', 'csv', text, { chunkBytes }).open(from.offset)
  for await (const block of readTextRecords('t', chunks, createCellSplitter(',', from.offset), from))
    records.push(...block)
  return records
}

/** Texts that are difficult for CSV parsers. */
const cell = fc.option(
  fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', ' ', ';', 'a', 'é', '\u{1f600}'), maxLength: 6 }),
  { nil: undefined },
)
const table = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 })

describe('cells', () => {
  it('cells are read unchanged from chunks of any size and from any record on', async () => {
    const property = fc.asyncProperty(table, fc.integer({ min: 1, max: 9 }), async (rows, chunkBytes) => {
      const text = rows.map(row => csvLine(row)).join('')
      const records = await recordsIn(text, chunkBytes)
      expect(records.map(record => splitCells(record.text, ','))).toEqual(rows)
      const lineOf = (row: number) => 1 + rows.slice(0, row).map(csvLine).join('').split('\n').length - 1
      expect(records.map(({ line }) => line)).toEqual(rows.map((_, i) => lineOf(i)))
      const middle = Math.floor(rows.length / 2)
      if (middle === 0) return
      const { end: offset } = records[middle - 1]!
      const rest = await recordsIn(text, chunkBytes, { offset, lines: lineOf(middle) - 1 })
      expect(rest).toEqual(records.slice(middle))
    })
    await fc.assert(property, { numRuns: 300 })
  })

  it.each<[string, Cell[] | undefined]>([
    ['a,b', ['a', 'b']],
    ['', [undefined]],
    [',', [undefined, undefined]],
    ['"",', ['', undefined]],
    ['5" pipe,x', ['5" pipe', 'x']],
    ['"a""b"', ['a"b']],
    ['"a" ,b', undefined],
    ['"a', undefined],
  ])('%j are %j', (text, cells) => {
    expect(splitCells(text, ',')).toEqual(cells)
  })
})

describe('a number in a cell', () => {
  it.each<[string, number | undefined]>([
    ['1', 1],
    ['-1.50', -1.5],
    ['1e3', 1000],
    ['.5', 0.5],
    ['-0', 0],
    ['0.1', 0.1],
    ['12345678901234567890', undefined],
    ['0.1000000000000000055511151231257827', undefined],
    ['1e999', undefined],
    ['0x10', undefined],
    ['1,000', undefined],
    ['', undefined],
  ])('%j is parsed as %j, or rejected if it cannot be represented exactly', (text, number) => {
    expect(parseExactNumber(text)).toBe(number)
  })
})
