import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import {
  bigint,
  binary,
  boolean,
  date,
  decimal,
  graph,
  integer,
  json,
  list,
  map,
  node,
  number,
  oneOf,
  open,
  set,
  string,
} from '../../../src/index.js'
import { csvLine } from '../../../src/jobs/dump/row-texts.js'
import { type FailedRow, load } from '../../../src/jobs/load/load.js'
import { loaded, source } from './sources.js'

describe('load from a CSV file', () => {
  const TABLE = '\u{feff}Title,year,note\r\n"Big, ""the"" movie",1988,x\r\n"Two\r\nlines",1990,\r\n'
  const columns = { Title: 'name', note: '' }

  it('reads quotes, newlines within cells, a byte order mark and mapped columns', async () => {
    for (const chunkBytes of [1, 3, 1000]) {
      const { g, counts } = await loaded([source('m.csv', 'csv', TABLE, { type: 'movie', columns, chunkBytes })])
      expect(counts).toMatchObject({ written: 2, failed: 0 })
      expect(await g.movie.get('Big, "the" movie')).toMatchObject({ year: 1988 })
      expect(await g.movie.get('Two\r\nlines')).toMatchObject({ year: 1990 })
    }
  })

  it('reads a header of quoted cells with newlines after a byte order mark, as spreadsheets write it', async () => {
    const text = '\u{feff}"The\ntitle","The ""year"""\r\n"Big",1988\r\n'
    for (const chunkBytes of [1, 2, 1000]) {
      const named = { 'The\ntitle': 'name', 'The "year"': 'year' }
      const { g, counts } = await loaded([source('m.csv', 'csv', text, { type: 'movie', columns: named, chunkBytes })])
      expect(counts).toMatchObject({ written: 1, failed: 0 })
      expect(await g.movie.get('Big')).toMatchObject({ year: 1988 })
    }
  })

  it('reports incomplete rows', async () => {
    const text = 'name,year\nBig,1988\nShort\nLong,1,2\n"Odd"x,3\nHalf,"19'
    const { counts, failed } = await loaded([source('m.csv', 'csv', text, { type: 'movie' })])
    expect(counts).toMatchObject({ written: 1, failed: 4 })
    expect(failed.map(({ line, message }) => [line, message])).toEqual([
      [3, 'row: it has 1 cells, but the header has 2; give as many cells as columns.'],
      [4, 'row: it has 3 cells, but the header has 2; give as many cells as columns.'],
      [5, 'row: a quoted cell is not followed by a separator; double the quotes within the cell.'],
      [6, 'row: the file ends within a quoted cell; correct the file.'],
    ])
  })

  it.each([
    ['name,length\n', 'movie', "the column 'length' is not an attribute of movie, which has name, year"],
    ['name,name\n', 'movie', "two columns are mapped to 'name'"],
    ['name\n', undefined, "the type of the rows is missing; set it (type, --type), or add a column 'type'"],
    ['', 'movie', 'm.csv: the file is empty'],
    ['name\n', 'film', "m.csv: the graph has no type 'film'"],
  ])('rejects %j before anything is written', async (text, type, message) => {
    await expect(loaded([source('m.csv', 'csv', text, type ? { type } : {})])).rejects.toMatchObject({
      code: 'load.input',
      message: expect.stringContaining(message),
    })
  })

  it('distinguishes an empty string from a missing value', async () => {
    const { g } = await loaded([source('a.csv', 'csv', 'name,born\nA,\n', { type: 'actor' })])
    expect(await g.actor.get('A')).toEqual({ name: 'A' })
  })

  it.each([
    ['[0.1234567890123456789]', '', '0.1234567890123456789'],
    ['', '{"x":12345678901234567891}', '12345678901234567891'],
    ['["12345678901234567891",1.5]', '"12345678901234567891"', undefined],
  ])('rounds no number of the JSON in a cell: %j, %j', async (exact, any, told) => {
    const thing = node(
      'thing',
      { id: string(), exact: list(decimal()).optional(), any: json().optional() },
      { id: 'id' },
    )
    const g = await open(graph('things', [thing]), memory())
    const failed: FailedRow[] = []
    const text = `id,exact,any\n${csvLine(['t', exact || undefined, any || undefined])}`
    await load(g, [source('t', 'csv', text, { type: 'thing' })], { failed: rows => void failed.push(...rows) })
    const where = exact ? 'exact' : 'any'
    const message = `${where}: the number ${told} cannot be represented exactly; write it as a string, in quotes.`
    expect(failed.map(row => [row.line, row.code, row.message])).toEqual(told ? [[2, 'load.row', message]] : [])
    const whole = { id: 't', exact: ['12345678901234567891', '1.5'], any: '12345678901234567891' }
    expect(await g.thing.get('t')).toEqual(told ? undefined : whole)
  })

  it('reads every kind of attribute from its text', async () => {
    const thing = node(
      'thing',
      {
        id: string(),
        whole: integer(),
        real: number(),
        vast: bigint(),
        exact: decimal(),
        is: boolean(),
        at: date(),
        bytes: binary(),
        one: oneOf('a', 'b'),
        tags: set(string()),
        many: list(integer()),
        inner: map({ x: bigint() }),
        any: json(),
      },
      { id: 'id' },
    )
    const owned = node('part', { no: integer(), text: string().optional() }, { id: 'no', within: thing })
    const g = await open(graph('things', [thing, owned]), memory())
    const head = 'id,whole,real,vast,exact,is,at,bytes,one,tags,many,inner,any\n'
    const row = `t,1,1.5,12345678901234567890,0.10,TRUE,2024-02-29T10:00:00+01:00,AQI=,a,"[""x"",""y""]","[1,2]","{""x"":""9""}",null\n`
    const failed: FailedRow[] = []
    await load(
      g,
      [
        source('thing.csv', 'csv', head + row, { type: 'thing' }),
        source('part.csv', 'csv', 'thing,no,text\nt,7,""\nt,8,\n', { type: 'part' }),
      ],
      { failed: rows => void failed.push(...rows) },
    )
    expect(failed).toEqual([])
    expect(await g.thing.get('t')).toEqual({
      id: 't',
      whole: 1,
      real: 1.5,
      vast: 12345678901234567890n,
      exact: '0.1',
      is: true,
      at: new Date('2024-02-29T09:00:00Z'),
      bytes: new Uint8Array([1, 2]),
      one: 'a',
      tags: new Set(['x', 'y']),
      many: [1, 2],
      inner: { x: 9n },
      any: null,
    })
    expect(await g.part.by.thing('t').all()).toEqual([
      { thing: 't', no: 7, text: '' },
      { thing: 't', no: 8 },
    ])
  })
})
