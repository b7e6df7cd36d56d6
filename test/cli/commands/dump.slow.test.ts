import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createDumpRate } from '../../../src/cli/dump/progress-rate.js'
import { memory } from '../../../src/engine/memory.js'
import { edge, graph, integer, node, open, type Store, string, wrap } from '../../../src/index.js'
import { commands, endpoint, folderWith } from '../cinema-folder.js'

const { run, begin, file } = await commands()

const SCHEMA = `
import { edge, graph, integer, node, string } from 'edgewise'
const movie = node('movie', { name: string(), year: integer() }, { id: 'name' })
const actor = node('actor', { name: string() }, { id: 'name' })
export default graph('cinema', [movie, actor, edge('role', { movie, actor }, { character: string() })])
`
const movie = node('movie', { name: string(), year: integer() }, { id: 'name' })
const actor = node('actor', { name: string() }, { id: 'name' })
const cinema = graph('cinema', [movie, actor, edge('role', { movie, actor }, { character: string() })])

async function filled(): Promise<Store> {
  const store = memory()
  const g = await open(cinema, store)
  await g.movie.put({ name: 'Big', year: 1988 })
  await g.actor.put({ name: 'Tom Hanks' })
  await g.role.put({ movie: 'Big', actor: 'Tom Hanks', character: 'Josh' })
  return store
}

