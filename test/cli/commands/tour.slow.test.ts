import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TOUR_STOPS } from '../../../src/cli/tour/stops.js'
import { EXPECTED } from '../../examples/expected-requests.js'
import { builtCommand, Running } from '../command.js'
import { noTerminal, Terminal } from '../terminal.js'
import { withoutDuckDB } from '../without-duckdb.js'

const file = await builtCommand()
const MENU = 'A number or a name, Enter for the next, a for all, q to quit: '
const PAGE = 'Enter for the next, b for the one before, m for the menu, q to quit: '

const opened: Terminal[] = []
const tour = (words: string[] = [], columns = 80, environment = {}) => {
  const terminal = new Terminal([process.execPath, file, 'tour', ...words], { columns, environment })
  opened.push(terminal)
  return terminal
}
afterEach(() => {
  for (const terminal of opened.splice(0)) terminal.kill()
})

describe('edgewise tour, outside a terminal', () => {
  it('tour prints every example and every question as plain text', async () => {
    const { code, output, errors } = await new Running(file, ['tour']).ended
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(output).not.toContain('\u001b')
    expect([...TOUR_STOPS].sort()).toEqual([...Object.keys(EXPECTED), 'nightly'].sort())
    for (const [name, questions] of Object.entries(EXPECTED)) {
      expect(output).toContain(`── ${TOUR_STOPS.indexOf(name as (typeof TOUR_STOPS)[number]) + 1} ${name} ──`)
      for (const what of Object.keys(questions)) expect(output).toContain(`\n\n${what}\n\n`)
    }
  })

  it('tour shows the question, the requests, the items, the result and the units', async () => {
    const { output } = await new Running(file, ['tour', '1']).ended
    expect(output).toContain(
      `── movies, 2 of 4 ${'─'.repeat(62)}

An actor with his roles

  await g.actor.collect("Tom Hanks", { roles: g.role.by.actor })
`.replaceAll('"', "'"),
    )
    expect(output).toContain(`Requests
  1. Query on the index inverted: SK = "ACTOR#Tom Hanks"
     1 request, 0.5 read units, eventually consistent

The index inverted
  SK               PK               _type  born  character
  ACTOR#Tim Allen  ACTOR#Tim Allen  actor  1953
  ACTOR#Tim Allen  MOVIE#Toy Story  role         Buzz
▸ ACTOR#Tom Hanks  ACTOR#Tom Hanks  actor  1956
▸ ACTOR#Tom Hanks  MOVIE#Cast Away  role         Chuck
▸ ACTOR#Tom Hanks  MOVIE#Toy Story  role         Woody
  MOVIE#Cast Away  MOVIE#Cast Away  movie
  MOVIE#Toy Story  MOVIE#Toy Story  movie

Answer
  {
    node: { name: 'Tom Hanks', born: 1956 },`)
    expect(output).toContain('Took 1 request, 0.5 read units: 0.5 on the index inverted')
  })

  it('tour shows the declaration of each graph before its items', async () => {
    const { output } = await new Running(file, ['tour']).ended
    const first = output.slice(0, output.indexOf('The table cinema'))
    expect(first.replaceAll('"', "'")).toContain(`Declared
  const movie = node('movie', { name: string(), year: integer() }, { id: 'name' })
`)
    const declared = Array.from(output.matchAll(/^Declared\n(.*?)\n\n/gms), ([, text]) => text!)
    expect(declared).toHaveLength(TOUR_STOPS.length)
    for (const text of declared) expect(text).toMatch(/= node\(.*(= edge|\bgraph)\(/s)
    expect(declared.join('\n')).not.toMatch(/import|await|;/)
  })

  it('tour shows requests to the shards of one key as one', async () => {
    const { output } = await new Running(file, ['tour', 'people']).ended
    expect(output).toContain('  1 to 8. Query on the index GSI1: GSI1PK = "person.born#0" AND ')
    expect(output).toContain(
      '     and the same for the other 7 shards, merged in order\n  9. BatchGetItem on the table',
    )
  })

  it('tour shows only the named examples, also as JSON', async () => {
    const { output } = await new Running(file, ['tour', 'shops', '2', '--json']).ended
    const stops = JSON.parse(output) as {
      name: string
      questions: { what: string; requests: number; value: unknown }[]
    }[]
    expect(stops.map(({ name }) => name)).toEqual(['shops', 'courses'])
    expect(stops[1]?.questions[0]).toMatchObject({
      what: 'A course with its pupils',
      requests: 1,
      value: { id: 'math' },
    })
  })

  it('tour shows the steps of the nightly jobs with their results', async () => {
    const { code, output } = await new Running(file, ['tour', 'nightly']).ended
    expect(code).toBe(0)
    expect(output).toContain('const ranking = pageRank(')
    expect(output).toMatch(/Rank all people\n\n {2}await runJob\(g, night, ranking.*?written: 3/s)
    expect(output).toMatch(/The next validation finds the damage.*?'facet\.orphan': 2/s)
  })

  it('tour names the missing package where DuckDB is not installed', async () => {
    const { code, output } = await new Running(file, ['tour', 'nightly'], withoutDuckDB()).ended
    expect(code).toBe(0)
    expect(output).toContain("the package '@duckdb/node-api' is not installed; run 'npm install @duckdb/node-api")
    expect(output).toContain('const ranking = pageRank(')
  })

  it('tour rejects an unknown example', async () => {
    expect(await new Running(file, ['tour', 'music']).ended).toMatchObject({
      code: 2,
      output: '',
      errors:
        "tour: 'music' is not an example; use one of 1 movies, 2 courses, 3 follows, 4 shops, 5 school, 6 invoices, 7 people, 8 nightly, or omit the name for a menu.\n",
    })
  })
})

describe('edgewise tour, on a terminal', () => {
  beforeEach(context => {
    if (noTerminal) context.skip(noTerminal)
  })

  it('tour has a menu to choose a graph by number or name, and shows it page by page', async () => {
    const terminal = tour()
    expect(await terminal.until(MENU)).toContain('▸ 1 movies    Movies, actors, and the roles that they play')
    terminal.type('music\r')
    expect(await terminal.until(MENU)).toContain("There is no 'music' here.")
    terminal.type('school\r')
    expect(await terminal.until(PAGE)).toContain('── 5 school ─')
    terminal.type('\r')
    expect(await terminal.until(PAGE)).toContain('── school, 1 of 7 ─')
    terminal.type('\r')
    expect(await terminal.until(PAGE)).toContain('── school, 2 of 7 ─')
    terminal.type('b\r')
    expect(await terminal.until(PAGE)).toContain('── school, 1 of 7 ─')
    terminal.type('m\r')
    expect(await terminal.until(MENU)).toContain('▸ 6 invoices')
    terminal.type('\r')
    expect(await terminal.until(PAGE)).toContain('── 6 invoices ─')
    terminal.type('q\r')
    expect(await terminal.ended).toBe(0)
  })

  it('tour accepts input that is typed ahead', async () => {
    const terminal = tour()
    terminal.type('2\r\r\r')
    await terminal.until('── courses, 2 of 4 ─')
    terminal.type('q\r')
    expect(await terminal.ended).toBe(0)
  })

  it('tour shows the named examples and ends', async () => {
    const terminal = tour(['courses'])
    for (let page = 0; page < 5; page++) {
      await terminal.until(PAGE.replace('m for the menu, ', ''))
      terminal.type('\r')
    }
    expect(await terminal.ended).toBe(0)
  })

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('tour ends on %s', async (_, key) => {
    const terminal = tour()
    await terminal.until(MENU)
    terminal.type(key)
    expect(await terminal.ended).toBe(0)
  })

  it.each([80, 120])('tour fits %i columns, with keys and found items in color', async columns => {
    const terminal = tour(['--all'], columns)
    expect(await terminal.ended).toBe(0)
    expect(Math.max(...terminal.text.split('\n').map(line => line.length))).toBeLessThanOrEqual(columns)
    expect(terminal.raw).toContain('\u001b[32m▸ \u001b[39m')
    expect(terminal.raw).toContain('\u001b[36mMOVIE#Toy Story')
  })

  it('tour has no colors with NO_COLOR', async () => {
    const terminal = tour(['--all'], 80, { NO_COLOR: '1' })
    expect(await terminal.ended).toBe(0)
    expect(terminal.raw).not.toContain('\u001b[3')
  })
})
