import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { disk } from '../../../src/engine/index.js'
import { memory } from '../../../src/engine/memory.js'
import { counter, edge, graph, integer, node, open, type Store, string, wrap } from '../../../src/index.js'
import { CINEMA, commands, endpoint, folderWith } from '../cinema-folder.js'
import { noTerminal, Terminal } from '../terminal.js'

const { run, begin, file } = await commands()

const movie = node('movie', { name: string(), year: integer(), cast: counter() }, { id: 'name' })
const actor = node('actor', { name: string() }, { id: 'name' })
const role = edge('role', { movie, actor }, { character: string() }, { count: { movie: 'cast' } })
const cinema = graph('cinema', [movie, actor, role])

/** Rows of movies, each with this many roles. */
function rowsText(movies: number, roles: number): string {
  const rows: object[] = []
  for (let i = 0; i < roles; i++) rows.push({ type: 'actor', name: `A${i}` })
  for (let i = 0; i < movies; i++) {
    rows.push({ type: 'movie', name: `M${i}`, year: 1900 + i })
    for (let j = 0; j < roles; j++) rows.push({ type: 'role', movie: `M${i}`, actor: `A${j}`, character: `${i}.${j}` })
  }
  return rows.map(row => `${JSON.stringify(row)}\n`).join('')
}

async function counts(store: Store) {
  const g = await open(cinema, store)
  const movies = await g.movie.scan().all()
  return {
    movies: movies.length,
    casts: [...new Set(movies.map(({ cast }) => cast))],
    roles: await g.role.scan().count(),
  }
}

