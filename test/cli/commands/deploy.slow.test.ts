import { existsSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { metered } from '../../../src/store/metered-store.js'
import { CINEMA, commands, endpoint, folderWith } from '../cinema-folder.js'
import { Running } from '../command.js'
import { noTerminal, Terminal } from '../terminal.js'

const { run, file } = await commands()
const LATER = CINEMA.replace(
  "{ id: 'name' })\nconst actor",
  "{ id: 'name', by: { year: { order: ['year'] } } })\nconst actor",
)

const HINT = (schema: string) =>
  `run \`edgewise backfill ${schema} --from PREVIOUS\` with the same options, where PREVIOUS is the file of the previous schema`

describe('edgewise deploy', { timeout: 60_000 }, () => {
  it('deploy creates a table, adds an index later, and hints at backfill', async () => {
    const { url, store } = await endpoint(memory({ transitionMs: 50 }))
    const at = folderWith({ 'graph.ts': CINEMA, 'later.ts': LATER, 'movie.csv': 'name,year\nBig,1988\n' })
    const to = ['--endpoint', url]
    const shown = await run(['deploy', at('graph.ts'), ...to, '--dry-run'])
    expect(shown).toMatchObject({ code: 0, errors: '' })
    expect(shown.output).toContain('Create the table cinema, keyed by PK and SK, billed by request.')
    expect((await store.listTables({})).TableNames).toEqual([])

    const refused = await run(['deploy', at('graph.ts'), ...to])
    expect(refused).toMatchObject({
      code: 1,
      errors:
        'deploy: nothing was changed, because there is no terminal to confirm on; add --yes to apply the changes.\n',
    })
    expect((await store.listTables({})).TableNames).toEqual([])

    const made = await run(['deploy', at('graph.ts'), ...to, '--yes'])
    expect(made).toMatchObject({ code: 0, errors: '' })
    expect(made.output).toContain('✓ Create the table cinema.\n')
    expect(made.output).toMatch(/cinema matches the schema\.\n$/)
    expect(await run(['load', at('graph.ts'), at('movie.csv'), ...to])).toMatchObject({ code: 0 })

    const again = await run(['deploy', at('graph.ts'), ...to])
    expect(again).toMatchObject({ code: 0, errors: '', output: 'cinema: matches the schema, nothing to change.\n' })

    const later = await run(['deploy', at('later.ts'), ...to, '--yes', '--json'])
    expect(later.errors).toContain(`run \`edgewise backfill ${at('later.ts')}\` with the same options`)
    expect(JSON.parse(later.output)).toMatchObject({
      table: 'cinema',
      postponed: [],
      drift: [expect.anything(), expect.anything()],
    })

    const filled = await run(['backfill', at('later.ts'), ...to])
    expect(filled).toMatchObject({ code: 0, errors: '' })
    expect(filled.output).toMatch(/^cinema is up to date: \d+ items read, 1 item changed\.\n$/)
    expect(await run(['deploy', at('later.ts'), ...to])).toMatchObject({ code: 0, errors: '' })
  })

  it('other commands hint at deploy for a missing index, and at backfill for items of an older layout', async () => {
    const native = LATER.replace("order: ['year']", "order: ['year'], as: 'native'")
    const at = folderWith({ 'graph.ts': CINEMA, 'later.ts': LATER, 'native.ts': native })
    const to = ['--path', at('data')]
    await run(['deploy', at('graph.ts'), ...to, '--yes'])
    for (const [name, ...more] of [['verify'], ['dump', at('rows')]] as const) {
      const lacking = await run([name, at('native.ts'), ...more, ...to])
      expect(lacking.errors).toMatch(/ has no index .*; run `edgewise deploy .*native.ts` with the same options\.\n$/)
      const before = await run([name, at('later.ts'), ...more, ...to])
      expect(before.errors).toMatch(/; run `edgewise backfill .*later.ts` with the same options\.\n$/)
    }
  })

  it('a dry run of backfill shows items, capacity and price, and the backfill then consumes the same', async () => {
    const meter = metered(memory())
    const { url } = await endpoint(meter.store)
    const at = folderWith({ 'graph.ts': CINEMA, 'later.ts': LATER, 'movie.csv': 'name,year\nBig,1988\nAlien,1979\n' })
    const to = ['--endpoint', url]
    await run(['deploy', at('graph.ts'), ...to, '--yes'])
    await run(['load', at('graph.ts'), at('movie.csv'), ...to])
    await run(['deploy', at('later.ts'), ...to, '--yes'])
    meter.meter.reset()
    const dry = await run(['backfill', at('later.ts'), ...to, '--dry-run', '--json'])
    expect(dry).toMatchObject({ code: 0, errors: '' })
    const found = JSON.parse(dry.output)
    expect(found).toMatchObject({ table: 'cinema', dryRun: true, items: 3, changed: 2 })
    expect(found.dollars).toBeCloseTo((found.units.read * 0.125 + found.units.write * 0.625) / 1_000_000, 12)
    expect(meter.meter.snapshot().tables.cinema).toMatchObject({ write: 0, read: found.spent.read })
    const text = await run(['backfill', at('later.ts'), ...to, '--dry-run'])
    expect(text.output).toMatch(
      /^A backfill of cinema would read 3 items and change 2 items\.\nCapacity: .*\nPrice: less than \$0\.01 on demand \(us-east-1, .*\)\.\nNothing was written\. The dry run consumed [\d.]+ read units?\.\n$/,
    )
    meter.meter.reset()
    expect(await run(['backfill', at('later.ts'), ...to, '--json'])).toMatchObject({ code: 0 })
    expect(meter.meter.snapshot().tables.cinema).toMatchObject(found.units)
  })

  it('a dry run of backfill reports a previous schema that is missing, as the backfill does', async () => {
    const at = folderWith({
      'graph.ts': CINEMA,
      'moved.ts': CINEMA.replace("{ id: 'name' })\nconst actor", "{ id: ['year', 'name'] })\nconst actor"),
      'movie.csv': 'name,year\nBig,1988\n',
    })
    const to = ['--path', at('data')]
    await run(['load', at('graph.ts'), at('movie.csv'), ...to])
    const dry = await run(['backfill', at('moved.ts'), ...to, '--dry-run'])
    expect(dry).toMatchObject({ code: 1, errors: expect.stringContaining('--from') })
    const both = await run(['backfill', at('moved.ts'), ...to, '--from', at('graph.ts'), '--dry-run'])
    expect(both).toMatchObject({ code: 0, output: expect.stringContaining('change 1 item.') })
  })

  it('deploy creates no folder in a dry run', async () => {
    const at = folderWith({ 'graph.ts': CINEMA })
    const to = [at('graph.ts'), '--path', at('data')]
    const shown = await run(['deploy', ...to, '--dry-run'])
    expect(shown).toMatchObject({ code: 0, output: expect.stringContaining('Create the table cinema') })
    expect(await run(['deploy', ...to])).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^deploy: nothing was changed/),
    })
    expect(existsSync(at('data'))).toBe(false)
  })

  it('backfill accepts the previous schema as another export of the same file', async () => {
    const text = `import { graph, integer, node, string } from 'edgewise'
const movie = id => node('movie', { name: string(), year: integer() }, { id })
export const before = graph('cinema', [movie('name')])
export default graph('cinema', [movie(['year', 'name'])])
`
    const at = folderWith({ 'graph.js': text, 'movie.csv': 'name,year\nBig,1988\n' })
    const [schema, to] = [at('graph.js'), ['--path', at('data')]]
    await run(['load', schema, at('movie.csv'), '--export', 'before', ...to])
    for (const how of ['--dry-run', '--yes']) {
      const told = await run(['deploy', schema, ...to, how])
      expect(told.output).toContain('update the items with `edgewise backfill --from` with the previous schema.')
      expect(told.errors).toContain(HINT(schema))
    }
    // Every command gives the same hint.
    for (const name of ['verify', 'load'])
      expect((await run([name, schema, ...(name === 'load' ? [at('movie.csv')] : []), ...to])).errors).toContain(
        HINT(schema),
      )
    const refused = await run(['backfill', schema, ...to])
    expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining('pass the old schema as --from. (') })
    const from = ['--from', schema, '--from-export', 'before']
    expect(await run(['backfill', schema, ...to, ...from.slice(2)])).toMatchObject({
      code: 2,
      errors: '--from-export: the option is only for a previous schema; add --from.\n',
    })
    expect((await run(['backfill', schema, ...to, ...from])).output).toMatch(/1 item changed\.\n$/)
    expect(await run(['verify', schema, ...to])).toMatchObject({ code: 0, errors: '' })
  })

  it("deploy completes as many steps as it shows, including the followers' table", async () => {
    const { url, store } = await endpoint()
    const streamed = CINEMA.replace("{ movie: 'cast' }", "{ movie: { into: 'cast', by: 'stream' } }")
    expect(streamed).not.toBe(CINEMA)
    const at = folderWith({ 'graph.ts': streamed })
    const made = await run(['deploy', at('graph.ts'), '--endpoint', url, '--yes'])
    expect(made).toMatchObject({ code: 0, errors: '' })
    const [, said] = /^cinema: does not exist yet, (\d+) steps needed$/m.exec(made.output)!
    expect(made.output.match(/^\d+\. /gm)).toHaveLength(Number(said))
    expect(made.output.match(/^✓ /gm)).toHaveLength(Number(said))
    expect(made.output).toContain('✓ Create the checkpoint table cinema-consumers ')
    expect((await store.listTables({})).TableNames).toEqual(['cinema', 'cinema-consumers'])

    await store.deleteTable({ TableName: 'cinema-consumers' })
    const words = ['deploy', at('graph.ts'), '--endpoint', url, '--yes', '--json']
    expect(JSON.parse((await run([...words, '--no-consumers'])).output)).toMatchObject({ done: [] })
    expect(JSON.parse((await run([...words, '--dry-run'])).output)).toMatchObject({
      consumers: { TableName: 'cinema-consumers' },
    })
    expect(JSON.parse((await run(words)).output)).toMatchObject({
      done: ['Create the checkpoint table cinema-consumers for followers of the stream.'],
    })
  })

  it('deploy works on a folder and prints JSON', async () => {
    const at = folderWith({ 'graph.ts': CINEMA })
    const words = [
      'deploy',
      at('graph.ts'),
      '--path',
      at('data'),
      '--yes',
      '--json',
      '--no-protection',
      '--recovery',
      '0',
    ]
    expect(JSON.parse((await run(words)).output)).toEqual({
      table: 'cinema',
      done: ['Create the table cinema.', 'Let items expire at the time in _expires.'],
      postponed: [],
      drift: [],
    })
    expect(JSON.parse((await run(words)).output)).toMatchObject({ done: [] })
  })

  it('deploy completes its work if the reader of its output disconnects', async () => {
    const at = folderWith({ 'graph.ts': `${CINEMA}process.stderr.write('declared')` })
    const words = ['deploy', at('graph.ts'), '--path', at('data'), '--yes']
    const deploying = new Running(file, words)
    deploying.process.stdout!.destroy()
    deploying.process.stderr!.destroy()
    expect(await deploying.ended).toEqual({ code: 0, signal: null, output: '', errors: '' })
    expect((await run(words)).output).toBe('cinema: matches the schema, nothing to change.\n')
  })

  it('deploy reports impossible changes', async () => {
    const { url, store } = await endpoint()
    await store.createTable({
      TableName: 'cinema',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    })
    const at = folderWith({ 'graph.ts': CINEMA })
    const ended = await run(['deploy', at('graph.ts'), '--endpoint', url, '--yes'])
    expect(ended).toMatchObject({
      code: 1,
      errors: "table 'cinema': the table cannot be changed to this schema; create another table with --table.\n",
    })
    expect(ended.output).toContain('Cannot be changed on a live table:')
    const told = await run(['deploy', at('graph.ts'), '--endpoint', url, '--yes', '--json'])
    expect(told.code).toBe(1)
    expect(JSON.parse(told.output)).toMatchObject({ difference: { impossible: [{ code: 'key.schema' }] }, done: [] })
  })

  it.each([
    [['deploy', 'none.ts'], 1, / does not exist/],
    [['deploy', 'broken.ts'], 1, /broken\.ts/],
    [['deploy', 'graph.ts', '--recovery', '36'], 2, /Give a whole number from 0 to 35/],
    [
      ['deploy', 'graph.ts', '--endpoint', 'http://127.0.0.1:9', '--yes'],
      1,
      /^http:\/\/127\.0\.0\.1:9: the connection failed \(ECONNREFUSED\)/,
    ],
    [['deploy', 'graph.ts', '--region', 'eu-west-1'], 1, /^AWS: no credentials were found/],
    [['backfill', 'graph.ts'], 1, /table 'cinema': the table does not exist; run `edgewise deploy/],
    [['backfill', 'graph.ts', '--from', 'none.ts'], 1, / does not exist/],
    [
      ['backfill', 'graph.ts', '--endpoint', 'http://127.0.0.1:9'],
      1,
      /^http:\/\/127\.0\.0\.1:9: the connection failed \(ECONNREFUSED\)/,
    ],
  ])('deploy reports an error for %j', async (words, code, message) => {
    const at = folderWith({ 'graph.ts': CINEMA, 'broken.ts': 'export default 3' })
    const placed = words.map(word => (word.endsWith('.ts') ? at(word) : word))
    const store = words.some(word => /--(endpoint|region)/.test(word)) ? [] : ['--path', at('data')]
    const ended = await run([...placed, ...store], { HOME: at('home'), AWS_EC2_METADATA_DISABLED: 'true' })
    expect(ended.errors).toMatch(message)
    expect(ended.code).toBe(code)
  })
})

describe('edgewise deploy, on a terminal', { timeout: 60_000 }, () => {
  const opened: Terminal[] = []
  afterEach(() => {
    for (const terminal of opened.splice(0)) terminal.kill()
  })

  it.for([
    ['n\r', 1, 'deploy: nothing was changed, because the changes were not confirmed', []],
    ['\u0003', 1, 'deploy: nothing was changed, because the changes were not confirmed', []],
    ['y\r', 0, 'cinema matches the schema.', ['cinema']],
  ] as const)('deploy asks for confirmation, and %j results in %j', async ([typed, code, said, tables], context) => {
    if (noTerminal) context.skip(noTerminal)
    const { url, store } = await endpoint(memory({ transitionMs: 3000 }))
    const at = folderWith({ 'graph.ts': CINEMA })
    const terminal = new Terminal([process.execPath, file, 'deploy', at('graph.ts'), '--endpoint', url], {
      columns: 200,
    })
    opened.push(terminal)
    await terminal.until('Apply these changes? [y/N] ')
    terminal.type(typed)
    await terminal.until(said)
    expect(await terminal.ended).toBe(code)
    // Steps of more than a second show progress.
    if (code === 0) expect(terminal.text).toContain('the table is CREATING, the index GSI1 is CREATING (')
    expect((await store.listTables({})).TableNames).toEqual(tables)
  })
  it('deploy creates no folder if the answer is no', async context => {
    if (noTerminal) context.skip(noTerminal)
    const at = folderWith({ 'graph.ts': CINEMA })
    const words = ['deploy', at('graph.ts'), '--path', at('data')]
    for (const typed of ['n\r', '\u0003', 'y\r']) {
      expect(existsSync(at('data'))).toBe(false)
      const terminal = new Terminal([process.execPath, file, ...words], { columns: 200 })
      opened.push(terminal)
      await terminal.until('Apply these changes? [y/N] ')
      terminal.type(typed)
      expect(await terminal.ended).toBe(typed === 'y\r' ? 0 : 1)
    }
    expect(existsSync(at('data'))).toBe(true)
  })
})
