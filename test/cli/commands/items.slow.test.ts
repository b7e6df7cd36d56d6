import { describe, expect, it } from 'vitest'
import { builtCommand, Running } from '../command.js'
import { CINEMA, installCopy, projectWith } from '../project.js'
import { noTerminal, Terminal } from '../terminal.js'

const file = await builtCommand()

const EXAMPLE = `export const example = {
  movie: [{ name: 'Big', year: 1988 }],
  actor: [{ name: 'Tom Hanks', born: 1956 }],
  role: [{ movie: 'Big', actor: 'Tom Hanks', character: 'Josh' }],
}
`

const TABLES = `The table cinema:

| PK              | SK             | _type | year | born | character | GSI1PK          | GSI1SK   |
|-----------------|----------------|-------|------|------|-----------|-----------------|----------|
| actor#Tom Hanks | #              | actor |      | 1956 |           |                 |          |
| movie#Big       | #              | movie | 1988 |      |           |                 |          |
| movie#Big       | role#Tom Hanks | role  |      |      | Josh      | actor#Tom Hanks | role#Big |

The index GSI1:

| GSI1PK          | GSI1SK   | PK        | SK             | _type | character |
|-----------------|----------|-----------|----------------|-------|-----------|
| actor#Tom Hanks | role#Big | movie#Big | role#Tom Hanks | role  | Josh      |
`

const items = async (files: Record<string, string>, words: string[] = []) => {
  const folder = projectWith(files)
  const { code, output, errors } = await new Running(file, ['items', 'graph.ts', ...words], {}, folder).ended
  return { code, output, errors: errors.trimEnd() }
}

