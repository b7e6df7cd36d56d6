import { describe, expect, it } from 'vitest'
import { builtCommand, Running } from '../command.js'
import { CINEMA, projectWith } from '../project.js'

const file = await builtCommand()

const explain = async (call: string, words: string[] = [], graph = CINEMA) => {
  const folder = projectWith({ 'graph.ts': graph })
  const { code, output, errors } = await new Running(file, ['explain', 'graph.ts', call, ...words], {}, folder).ended
  return { code, output, errors: errors.trimEnd() }
}

describe('edgewise explain', () => {
  it('explain shows the requests of a call and their price', async () => {
    const expected = `1. Query on the table: PK = "movie#Big" AND begins_with(SK, "role#")
   1 request, 1.5 read units, eventually consistent
2. BatchGetItem on the table, after 1: the keys found, in batches of 100
   1 request, 20 read units, eventually consistent
Total: 2 requests, 21.5 read units.
Price: $2.69 per million calls on demand (us-east-1, late 2025).
`
    const sizes = ['--items', '40', '--item-bytes', '300']
    const call = "role.by.movie('Big').withNodes().all()"
    expect(await explain(call, sizes)).toEqual({ code: 0, output: expected, errors: '' })
    expect(await explain(`g.${call}`, sizes)).toMatchObject({ output: expected })
  })

  it('explain shows the waves of a traversal', async () => {
    const call = "actor.from('Tom Hanks').hop(role.by.actor).hop(role.by.movie).ids()"
    const { output } = await explain(call, ['--items', '10', '--item-bytes', '300'])
    expect(output.split('\n').filter(line => !line.startsWith('   '))).toEqual([
      'Wave 1. 1 list of role.by.actor: 1 request, 0.5 read units',
      'Wave 2. 10 lists of role.by.movie: 10 requests, 5 read units',
      'Total: 11 requests expected and at most 100, 5.5 read units expected and at most 17500.',
      'Price: $0.69 per million calls on demand (us-east-1, late 2025).',
      '',
    ])
    const { steps, total } = JSON.parse((await explain(call, ['--json'])).output)
    expect(steps.map((step: { operation: string }) => step.operation)).toEqual(['Query', 'Query'])
    expect(total.requests).toBe(21)
    expect((await explain("actor.from('Tom Hanks').hop(role.by.actor)")).errors).toContain('end it with .ids()')
  })

  it('explain shows requests as JSON', async () => {
    const { output } = await explain("g.movie.update('Big', { year: add(1) })", ['--json'])
    expect(JSON.parse(output)).toMatchObject({
      steps: [
        {
          id: 0,
          operation: 'UpdateItem',
          request: { operation: 'updateItem', input: { Key: { PK: { S: 'movie#Big' } } } },
        },
      ],
      total: { requests: 1, write: { table: 1 } },
      millionDollars: 0.625,
    })
  })

  it('explain accepts a call as written in a program, including writes', async () => {
    const { output } = await explain("movie.get('Big')")
    expect((await explain("await g.movie.get('Big');\n")).output).toBe(output)
    const upsert = "g.movie.upsert({ name: 'Big', year: 1 }, { year: add(1) })"
    expect((await explain(upsert)).output).toContain('1. UpdateItem on the table')
    expect(JSON.parse((await explain(upsert, ['--json'])).output)).toMatchObject({
      steps: [{ request: { operation: 'updateItem' } }],
    })
  })

  it('explain works for a graph whose name is invalid for a table', async () => {
    const { code, output } = await explain("movie.get('Big')", [], CINEMA.replace("graph('cinema'", "graph('hr'"))
    expect([code, output]).toEqual([0, expect.stringContaining('1. GetItem on the table')])
  })

  it('explain works for transactions and for tenants', async () => {
    expect((await explain("$transact([movie.delete('Big'), actor.delete('Tom Hanks')])")).output).toContain(
      '1. TransactWriteItems on the table',
    )
    const tenants = CINEMA.replace('role])', 'role], { tenant: true })')
    expect((await explain("$tenant('acme').movie.get('Big')", [], tenants)).output).toContain('PK = "acme#movie#Big"')
    expect((await explain("movie.get('Big')", [], tenants)).errors).toBe(
      "`movie.get('Big')`: the call cannot be evaluated (movie is not defined); begin with $tenant('name'), because the graph has tenants.",
    )
    expect((await explain("$tenant('acme').role.by.film('Big').all()", [], tenants)).errors).toMatch(
      /; use a member of role\.by: movie, actor\.$/,
    )
  })

  it.each([
    [
      "role.by.actor('Tom Hanks')",
      "`role.by.actor('Tom Hanks')`: this is not a call; end it with .all(), .first(), .page() or .count().",
    ],
    ['42', "`42`: this is not a call; write one like role.by.actor('Tom Hanks').all()."],
    [
      "film.get('Big')",
      "`film.get('Big')`: the call cannot be evaluated (film is not defined); use a member of g: movie, actor, role.",
    ],
    [
      "role.by.director('x').all()",
      "`role.by.director('x').all()`: the call cannot be evaluated (role.by.director is not a function); use a member of role.by: movie, actor.",
    ],
    [
      "g.movie.fetch('Big')",
      "`g.movie.fetch('Big')`: the call cannot be evaluated (g.movie.fetch is not a function); use a member of movie: by, get, exists, many, collect, scan, put, create, putIfAbsent, update, delete, check, upsert, from, shortestPath, shortestPaths, common, similarity, keyOf, decode.",
    ],
    [
      'movie.get(',
      '`movie.get(`: the call cannot be evaluated (Unexpected end of input); use a member of g: movie, actor, role.',
    ],
    ['movie.get(3)', 'movie.name: 3 is not accepted; give a string. (value.type)'],
  ])('explain rejects %s', async (call, message) => {
    expect(await explain(call)).toEqual({ code: 1, output: '', errors: message })
  })

  it('explain requires a call and a numeric size', async () => {
    const folder = projectWith({ 'graph.ts': CINEMA })
    expect(await new Running(file, ['explain', 'graph.ts'], {}, folder).ended).toMatchObject({ code: 2 })
    expect(await explain("movie.get('Big')", ['--items', 'many'])).toMatchObject({
      code: 2,
      errors: expect.stringContaining('Give a whole number from 0.'),
    })
  })
})
