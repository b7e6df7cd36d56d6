import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { date, graph, json, list, node, number, open, string, wrap } from '../../../src/index.js'
import { type FailedRow, load } from '../../../src/jobs/load/load.js'
import { validator } from '../../schema/validator.js'
import { cinema, lines, loaded, source } from './sources.js'

const ROWS = lines(
  { type: 'role', movie: 'Big', actor: 'Tom Hanks', character: 'Josh' },
  { type: 'movie', name: 'Big', year: 1988 },
  { type: 'actor', name: 'Tom Hanks', born: 1956 },
)

describe('load', () => {
  it('writes nodes before the edges that they count, in any order of rows', async () => {
    const { g, counts, failed } = await loaded([source('rows', 'json', ROWS)])
    expect(failed).toEqual([])
    expect(counts).toMatchObject({ written: 3, failed: 0 })
    expect(await g.movie.get('Big')).toEqual({ name: 'Big', year: 1988, cast: 1 })
    expect(await g.role.by.actor('Tom Hanks').all()).toEqual([{ movie: 'Big', actor: 'Tom Hanks', character: 'Josh' }])
  })

  it('rejects invalid sources with an example of valid ones', async () => {
    const g = await open(graph('things', [node('thing', { id: string() }, { id: 'id' })]), memory())
    for (const wrong of ['rows.jsonl', ['rows.jsonl'], { name: 'rows' }, undefined])
      await expect(load(g, wrong as never)).rejects.toThrow('load(): the sources are not an array of sources; give one')
    for (const format of ['xml', 'CSV', undefined])
      await expect(load(g, [source('rows', format as never, 'id\na\n', { type: 'thing' })])).rejects.toMatchObject({
        code: 'call.argument',
        message: `rows: ${format && `'${format}'`} is not a format; use 'json', 'csv', 'dynamodb' or 'ion'.`,
      })
    for (const separator of ['', ';;', '"', '\n', 'ä'])
      await expect(load(g, [source('rows', 'csv', 'id\na\n', { type: 'thing', separator })])).rejects.toMatchObject({
        code: 'call.argument',
        message: "rows: the separator is not one character; give one, such as ';' or a tab.",
      })
    for (const concurrency of [0, -1, 1.5, Number.NaN, '16', null])
      await expect(load(g, [], { concurrency: concurrency as never })).rejects.toMatchObject({
        code: 'call.argument',
        message: expect.stringMatching(/^concurrency: .* is out of range; give a whole number from 1\.$/),
      })
    expect(await g.thing.scan().all()).toEqual([])
  })

  it('counts every edge once if it is repeated', async () => {
    const g = await open(cinema, memory())
    for (let times = 0; times < 3; times++) await load(g, [source('rows', 'json', ROWS)])
    expect(await g.movie.get('Big')).toMatchObject({ cast: 1 })
  })

  it('reports rejected rows by line, code and text', async () => {
    const text = [
      '{"type":"movie","name":"Big","year":1988}',
      '',
      '{"type":"movie","name":"Cut off","ye',
      '{"type":"film","name":"Big"}',
      '{"name":"Big"}',
      '{"type":"movie","name":"Late","year":"soon"}',
      '{"type":"movie","name":"Long","year":1,"length":3}',
      '{"type":"movie","name":"Kept","year":1,"cast":3}',
      '{"type":"role","movie":"Missing","actor":"Nobody","character":"None"}',
      '{"type":"movie","name":"Vast","year":12345678901234567890}',
      '"movie"',
    ].join('\n')
    const { counts, failed } = await loaded([source('rows.jsonl', 'json', text)])
    expect(counts).toMatchObject({ written: 1, failed: 9 })
    expect(failed.map(({ line, code }) => [line, code])).toEqual([
      [3, 'load.row'],
      [4, 'load.row'],
      [5, 'load.row'],
      [6, 'value.type'],
      [7, 'write.unknown'],
      [8, 'write.derived'],
      [10, 'load.row'],
      [11, 'load.row'],
      [9, 'edge.end.absent'],
    ])
    expect(failed[1]).toEqual({
      source: 'rows.jsonl',
      line: 4,
      code: 'load.row',
      message: "row: the graph has no type 'film'; use one of movie, actor, role.",
      text: '{"type":"film","name":"Big"}',
    })
    expect(failed[6]?.message).toBe(
      'row: the number 12345678901234567890 cannot be represented exactly; write it as a string, in quotes.',
    )
  })

  it('reports unreadable rows, and loads rows of another type in a file with a default type', async () => {
    const movies = '{"name":"Big","year":1988}\n{"type":"role","movie":"Big","actor":"Tom Hanks","character":"Josh"}\n'
    const roles = 'movie,actor,character\nBig,Elizabeth Perkins\n'
    const { g, counts, failed } = await loaded([
      source('role.csv', 'csv', roles, { type: 'role' }),
      source('movie.jsonl', 'json', movies, { type: 'movie' }),
      source('role.jsonl', 'json', '{"type":"movie","name":"Splash","year":1984}\n', { type: 'role' }),
    ])
    expect(counts).toMatchObject({ written: 3, failed: 1 })
    expect(failed).toMatchObject([{ source: 'role.csv', line: 2, code: 'load.row' }])
    expect(await g.movie.many(['Big', 'Splash'])).toMatchObject([{ cast: 1 }, { year: 1984 }])
  })

  it.each([
    ['{"id":"a","real":1e-400}', 'load.row'],
    ['{"id":"a","any":{"deep":[0.5e-399]}}', 'load.row'],
    ['{"id":"a","at":"2024-02-30"}', 'value.date'],
    ['{"id":"a","at":"2023-02-29T10:00:00Z"}', 'value.date'],
    ['{"id":"a","at":"2024-06-31 23:00+02:00"}', 'value.date'],
  ])('rejects %s, which JavaScript would parse as another value', async (text, code) => {
    const attributes = { id: string(), real: number().optional(), any: json().optional(), at: date().optional() }
    const g = await open(graph('things', [node('thing', attributes, { id: 'id' })]), memory())
    const failed: FailedRow[] = []
    await load(g, [source('thing', 'json', text, { type: 'thing' })], { failed: rows => void failed.push(...rows) })
    expect(failed).toMatchObject([{ line: 1, code }])
  })

  it.each([
    ['json', '{"id":"a","at":"2020-01-01T00:00:00"}', "at: '2020-01-01T00:00:00' is not accepted; give DATE."],
    ['json', '{"id":"a","at":2020}', 'at: 2020 is not accepted; give DATE.'],
    ['json', '{"id":"a","days":["2020"]}', "days: '2020' is not accepted; give DATE."],
    ['csv', 'id,at\na,2020\n', "at: '2020' is not accepted; give DATE."],
    ['csv', 'id,days\na,"[""2020""]"\n', "days: '2020' is not accepted; give DATE."],
  ] as const)('says of %s %j what a date in a file is', async (format, text, message) => {
    const attributes = { id: string(), at: date().optional(), days: list(date()).optional() }
    const g = await open(graph('things', [node('thing', attributes, { id: 'id' })]), memory())
    const failed: FailedRow[] = []
    await load(g, [source('thing', format, text, { type: 'thing' })], { failed: rows => void failed.push(...rows) })
    const expected = 'a day such as 2020-01-31, or a time with its zone such as 2020-01-31T12:00:00Z'
    expect(failed).toMatchObject([{ code: 'value.date', message: message.replace('DATE', expected) }])
  })

  it('keeps the last of several rows of one node', async () => {
    const text = lines(...[1, 2, 3].map(year => ({ type: 'movie', name: 'Big', year })))
    const { g, counts } = await loaded([source('rows', 'json', text)])
    expect(counts.written).toBe(3)
    expect((await g.movie.get('Big'))?.year).toBe(3)
  })

  it('leaves a missing value to a validator that generates it', async () => {
    const length = validator<number>(value =>
      typeof value === 'number' ? { issues: [{ message: 'no text' }] } : { value: String(value ?? '').length },
    )
    const word = node('word', { id: string(), length }, { id: 'id' })
    const g = await open(graph('words', [word]), memory())
    const text = lines({ id: 'a' }, { id: 'b', length: 'four' })
    await load(g, [source('word', 'json', text, { type: 'word' })])
    expect((await g.word.scan().all()).map(row => row.length).sort()).toEqual([0, 4])
  })

  it("leaves existing nodes with existing: 'leave'", async () => {
    const g = await open(cinema, memory())
    await g.movie.put({ name: 'Big', year: 1 })
    expect(await load(g, [source('rows', 'json', ROWS)], { existing: 'leave' })).toMatchObject({
      written: 2,
      skipped: 1,
    })
    expect((await g.movie.get('Big'))?.year).toBe(1)
  })

  it('reports lines that are not UTF-8, loads the others, and rejects a UTF-16 file', async () => {
    const text = lines({ type: 'actor', name: 'Zoë' }, { type: 'actor', name: 'Zoé' }, { type: 'actor', name: 'Tom' })
    const bytes = Buffer.from(text)
    bytes[bytes.indexOf('ë') + 1] = 0x20
    const { g, failed } = await loaded([source('rows', 'json', bytes)])
    expect(failed).toMatchObject([
      { line: 1, code: 'load.row', message: 'row: the line is not UTF-8; correct the file.' },
    ])
    expect((await g.actor.scan().all()).map(({ name }) => name).sort()).toEqual(['Tom', 'Zoé'])
    const wide = Buffer.from(`\u{feff}${text}`, 'utf16le')
    await expect(loaded([source('rows', 'json', wide)])).rejects.toMatchObject({
      code: 'load.input',
      message: 'rows: the file is UTF-16; save it as UTF-8.',
    })
  })

  it('rejects only the row of a batch that the store rejects', async () => {
    const store = wrap(memory(), async (operation, request, options, send) => {
      if (operation === 'batchWriteItem' && JSON.stringify(request).includes('actor#3'))
        throw Object.assign(new Error('One or more parameter values were invalid'), { name: 'ValidationException' })
      return send(request, options)
    })
    const g = await open(cinema, store, { create: true })
    const failed: FailedRow[] = []
    const text = lines(...Array.from({ length: 8 }, (_, i) => ({ type: 'actor', name: String(i) })))
    const counts = await load(g, [source('rows', 'json', text)], { failed: rows => void failed.push(...rows) })
    expect(counts).toMatchObject({ written: 7, failed: 1 })
    expect(failed).toMatchObject([{ line: 4, code: 'store.refused' }])
  })

  it("throws the store's error instead of rejecting every row", async () => {
    const store = wrap(memory(), async (operation, request, options, send) => {
      if (/write/i.test(operation)) throw Object.assign(new Error('no'), { name: 'AccessDeniedException' })
      return send(request, options)
    })
    const g = await open(cinema, store, { create: true })
    const failed: FailedRow[] = []
    const options = { failed: (rows: readonly FailedRow[]) => void failed.push(...rows) }
    await expect(load(g, [source('rows', 'json', ROWS)], options)).rejects.toMatchObject({ code: 'store.refused' })
    expect(failed).toEqual([])
  })

  it('rejects a JSON array instead of lines', async () => {
    await expect(loaded([source('rows', 'json', '[\n{"type":"movie"}\n]')])).rejects.toMatchObject({
      code: 'load.input',
      message: expect.stringContaining("jq -c '.[]'"),
    })
  })

  it("does not read the type of a row as a newer attribute named 'type'", async () => {
    const song = node('song', { name: string(), type: string().optional() }, { id: 'name' })
    const g = await open(graph('songs', [song]), memory())
    const failed: FailedRow[] = []
    const text = lines(
      { type: 'song', name: 'old' },
      { $type: 'song', type: 'song', name: 'new' },
      { type: 'hymn', name: 'own' },
    )
    await load(g, [source('song.jsonl', 'json', text, { type: 'song' })], { failed: rows => void failed.push(...rows) })
    expect(failed).toMatchObject([{ line: 1, code: 'load.row', message: expect.stringContaining("in '$type'") }])
    expect((await g.song.scan().all()).sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: 'new', type: 'song' },
      { name: 'own', type: 'hymn' },
    ])
  })

  it.each(['json', 'dynamodb'] as const)("rejects the option 'columns' for the format %s", async format => {
    const g = await open(cinema, memory())
    const text = format === 'json' ? lines({ type: 'actor', name: 'Ann', born: 1956 }) : ''
    const loading = load(g, [source('rows', format, text, { columns: { born: '' } })])
    await expect(loading).rejects.toMatchObject({
      code: 'load.input',
      message: expect.stringMatching(/^rows: the file is not a CSV file/),
    })
    expect(await g.actor.get('Ann')).toBeUndefined()
  })

  it('needs bounded memory for a line that never ends', async () => {
    const endless: Parameters<typeof load>[1][number] = {
      name: 'zero',
      format: 'json',
      async *open() {
        for (;;) yield new Uint8Array(65_536)
      },
    }
    await expect(loaded([endless])).rejects.toMatchObject({ code: 'load.input' })
  })
})