describe('edgewise items', () => {
  it('items shows the table and its indexes', async () => {
    expect(await items({ 'graph.ts': CINEMA + EXAMPLE })).toEqual({ code: 0, output: TABLES, errors: '' })
  })

  it('items shows the items of a layout from another copy of the package', async () => {
    const laidOut = CINEMA.replace('export default graph(', 'export default layout(graph(').replace('role])', 'role]))')
    const folder = projectWith({ 'graph.ts': laidOut.replace('{ edge,', '{ layout, edge,') + EXAMPLE })
    installCopy(folder, file)
    expect(await new Running(file, ['items', 'graph.ts'], {}, folder).ended).toMatchObject({
      code: 0,
      output: TABLES,
      errors: '',
    })
    const wrong = projectWith({ 'graph.ts': CINEMA.replace("'movie',", "'mo vie',") })
    installCopy(wrong, file)
    expect((await new Running(file, ['items', 'graph.ts'], {}, wrong).ended).errors).toMatch(
      /^graph\.ts:3: .+: .+; .+\. \(name\.invalid\)\n$/,
    )
  })

  it('items includes defaults, except values of the current time or of chance', async () => {
    const graph = `import { created, graph, node, string } from 'edgewise'
const card = node('card', { no: string(), status: string().default('open'), made: created() }, { id: 'no', by: { status: { in: ['status'] } } })
export default graph('cards', [card])
export const example = { card: [{ no: '1' }, { no: '2', status: 'done' }] }
`
    const { output } = await items({ 'graph.ts': graph })
    expect(output).toBe(`The table cards:

| PK     | SK | _type | status | GSI1PK           | GSI1SK |
|--------|----|-------|--------|------------------|--------|
| card#1 | #  | card  | open   | card.status#open | 1      |
| card#2 | #  | card  | done   | card.status#done | 2      |

The index GSI1:

| GSI1PK           | GSI1SK | PK     | SK | _type | status |
|------------------|--------|--------|----|-------|--------|
| card.status#done | 2      | card#2 | #  | card  | done   |
| card.status#open | 1      | card#1 | #  | card  | open   |
`)
  })

  it('items prints JSON', async () => {
    const { output } = await items({ 'graph.ts': CINEMA + EXAMPLE }, ['--json'])
    const role = { kind: 'role', item: expect.objectContaining({ PK: { S: 'movie#Big' }, GSI1SK: { S: 'role#Big' } }) }
    expect(JSON.parse(output)).toEqual({
      table: 'cinema',
      items: [expect.objectContaining({ kind: 'movie' }), expect.objectContaining({ kind: 'actor' }), role],
      indexes: { GSI1: [role] },
    })
  })

  it('items reads JSON rows with dates and sets, for a tenant', async () => {
    const graph = `import { date, graph, node, set, string } from 'edgewise'
const person = node('person', { id: string(), born: date(), skills: set(string()) }, { id: 'id' })
export default graph('people', [person], { tenant: true })`
    const rows = JSON.stringify({ person: [{ id: 'p1', born: '1980-05-01', skills: ['sql'] }] })
    const files = { 'graph.ts': graph, 'rows.json': rows }
    const { code, output } = await items(files, ['--data', 'rows.json', '--tenant', 'acme'])
    expect(code).toBe(0)
    expect(output).toMatch(/\| acme#person#p1 \| # +\| person \| 1980-05-01T00:00:00\.000Z \| \{ sql \} \|/)
    const wrong = { ...files, 'rows.json': rows.replace('1980-05-01', '1980') }
    expect(await items(wrong, ['--data', 'rows.json', '--tenant', 'acme'])).toMatchObject({
      code: 1,
      errors: expect.stringMatching(
        /^rows\.json, person 1: person\.born: '1980' is not accepted; give a day such as .*\.$/,
      ),
    })
    expect(await items(files, ['--data', 'rows.json'])).toMatchObject({
      code: 1,
      errors:
        '--tenant: the graph has tenants, but the option is missing; add the tenant of the rows, for example --tenant acme.',
    })
    expect(await items({ 'graph.ts': CINEMA + EXAMPLE }, ['--tenant', 'acme'])).toMatchObject({
      code: 1,
      errors: '--tenant: the graph has no tenants; remove the option.',
    })
  })

  it.each([
    [
      'no example',
      '',
      /^graph\.ts: the file exports no `example`; add `export const example = .*`, or give rows with --data\.$/,
    ],
    [
      'an example of another type',
      'export const example = { film: [] }',
      "the `example` of graph.ts: 'film' is not a type of the graph; use one of movie, actor, role.",
    ],
    [
      'an example without lists',
      "export const example = { movie: { name: 'Big' } }",
      "the `example` of graph.ts: 'movie' is not a list of rows; use the form [ { … }, … ].",
    ],
    [
      'a row that cannot be',
      "export const example = { movie: [{ name: 'Big', year: '1988' }] }",
      /^the `example` of graph\.ts, movie 1: movie\.year: /,
    ],
    [
      'a row with what is unknown',
      "export const example = { movie: [{ name: 'Big', year: 1988, yaer: 1 }] }",
      /^the `example` of graph\.ts, movie 1: .*yaer/,
    ],
  ])('items rejects %s', async (_, example, message) => {
    const { code, output, errors } = await items({ 'graph.ts': CINEMA + example })
    expect({ code, output }).toEqual({ code: 1, output: '' })
    if (typeof message === 'string') expect(errors).toBe(message)
    else expect(errors).toMatch(message)
  })

  it('items rejects an unreadable file of rows', async () => {
    const files = { 'graph.ts': CINEMA, 'half.json': '{"movie": [' }
    expect(await items(files, ['--data', 'half.json'])).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^half\.json: the file is not valid JSON \(/),
    })
    expect((await items(files, ['--data', 'none.json'])).errors).toBe(
      'none.json: the file does not exist; check the path.',
    )
  })

  it('items fits the terminal width, with colors', async context => {
    if (noTerminal) context.skip(noTerminal)
    const folder = projectWith({ 'graph.ts': CINEMA + EXAMPLE })
    const terminal = new Terminal([process.execPath, file, 'items', 'graph.ts'], { columns: 60, cwd: folder })
    expect(await terminal.ended).toBe(0)
    expect(Math.max(...terminal.text.split('\n').map(line => line.length))).toBeLessThanOrEqual(60)
    expect(terminal.text).toContain('PK               SK              _type  year  born')
    expect(terminal.text).toContain('no room for')
    expect(terminal.raw).toContain('\u001b[36mactor#Tom Hanks')
  })
})