describe('edgewise dump', { timeout: 60_000 }, () => {
  it('dump writes a file for each type that load can read', async () => {
    const { url } = await endpoint(await filled())
    const at = folderWith({ 'graph.ts': SCHEMA })
    const dumped = await run(['dump', at('graph.ts'), at('rows'), '--endpoint', url])
    expect(dumped).toMatchObject({ code: 0, errors: '' })
    expect(dumped.output).toMatch(/^Dumped 3 rows of 4 items to .* in [\d.]+ s; [\d.]+ capacity units\.\n$/)
    expect(readdirSync(at('rows')).sort()).toEqual(['actor.jsonl', 'movie.jsonl', 'role.jsonl'])
    expect(readFileSync(at('rows/role.jsonl'), 'utf8')).toBe(
      '{"type":"role","movie":"Big","actor":"Tom Hanks","character":"Josh"}\n',
    )
    const loaded = await run(['load', at('graph.ts'), at('rows'), '--path', at('data'), '--json'])
    expect(JSON.parse(loaded.output)).toMatchObject({ written: 3, failed: 0 })
    const again = await run(['dump', at('graph.ts'), at('again'), '--path', at('data'), '--format', 'csv', '--json'])
    expect(JSON.parse(again.output)).toMatchObject({ items: 4, rows: 3, unknown: 0, failed: 0 })
    expect(readFileSync(at('again/role.csv'), 'utf8')).toBe('movie,actor,character\nBig,Tom Hanks,Josh\n')
  })

  it('dump writes the formats of DynamoDB imports and of Neptune', async () => {
    const { url } = await endpoint(await filled())
    const at = folderWith({ 'graph.ts': SCHEMA })
    const dump = (folder: string, ...more: string[]) =>
      run(['dump', at('graph.ts'), at(folder), '--endpoint', url, '--format', folder, ...more])
    expect(await dump('dynamodb')).toMatchObject({ code: 0, output: expect.stringContaining('Dumped 4 items') })
    expect(readdirSync(at('dynamodb'))).toEqual(['part-00001.json.gz'])
    const lines = gunzipSync(readFileSync(at('dynamodb/part-00001.json.gz')))
      .toString()
      .trim()
      .split('\n')
    expect(lines.map(line => JSON.parse(line).Item.PK.S).sort()).toEqual([
      '$edgewise',
      'actor#Tom Hanks',
      'movie#Big',
      'movie#Big',
    ])
    expect(await dump('gremlin', '--type', 'movie', 'role')).toMatchObject({ code: 0 })
    expect(readdirSync(at('gremlin')).sort()).toEqual(['movie.csv', 'role.csv'])
    expect(readFileSync(at('gremlin/role.csv'), 'utf8')).toBe(
      '~id,~from,~to,~label,character:String\nrole#Big#Tom Hanks,movie#Big,actor#Tom Hanks,role,Josh\n',
    )
    expect(await dump('opencypher')).toMatchObject({ code: 0 })
    expect(readFileSync(at('opencypher/movie.csv'), 'utf8')).toBe(
      ':ID,:LABEL,name:String,year:Long\nmovie#Big,movie,Big,1988\n',
    )
  })

  it('dump escapes CSV cells that a spreadsheet would run as a formula, on request', async () => {
    const at = folderWith({ 'graph.ts': SCHEMA })
    const movies = ['=1+1', '+1', '-2', '@SUM(A1)', '\tx', 'a=b']
    const { url, store } = await endpoint()
    const g = await open(cinema, store)
    for (const [i, name] of movies.entries()) await g.movie.put({ name, year: -1 - i })
    const dump = (folder: string, ...words: string[]) =>
      run(['dump', at('graph.ts'), at(folder), '--type', 'movie', '--endpoint', url, ...words])
    const linesOf = (folder: string) =>
      readFileSync(at(`${folder}/movie.csv`), 'utf8')
        .trimEnd()
        .split('\n')
        .slice(1)
    expect(await dump('plain', '--format', 'csv')).toMatchObject({ code: 0 })
    expect(linesOf('plain').map(line => line.replace(/,.*/, ''))).toEqual(expect.arrayContaining(['=1+1', '@SUM(A1)']))
    expect(await dump('escaped', '--format', 'csv', '--escape-formulas')).toMatchObject({ code: 0 })
    expect(
      linesOf('escaped')
        .map(line => line.replace(/,.*/, ''))
        .sort(),
    ).toEqual(["'=1+1", '+1', '-2', "'@SUM(A1)", "'\tx", 'a=b'].sort())
    expect(await dump('json', '--escape-formulas')).toMatchObject({
      code: 2,
      errors: '--escape-formulas: the option is only for CSV; add --format csv.\n',
    })
  })

  it.each(['json', 'dynamodb'])('an interrupted dump continues without duplicates: %s', async format => {
    const inner = memory()
    const g = await open(cinema, inner)
    const name = (i: number) => `${i}${'x'.repeat(900)}`
    await g.$batch(Array.from({ length: 8000 }, (_, i) => g.movie.put({ name: name(i), year: i })))
    let scans = 0
    const slow = wrap(inner, async (operation, request, options, send) => {
      if (operation === 'scan') {
        scans++
        await new Promise(resolve => setTimeout(resolve, 100))
      }
      return send(request, options)
    })
    const { url } = await endpoint(slow)
    const at = folderWith({ 'graph.ts': SCHEMA })
    const words = ['dump', at('graph.ts'), at('out'), '--endpoint', url, '--segments', '1', '--format', format]
    for (const signal of ['SIGINT', 'SIGKILL'] as const) {
      const until = scans + 4
      const running = begin(words)
      while (scans < until && running.process.exitCode === null) await new Promise(resolve => setTimeout(resolve, 5))
      running.process.kill(signal)
      const { code, errors } = await running.ended
      expect(code).toBe(signal === 'SIGINT' ? 130 : null)
      if (signal === 'SIGINT')
        expect(errors).toMatch(/^dump: a signal stopped the command after \d+ items; run the same command again/)
      expect(existsSync(at('out.checkpoint'))).toBe(true)
    }
    expect(await run(words)).toMatchObject({ code: 0, errors: '' })
    const text = readdirSync(at('out'))
      .sort()
      .map(file => readFileSync(at(`out/${file}`)))
      .map(bytes => (format === 'json' ? bytes : gunzipSync(bytes)).toString())
      .join('')
    const rows = text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    const names = rows.map(row => row.name ?? row.Item.PK.S).filter(each => each !== '$edgewise')
    expect(names.length).toBe(8000)
    expect(new Set(names).size).toBe(8000)
  })

  it.each(['csv', 'dynamodb'])('a failed dump continues from its last checkpoint: %s', async format => {
    const inner = await filled()
    let fails = true
    const failing = wrap(inner, async (operation, request, options, send) => {
      if (operation === 'scan' && fails) return send({ ...request, Segment: 9, TotalSegments: 1 }, options)
      return send(request, options)
    })
    const { url } = await endpoint(failing)
    const at = folderWith({ 'graph.ts': SCHEMA })
    const words = ['dump', at('graph.ts'), at('out'), '--endpoint', url, '--format', format]
    for (let times = 0; times < 2; times++)
      expect(await run(words)).toMatchObject({ code: 1, output: '', errors: expect.stringContaining('Segment') })
    fails = false
    expect(await run(words)).toMatchObject({ code: 0, errors: '' })
    expect(existsSync(at('out.checkpoint'))).toBe(false)
    if (format === 'csv') expect(readFileSync(at('out/movie.csv'), 'utf8')).toBe('name,year\nBig,1988\n')
  })

  it('a dump reports each unreadable item once, after any number of interruptions', async () => {
    const inner = await filled()
    for (const year of ['many', 'few']) {
      const Item = { PK: { S: `movie#${year}` }, SK: { S: '#' }, _type: { S: 'movie' }, year: { S: year } }
      await inner.putItem({ TableName: 'cinema', Item })
    }
    let fails = true
    const failing = wrap(inner, async (operation, request, options, send) => {
      if (operation !== 'scan') return send(request, options)
      const isLater = fails && 'ExclusiveStartKey' in request
      return send({ ...request, Limit: 1, ...(isLater && { Segment: 9 }) }, options)
    })
    const { url } = await endpoint(failing)
    const at = folderWith({ 'graph.ts': SCHEMA })
    const words = ['dump', at('graph.ts'), at('out'), '--endpoint', url, '--format', 'dynamodb', '--segments', '4']
    for (let times = 0; times < 3; times++)
      expect(await run(words)).toMatchObject({ code: 1, errors: expect.stringContaining('Segment') })
    fails = false
    expect(await run(words)).toMatchObject({ code: 0, errors: '' })
    const failed = readFileSync(at('out.failed.jsonl'), 'utf8').trim().split('\n')
    expect(failed.map(line => JSON.parse(line).key.PK.S).sort()).toEqual(['movie#few', 'movie#many'])
  })

  it.each([
    [['none.ts', 'out'], 1, / does not exist/],
    [['graph.ts', 'out'], 1, /table 'cinema': the table does not exist; run `edgewise deploy/],
    [
      ['graph.ts', 'out', '--type', 'film'],
      1,
      /^--type: the graph has no type 'film'; use one of movie, actor, role\./,
    ],
    [
      ['graph.ts', 'out', '--format', 'dynamodb', '--type', 'movie'],
      1,
      /^--format dynamodb: this format exports every item; remove --type and --tenant\./,
    ],
    [['graph.ts', 'out', '--tenant', 'acme'], 1, /^--tenant: the graph has no tenants; remove the option\./],
    [['graph.ts', 'out', '--format', 'xml'], 2, /Allowed choices are json, csv, dynamodb, gremlin, opencypher/],
    [['graph.ts', 'out', '--segments', '0'], 2, /Give a whole number from 1/],
    [
      ['graph.ts', 'out', '--endpoint', 'http://127.0.0.1:9'],
      1,
      /^http:\/\/127\.0\.0\.1:9: the connection failed \(ECONNREFUSED\)/,
    ],
  ])('dump reports an error for %j', async (words, code, message) => {
    const at = folderWith({ 'graph.ts': SCHEMA })
    const placed = words.map(word => (/\.ts$|^out$/.test(word) ? at(word) : word))
    const store = words.includes('--endpoint') ? [] : ['--path', at('data')]
    const ended = await run(['dump', ...placed, ...store])
    expect(ended.errors).toMatch(message)
    expect(ended).toMatchObject({ code, output: '' })
  })

  it('a dump starts over after it reported unreadable items, which may be repaired by then', async () => {
    const store = await filled()
    const { url } = await endpoint(store)
    const at = folderWith({ 'graph.ts': SCHEMA })
    const setYear = (year: string) =>
      store.updateItem({
        TableName: 'cinema',
        Key: { PK: { S: 'movie#Big' }, SK: { S: '#' } },
        UpdateExpression: 'SET #y = :y',
        ExpressionAttributeNames: { '#y': 'year' },
        ExpressionAttributeValues: { ':y': { N: year } },
      })
    await setYear('1988.5')
    const words = ['dump', at('graph.ts'), at('out'), '--endpoint', url]
    const dumped = await run(words)
    expect(dumped.errors).toMatch(
      /^dump: 1 item could not be read as declared; see .*out\.failed\.jsonl for each item and its reason\.\n$/,
    )
    expect(dumped.code).toBe(1)
    expect(existsSync(at('out.checkpoint'))).toBe(false)
    await setYear('1988')
    expect(await run(words)).toMatchObject({ code: 1, errors: expect.stringContaining('is not empty') })
    expect(await run([...words, '--restart'])).toMatchObject({ code: 0, errors: '' })
    expect(readFileSync(at('out/movie.jsonl'), 'utf8')).toContain('"Big"')
    expect(existsSync(at('out.failed.jsonl'))).toBe(false)
  })

  it('a continued dump computes its speed from the items since it continued', () => {
    const counts = { items: 1_000_000, rows: 1_000_000, unknown: 0, failed: 2, units: 0 }
    const rate = createDumpRate(counts, 5_000)
    const later = { ...counts, items: 1_003_000 }
    expect(rate(later, 3 * 1024 * 1024, 7_000)).toBe('1,003,000 items, 1,500 items/s, 1.5 MB/s, 2 failed')
  })

  it('dump overwrites nothing without --restart', async () => {
    const { url } = await endpoint(await filled())
    const at = folderWith({ 'graph.ts': SCHEMA })
    const words = ['dump', at('graph.ts'), at('out'), '--endpoint', url]
    await run(words)
    writeFileSync(at('out/movie.jsonl'), 'mine')
    expect(await run(words)).toMatchObject({ code: 1, errors: expect.stringContaining('is not empty') })
    expect(readFileSync(at('out/movie.jsonl'), 'utf8')).toBe('mine')
    expect(await run([...words, '--restart'])).toMatchObject({ code: 0 })
    expect(readFileSync(at('out/movie.jsonl'), 'utf8')).toContain('"Big"')
  })

  it('dump leaves no rows of another dump in its folder, which a load of the folder would read', async () => {
    const { url } = await endpoint(await filled())
    const at = folderWith({ 'graph.ts': SCHEMA })
    const words = ['dump', at('graph.ts'), at('out'), '--endpoint', url]
    await run([...words, '--format', 'csv'])
    for (const format of ['json', 'dynamodb']) {
      const errors = expect.stringMatching(
        /out\/\w+\.csv: the file does not belong to this dump, but a load of the folder would read it/,
      )
      expect(await run([...words, '--format', format, '--restart'])).toMatchObject({ code: 1, errors })
    }
    const errors = expect.stringContaining('does not belong to this dump')
    // The rejection of another dump keeps the checkpoint of the interrupted one.
    writeFileSync(at('out.checkpoint'), 'where it was')
    expect(await run([...words, '--format', 'csv', '--type', 'role', '--restart'])).toMatchObject({ code: 1, errors })
    expect(readFileSync(at('out.checkpoint'), 'utf8')).toBe('where it was')
    expect(readdirSync(at('out')).every(name => name.endsWith('.csv'))).toBe(true)
    expect(await run([...words, '--format', 'csv', '--restart'])).toMatchObject({ code: 0 })
  })

  it('dump fails if a file cannot be written completely, or is shorter than its checkpoint', async () => {
    const store = memory()
    const g = await open(cinema, store)
    await g.$batch(Array.from({ length: 20 }, (_, i) => g.movie.put({ name: `${i}${'x'.repeat(900)}`, year: i })))
    const { url } = await endpoint(store)
    const at = folderWith({ 'graph.ts': SCHEMA })
    const words = ['dump', at('graph.ts'), at('out'), '--endpoint', url]
    // Beyond this size the system writes a part and reports its length.
    const script = 'ulimit -Sf 8; exec "$0" "$@"'
    const dumped = promisify(execFile)('bash', ['-c', script, process.execPath, file, ...words])
    await expect(dumped).rejects.toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('EFBIG') })
    const begun = readFileSync(at('out/movie.jsonl'))
    writeFileSync(at('out/movie.jsonl'), '')
    const shorter = expect.stringContaining(
      'movie.jsonl: the file is shorter than its checkpoint states; add --restart to start over.',
    )
    expect(await run(words)).toMatchObject({ code: 1, errors: shorter })
    writeFileSync(at('out/movie.jsonl'), begun)
    expect(await run(words)).toMatchObject({ code: 0, output: expect.stringContaining('Dumped 20 rows') })
    expect(
      readFileSync(at('out/movie.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).year)
        .sort(),
    ).toEqual(Array.from({ length: 20 }, (_, i) => i).sort())
  })
})