describe('edgewise load', { timeout: 60_000 }, () => {
  it('load writes into a folder on disk and reports the result', async () => {
    const at = folderWith({ 'graph.ts': CINEMA, 'rows.jsonl': rowsText(3, 2) })
    const ended = await run(['load', at('graph.ts'), at('rows.jsonl'), '--path', at('data')])
    expect(ended.errors).toBe('')
    expect(ended.output).toMatch(/^Loaded 11 rows, in [\d.]+ s \(.* rows\/s, .* MB\/s\); \d+ capacity units\.\n$/)
    expect(ended.code).toBe(0)
    expect(existsSync(at('rows.jsonl.checkpoint'))).toBe(false)
    expect(existsSync(at('rows.jsonl.failed.jsonl'))).toBe(false)
    const store = disk(at('data'))
    expect(await counts(store)).toEqual({ movies: 3, casts: [2], roles: 6 })
    await store.close()
  })

  it('load reads standard input, compressed or not, with edges before their nodes', async () => {
    const { url, store } = await endpoint()
    await open(cinema, store)
    const at = folderWith({ 'graph.ts': CINEMA })
    const temporary = at('')
    const hand = async (data: string | Buffer, words: string[] = []) => {
      const running = begin(['load', at('graph.ts'), '-', '--endpoint', url, ...words], { TMPDIR: temporary })
      running.process.stdin!.end(data)
      return running.ended
    }
    const lines = rowsText(3, 2).trimEnd().split('\n').reverse()
    const first = await hand(`${lines.join('\n')}\n`)
    expect(first).toMatchObject({ code: 0, errors: '', output: expect.stringMatching(/^Loaded 11 rows, /) })
    expect(await counts(store)).toEqual({ movies: 3, casts: [2], roles: 6 })
    const table = ['--format', 'csv', '--type', 'movie', '--json']
    const second = await hand(gzipSync('name,year\nBig,1988\nBad,soon\n'), [...table, '--failed', at('failed.jsonl')])
    expect(JSON.parse(second.output)).toMatchObject({ written: 1, failed: 1 })
    expect(JSON.parse(readFileSync(at('failed.jsonl'), 'utf8'))).toMatchObject({ line: 3, text: 'Bad,soon' })
    expect(await hand('')).toMatchObject({ code: 0, output: expect.stringMatching(/^Loaded 0 rows, /) })
    expect(readdirSync(temporary).sort()).toEqual(['failed.jsonl', 'graph.ts'])
  })

  it('load deletes its temporary copy of standard input when stopped', async () => {
    const at = folderWith({ 'graph.ts': CINEMA })
    const running = begin(['load', at('graph.ts'), '-', '--path', at('data')], { TMPDIR: at('') })
    running.process.stdin!.write(rowsText(3, 2))
    while (!readdirSync(at('')).some(name => name.startsWith('edgewise-load-')))
      await new Promise(resolve => setTimeout(resolve, 20))
    running.process.kill('SIGINT')
    expect(await running.ended).toMatchObject({
      code: 130,
      errors: 'load: a signal stopped the command before it loaded any rows; run the same command again.\n',
    })
    expect(readdirSync(at('')).filter(name => name.startsWith('edgewise-load-'))).toEqual([])
  })

  it.each([
    [['-', '-'], /give - once/],
    [['-', '--checkpoint', 'x'], /remove --checkpoint/],
  ])('load rejects standard input in %j', async (words, message) => {
    const at = folderWith({ 'graph.ts': CINEMA })
    const ended = await run(['load', at('graph.ts'), ...words, '--path', at('data')])
    expect(ended.errors).toMatch(message)
    expect(ended.code).toBe(1)
  })

  it('load reads CSV for an endpoint, one file for each type, compressed or not', async () => {
    const { url, store } = await endpoint()
    await open(cinema, store)
    const at = folderWith({
      'graph.ts': CINEMA,
      'movie.csv': 'name,year\r\nBig,1988\r\n',
      'people.csv.gz': gzipSync('Who;Age\nTom Hanks;32\n'),
      'role.csv': 'movie,actor,character\nBig,Tom Hanks,"Josh, the ""big"" one"\n',
    })
    const to = ['--endpoint', url]
    const people = ['--type', 'actor', '--column', 'Who=name', '--column', 'Age=', '--separator', ';', '--json']
    const first = await run(['load', at('graph.ts'), at('people.csv.gz'), ...to, ...people])
    expect(JSON.parse(first.output)).toMatchObject({ written: 1, failed: 0, bytes: expect.any(Number) })
    const second = await run(['load', at('graph.ts'), at('movie.csv'), at('role.csv'), ...to])
    expect(second).toMatchObject({ code: 0, errors: '' })
    const g = await open(cinema, store)
    expect(await g.role.by.actor('Tom Hanks').all()).toEqual([
      { movie: 'Big', actor: 'Tom Hanks', character: 'Josh, the "big" one' },
    ])
    expect((await g.movie.get('Big'))?.cast).toBe(1)
  })

  it('load reads an export of DynamoDB by its manifest, and names missing files', async () => {
    const { url, store } = await endpoint()
    const source = memory()
    const from = await open(cinema, source)
    await from.movie.put({ name: 'Big', year: 1988 })
    await from.actor.put({ name: 'Tom Hanks' })
    await from.role.put({ movie: 'Big', actor: 'Tom Hanks', character: 'Josh' })
    const { Items = [] } = await source.scan({ TableName: 'cinema' })
    const at = folderWith({
      'graph.ts': CINEMA,
      'manifest-summary.json': JSON.stringify({ outputFormat: 'DYNAMODB_JSON', exportType: 'FULL_EXPORT' }),
      'manifest-files.json': '{"itemCount":4,"dataFileS3Key":"AWSDynamoDB/0170-ab/data/x.json.gz"}\n',
    })
    await open(cinema, store)
    const words = ['load', at('graph.ts'), at(''), '--endpoint', url]
    expect(await run(words)).toMatchObject({
      code: 1,
      errors: expect.stringContaining(
        'the manifest names this file, but it does not exist; download all files of the export.',
      ),
    })
    const { mkdirSync, writeFileSync } = await import('node:fs')
    mkdirSync(at('data'))
    writeFileSync(at('data/x.json.gz'), gzipSync(Items.map(Item => `${JSON.stringify({ Item })}\n`).join('')))
    expect(await run(words)).toMatchObject({ code: 0, output: expect.stringContaining('Loaded 3 rows') })
    expect(await counts(store)).toEqual({ movies: 1, casts: [1], roles: 1 })
  })

  it.each([
    ['manifest-summary.json', '{"outputFormat":'],
    ['manifest-files.json', '{"itemCount":4,"dataFile'],
    ['manifest-files.json', '{"itemCount":4}'],
  ])('load reports an incomplete %s %j of an export', async (name, text) => {
    const at = folderWith({ 'graph.ts': CINEMA, 'manifest-files.json': '', [name]: text })
    const ended = await run(['load', at('graph.ts'), at(''), '--path', at('table')])
    expect(ended).toMatchObject({ code: 1, output: '' })
    expect(ended.errors).toMatch(
      new RegExp(`${name}: the manifest of the export is not complete; download it again\\.\n$`),
    )
  })

  it('load saves rejected rows in a file, and fails', async () => {
    const at = folderWith({
      'graph.ts': CINEMA,
      'movie.csv': 'name,year\nBig,1988\nOdd,"soon"\nCut off,"19',
    })
    const ended = await run(['load', at('graph.ts'), at('movie.csv'), '--path', at('data')])
    expect(ended).toMatchObject({
      code: 1,
      output: expect.stringContaining('Loaded 1 row, 2 failed'),
      errors: `load: 2 rows could not be loaded; see ${at('movie.csv.failed.jsonl')} for each row and its reason.\n`,
    })
    const failed = readFileSync(at('movie.csv.failed.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(failed).toEqual([
      {
        source: at('movie.csv'),
        line: 3,
        code: 'value.type',
        message: "movie.year: 'soon' is not accepted; give a safe integer (or declare bigint()).",
        text: 'Odd,"soon"',
      },
      {
        source: at('movie.csv'),
        line: 4,
        code: 'load.row',
        message: 'row: the file ends within a quoted cell; correct the file.',
        text: 'Cut off,"19',
      },
    ])
  })

  it.each(['SIGINT', 'SIGKILL'] as const)('a load continues after %s without duplicates', async signal => {
    const inner = memory()
    let writes = 0
    const store = wrap(inner, async (operation, request, options, send) => {
      if (/write/i.test(operation)) writes++
      return send(request, options)
    })
    await open(cinema, inner)
    const { url } = await endpoint(store)
    const at = folderWith({ 'graph.ts': CINEMA, 'rows.jsonl': rowsText(20, 10) })
    const words = ['load', at('graph.ts'), at('rows.jsonl'), '--endpoint', url, '--concurrency', '2']
    let codes = 0
    for (let times = 0; times < 3; times++) {
      const until = writes + 10
      const running = begin(words)
      while (writes < until && running.process.exitCode === null) await new Promise(resolve => setTimeout(resolve, 5))
      running.process.kill(signal)
      const { code, errors } = await running.ended
      if (signal === 'SIGINT')
        expect(errors).toMatch(/^load: a signal stopped the command after \d+ rows; run the same command again/)
      // A signal that Node does not handle leaves no exit code. Ctrl-C exits as shells expect, different from rejected
      // rows.
      expect(code).toBe(signal === 'SIGINT' ? 130 : null)
      codes++
      expect(existsSync(at('rows.jsonl.checkpoint'))).toBe(true)
    }
    expect(codes).toBe(3)
    const ended = await run([...words, '--json'])
    expect(ended).toMatchObject({ code: 0, errors: '' })
    expect(JSON.parse(ended.output)).toMatchObject({ written: 10 + 20 + 20 * 10, failed: 0 })
    expect(await counts(inner)).toEqual({ movies: 20, casts: [10], roles: 200 })
  })

  it('load shows its progress and speed on a terminal', async context => {
    if (noTerminal) context.skip(noTerminal)
    const inner = memory()
    await open(cinema, inner)
    const slow = wrap(inner, async (operation, request, options, send) => {
      if (/write/i.test(operation)) await new Promise(resolve => setTimeout(resolve, 100))
      return send(request, options)
    })
    const { url } = await endpoint(slow)
    const at = folderWith({ 'graph.ts': CINEMA, 'rows.jsonl': rowsText(8, 6) })
    const words = ['load', at('graph.ts'), at('rows.jsonl'), '--endpoint', url, '--concurrency', '1']
    const terminal = new Terminal([process.execPath, file, ...words], { columns: 120 })
    await terminal.until('rows/s')
    expect(terminal.text).toMatch(/^\d+%, \d+ rows, \d+ rows\/s, \d+\.\d MB\/s, 0 failed/)
    await terminal.until('Loaded 62 rows')
    expect(await terminal.ended).toBe(0)
  })

  it('load can run again after a fix of an unreadable file', async () => {
    const at = folderWith({
      'graph.ts': CINEMA,
      'actor.csv': 'name\nTom Hanks\n',
      'movie.csv': 'Title,year\nBig,1988\n',
    })
    const words = ['load', at('graph.ts'), at('actor.csv'), at('movie.csv'), '--path', at('data')]
    expect(await run(words)).toMatchObject({
      code: 1,
      errors: expect.stringContaining("the column 'Title' is not an attribute of movie"),
    })
    expect(await run([...words.slice(0, 3), at('none.csv'), ...words.slice(4)])).toMatchObject({ code: 1 })
    const { writeFileSync } = await import('node:fs')
    writeFileSync(at('movie.csv'), 'name,year\nBig,1988\n')
    expect(await run(words)).toMatchObject({ code: 0, errors: '', output: expect.stringContaining('Loaded 2 rows') })
  })

  it('load continues only the same interrupted load', async () => {
    const at = folderWith({ 'graph.ts': CINEMA, 'rows.jsonl': rowsText(1, 1) })
    const { writeFileSync } = await import('node:fs')
    writeFileSync(at('rows.jsonl.checkpoint'), JSON.stringify({ of: { table: 'other' }, place: {}, failedBytes: 0 }))
    const words = ['load', at('graph.ts'), at('rows.jsonl'), '--path', at('data')]
    expect(await run(words)).toMatchObject({ code: 1, errors: expect.stringContaining('--restart to start over') })
    expect(await run([...words, '--restart'])).toMatchObject({ code: 0 })
    writeFileSync(at('rows.jsonl.checkpoint'), 'not JSON')
    expect(await run(words)).toMatchObject({ code: 1, errors: expect.stringContaining('is not a checkpoint') })
  })

  it.each([
    [['graph.ts', 'none.csv'], 1, /none\.csv: the file does not exist; check the path\.\n$/],
    [['none.ts', 'rows.jsonl'], 1, /none\.ts: the file does not exist/],
    [['broken.ts', 'rows.jsonl'], 1, /broken\.ts/],
    [['graph.ts', 'half.csv.gz', '--type', 'movie'], 1, /half\.csv\.gz: the gzip file is not complete/],
    [['graph.ts', 'list.json'], 1, /list\.json: the file is a JSON array; write one row per line/],
    [
      ['graph.ts', 'odd.csv', '--type', 'movie'],
      1,
      /the column 'length' is not an attribute of movie, which has name, year; .* \(columns, --column\)/,
    ],
    [['graph.ts', 'odd.csv'], 1, /the type of the rows is missing/],
    [['graph.ts', 'empty'], 1, /empty: the folder has no data files/],
    [
      ['graph.ts', 'rows.jsonl', '--failed', 'empty'],
      1,
      /empty: the file cannot be written \(\w+\); give another file with --failed\./,
    ],
    [
      ['graph.ts', 'odd.csv', 'rows.jsonl', '--failed', 'rows.jsonl'],
      1,
      /rows\.jsonl: this is one of the data files; give other files/,
    ],
    [
      ['graph.ts', 'rows.jsonl', '--restart', '--checkpoint', 'rows.jsonl'],
      1,
      /rows\.jsonl: this is one of the data files/,
    ],
    [
      ['graph.ts', 'rows.jsonl', '--endpoint', 'http://127.0.0.1:9'],
      1,
      /^http:\/\/127\.0\.0\.1:9: the connection failed \(ECONNREFUSED\)/,
    ],
    [['graph.ts', 'rows.jsonl', '--region', 'eu-west-1'], 1, /^AWS: no credentials were found/],
    [['graph.ts', 'rows.jsonl', '--tenant', 'acme'], 1, /the graph has no tenants/],
    [['graph.ts'], 2, /missing required argument 'data'/],
    [['graph.ts', 'rows.jsonl', '--separator', ',,'], 2, /Give one character/],
    [['graph.ts', 'rows.jsonl', '--column', 'name'], 2, /Use the form column=attribute/],
    [['graph.ts', 'rows.jsonl', '--concurrency', '0'], 2, /Give a whole number from 1/],
  ])('load reports an error for %j', async (words, code, message) => {
    const at = folderWith({
      'graph.ts': CINEMA,
      'broken.ts': 'export default graph(',
      'rows.jsonl': rowsText(1, 1),
      'half.csv.gz': gzipSync('name,year\nBig,1988\n'.repeat(1000)).subarray(0, 60),
      'list.json': '[\n  {"type":"movie"}\n]\n',
      'odd.csv': 'name,length\nBig,3\n',
    })
    const { mkdirSync } = await import('node:fs')
    mkdirSync(at('empty'))
    const placed = words.map(word => (/\.(ts|csv|gz|jsonl?)$|^empty$/.test(word) ? at(word) : word))
    const store = words.some(word => /--(endpoint|region)/.test(word)) ? [] : ['--path', at('data')]
    const ended = await run(['load', ...placed, ...store], { HOME: at('home'), AWS_EC2_METADATA_DISABLED: 'true' })
    expect(ended.errors).toMatch(message)
    expect(ended).toMatchObject({ code, output: '' })
  })

  it('load creates no folder without data files', async () => {
    const at = folderWith({ 'graph.ts': CINEMA })
    const ended = await run(['load', at('graph.ts'), at('rows.jsonl'), '--path', at('data')])
    expect(ended).toMatchObject({
      code: 1,
      output: '',
      errors: `${at('rows.jsonl')}: the file does not exist; check the path.\n`,
    })
    expect(existsSync(at('data'))).toBe(false)
  })

  it('load creates no folder for rows of an unknown type', async () => {
    const at = folderWith({ 'graph.ts': CINEMA, 'rows.jsonl': rowsText(1, 1) })
    const ended = await run(['load', at('graph.ts'), at('rows.jsonl'), '--type', 'film', '--path', at('data')])
    expect(ended.errors).toMatch(/^--type: the graph has no type 'film'; use one of /)
    expect(existsSync(at('data'))).toBe(false)
  })

  it('load explains how to create a missing table', async () => {
    const { url } = await endpoint()
    const at = folderWith({ 'graph.ts': CINEMA, 'rows.jsonl': rowsText(1, 1) })
    const ended = await run(['load', at('graph.ts'), at('rows.jsonl'), '--endpoint', url])
    expect(ended.errors).toBe(
      `table 'cinema': the table does not exist; run \`edgewise deploy ${at('graph.ts')}\` with the same options.\n`,
    )
  })
})
