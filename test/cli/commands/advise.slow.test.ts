import { describe, expect, it } from 'vitest'
import { adviseEdge } from '../../../src/cli/advise/advice.js'
import { defaultEdgeFacts, type EdgeFacts, type EndFacts } from '../../../src/cli/advise/facts.js'
import { adviseNeptune } from '../../../src/cli/advise/neptune.js'
import { memory } from '../../../src/engine/memory.js'
import { counter, edge, graph, layout, node, open, string } from '../../../src/index.js'
import { CINEMA, commands, folderWith } from '../cinema-folder.js'
import { noTerminal, Terminal } from '../terminal.js'

const movie = node('movie', { id: string() }, { id: 'id' })
const actor = node('actor', { id: string() }, { id: 'id' })
const friend = edge('friend', { one: actor, other: actor }, {}, { undirected: true })
const cast = edge('cast', { movie, actor }, {}, { one: 'movie' })
const { edges } = graph('cinema', [movie, actor, edge('role', { movie, actor }), friend, cast]).declared
const declared = (name: string) => edges.find(each => each.name === name)!

function facts(name: string, own: Partial<EdgeFacts>, ends: Record<string, Partial<EndFacts>> = {}): EdgeFacts {
  const usual = defaultEdgeFacts(declared(name))
  const filled = Object.entries(usual.ends).map(([end, each]) => [end, { ...each, ...ends[end] }] as const)
  return { ...usual, ...own, ends: Object.fromEntries(filled) }
}

const best = async (name: string, own: Partial<EdgeFacts>, ends: Record<string, Partial<EndFacts>> = {}) =>
  (await adviseEdge(declared(name), facts(name, own, ends))).choices[0]!

describe('advise', { timeout: 30_000 }, () => {
  it('the advice is an index for the other end, and a mirror for strongly consistent reads', async () => {
    expect((await best('role', { writesPerSecond: 100 })).ways).toEqual({ movie: 'adjacent', actor: 'index' })
    const both = { movie: { consistent: true }, actor: { consistent: true } }
    expect((await best('role', { writesPerSecond: 100 }, both)).ways).toEqual({ movie: 'adjacent', actor: 'mirror' })
    const one = await best('role', { writesPerSecond: 100 }, { actor: { consistent: true } })
    expect(one.ways).toEqual({ actor: 'adjacent', movie: 'index' })
  })

  it('the advice stores nothing for an end without reads', async () => {
    const { ways } = await best('role', { writesPerSecond: 100 }, { actor: { readsPerSecond: 0 } })
    expect(ways).toEqual({ movie: 'adjacent', actor: 'none' })
  })

  it('the advice copies stable attributes, and fetches attributes that change often and are copied widely', async () => {
    const shown = { shows: 'few', readsPerSecond: 100 } as const
    expect((await best('role', {}, { movie: shown })).carried).toEqual(['movie'])
    const wide = { movie: { ...shown, fewChangesPerSecond: 10 }, actor: { typical: 10_000, most: 100_000 } }
    const { choices, because } = await adviseEdge(declared('role'), facts('role', {}, wide))
    expect(choices[0]!.carried).toEqual([])
    expect(because.movie).toContain('fetch the shown attributes of actor')
  })

  it('the advice recognizes the current alternative also by the copied attributes', async () => {
    const named = node('actor', { id: string(), born: string().immutable() }, { id: 'id' })
    const carrying = edge('role', { movie, actor: named }, {}, { carry: { born: 'actor.born' } })
    const present = { movie: 'adjacent', actor: 'index' } as const
    const shown = facts('role', {}, { movie: { shows: 'few' }, actor: { shows: 'few' } })
    const presentOf = async (each: typeof carrying.declared) =>
      (await adviseEdge(each, shown, present)).choices.flatMap(choice => (choice.present ? [choice.name] : []))
    expect(await presentOf(declared('role'))).toEqual(['movie adjacent, actor index'])
    expect(await presentOf(carrying.declared)).toEqual(['movie adjacent, actor index, copies for movie'])
  })

  it('the advice offers to embed only bounded and small edges', async () => {
    const offers = async (most: number) => {
      const { choices } = await adviseEdge(declared('role'), facts('role', {}, { movie: { typical: 5, most } }))
      return choices.filter(({ embedded }) => embedded === 'movie').length
    }
    expect(await offers(50)).toBe(1)
    expect(await offers(100_000)).toBe(0)
  })

  it('the advice warns of a hot partition and names the required shards', async () => {
    const { warnings } = await adviseEdge(
      declared('role'),
      facts('role', { writesPerSecond: 2000 }, { actor: { hottest: 0.5 } }),
    )
    expect(warnings.join()).toMatch(/the busiest actor takes 2000 write units .* shards: 4/)
  })

  it.each(['friend', 'cast'])(
    'the advice has alternatives for an edge that is undirected or the only one: %s',
    async name => {
      const { choices } = await adviseEdge(declared(name), facts(name, {}))
      expect(choices.length).toBeGreaterThan(1)
      expect(choices[0]!.unfit).toBeUndefined()
    },
  )

  it('the advice is a mirror for an undirected edge with strongly consistent reads, because a read uses both ends', async () => {
    for (const end of ['one', 'other']) {
      const { choices } = await adviseEdge(declared('friend'), facts('friend', {}, { [end]: { consistent: true } }))
      expect(choices.map(({ ways, unfit }) => [ways.other, unfit])).toEqual([
        ['mirror', undefined],
        ['index', `reads from ${end} may miss the latest writes`],
      ])
    }
  })

  it('the advice prices writes and reads as the engine counts them', async () => {
    const made = facts('role', { bytes: 1500, writesPerSecond: 1 }, { movie: { typical: 3 }, actor: { typical: 3 } })
    const { choices } = await adviseEdge(declared('role'), made)
    const usual = choices.find(({ name }) => name === 'movie adjacent, actor index')!
    const role = edge('role', { movie, actor }, { payload: string() })
    const g = await open(graph('cinema', [movie, actor, role]), memory())
    const put = await g.role.put({ movie: 'm'.repeat(17), actor: 'a'.repeat(17), payload: 'p'.repeat(1500) }).run()
    expect(usual.unitsPerSecond.write).toBe(put.consumed.total)
    for (const each of ['b', 'c'])
      await g.role.put({ movie: 'm'.repeat(17), actor: each.repeat(17), payload: 'p'.repeat(1500) })
    const read = await g.role.by.movie('m'.repeat(17)).all().run()
    expect(usual.reads.movie?.units).toBe(read.consumed.total)
    expect(usual.dollarsPerMonth.onDemand).toBeCloseTo(
      2.628 * (put.consumed.total * 0.625 + 2 * 0.125 * read.consumed.total),
      5,
    )
  })

  it('the advice includes the existing transaction of a counted edge in its prices', async () => {
    const course = node('course', { id: string(), pupils: counter() }, { id: 'id' })
    const takes = edge('takes', { course, actor }, {}, { count: { course: 'pupils' } })
    const [counted] = graph('school', [course, actor, takes]).declared.edges
    const { choices } = await adviseEdge(counted!, { ...defaultEdgeFacts(counted!), writesPerSecond: 1 })
    const units = (name: string) => choices.find(choice => choice.name === name)!.unitsPerSecond.write
    // The edge and its course, twice each, and the index entry, or the mirror twice.
    expect(units('course adjacent, actor index')).toBe(5)
    expect(units('course adjacent, actor mirror')).toBe(6)
  })

  const byStream = { into: 'visits', by: 'stream' }
  const follows = { from: 'site.name', sync: 'eventual' }
  it.each([
    ['counted by the stream', { count: { site: byStream } }, { site: 'adjacent', fan: 'index' }],
    ['counted by it at both ends', { count: { site: byStream, fan: byStream } }, { fan: 'adjacent', site: 'mirror' }],
    ['counted by it among others', { count: { site: ['days', byStream] } }, { site: 'adjacent', fan: 'index' }],
    ['with a copy that follows', { carry: { name: follows } }, { site: 'adjacent', fan: 'index' }],
    ['that goes with its node', { onDelete: { site: 'cascade' } }, { fan: 'adjacent', site: 'index' }],
  ] as const)('the advice has no alternative that an edge %s cannot have', async (_, options, best) => {
    const [site, fan] = ['site', 'fan'].map(name =>
      node(name, { id: string(), name: string(), visits: counter(), days: counter() }, { id: 'id' }),
    )
    const laidOut = (more: object) =>
      layout(
        graph('sites', [site!, fan!, edge('visit', { fan: fan!, site: site! }, {}, { ...options, ...more } as object)]),
      )
    const [given] = laidOut({}).graph.declared.edges
    const usual = defaultEdgeFacts(given!)
    const unread = { ...usual.ends, site: { ...usual.ends.site!, readsPerSecond: 0 } }
    for (const ends of [usual.ends, unread]) {
      const { choices, declare } = await adviseEdge(given!, { ...usual, ends, writesPerSecond: 100 })
      for (const { ways } of choices) {
        const by = Object.fromEntries(Object.entries(ways).map(([end, as]) => [end, { as }]))
        expect(laidOut({ by }).accesses.map(({ method }) => method)).toContain('adjacent')
      }
      expect(choices[0]!.ways).toEqual(best)
      expect(declare === '').toBe(best.fan === 'adjacent')
    }
  })

  describe('the advice for an edge with an order', () => {
    const user = node('user', { id: string() }, { id: 'id' })
    const advised = async (by: object, options: object, consistent: readonly string[]) => {
      const ends = { from: user, to: user }
      const follow = edge('follow', ends, { since: string(), payload: string() }, { by, ...options } as object)
      const made = layout(graph('social', [user, follow]))
      const usual = defaultEdgeFacts(made.graph.declared.edges[0]!)
      const known = Object.entries(usual.ends).map(([name, each]) => [
        name,
        { ...each, consistent: consistent.includes(name) },
      ])
      const facts = { ...usual, writesPerSecond: 100, ends: Object.fromEntries(known) }
      const present = Object.fromEntries(made.accesses.map(({ name, method }) => [name, method]))
      return { ...(await adviseEdge(made.graph.declared.edges[0]!, facts, present)), follow }
    }
    const since = { order: ['since'] }

    it.each([
      [{ to: since }, {}, [], { from: 'adjacent', to: 'index' }, ''],
      [{ to: since }, {}, ['to'], { from: 'adjacent', to: 'mirror' }, "by: { to: { as: 'mirror' } }"],
      [{ from: since }, {}, [], { to: 'adjacent', from: 'index' }, "by: { to: { as: 'adjacent' } }"],
      [{ from: since }, {}, ['from'], { to: 'adjacent', from: 'mirror' }, /from: \{ as: 'mirror' \}/],
      [{ from: since, to: since }, {}, [], { from: 'index', to: 'index' }, ''],
      [{ from: since, to: since }, {}, ['to'], { from: 'index', to: 'mirror' }, "by: { to: { as: 'mirror' } }"],
      [{ from: since, to: since }, {}, ['from'], { to: 'index', from: 'mirror' }, "by: { from: { as: 'mirror' } }"],
      [{ from: since }, { undirected: true }, [], { from: 'index', to: 'index' }, "by: { from: { as: 'index' } }"],
    ] as const)('%j %j with reads from %j has %j', async (by, options, consistent, ways, declare) => {
      const { choices, declare: said } = await advised(by, options, consistent)
      expect(choices[0]!.ways).toEqual(ways)
      expect(said).toMatch(declare)
      if (declare === '') expect([said, choices[0]!.present]).toEqual(['', true])
      expect(new Set(choices.map(({ ways }) => JSON.stringify(Object.entries(ways).sort()))).size).toBe(choices.length)
    })

    it('the advice prices entries of an embedded edge', async () => {
      const { choices, follow } = await advised({ from: since, to: since }, {}, [])
      const g = await open(graph('social', [user, follow]), memory())
      const { consumed } = await g.follow.put({ from: 'a', to: 'b', since: '2026', payload: 'p' } as never).run()
      expect(choices[0]!.unitsPerSecond.write).toBe(100 * consumed.total)
    })
  })

  it('the defaults are those of an edge with one entry per node', async () => {
    const only = edge('only', { movie, actor }, {}, { one: 'actor' })
    const [given] = graph('cinema', [movie, actor, only]).declared.edges
    const { choices, declare } = await adviseEdge(given!, defaultEdgeFacts(given!))
    expect([choices[0]!.ways, declare]).toEqual([{ actor: 'adjacent', movie: 'index' }, ''])
  })

  it('the advice recommends Neptune above a rate of traversals', async () => {
    const role = facts('role', {}, { movie: { typical: 10, most: 10 }, actor: { typical: 10, most: 10 } })
    const advice = [await adviseEdge(declared('role'), role)]
    const at = (hops: number, perSecond: number) =>
      adviseNeptune({ edges: { role }, traversals: { hops, perSecond } }, advice)
    expect(at(1, 0)).toMatchObject({ answer: 'dynamodb', evenPerSecond: undefined })
    const few = at(2, 0.1)
    expect(few).toMatchObject({ answer: 'dynamodb', requests: 11 })
    expect(at(2, few.evenPerSecond! * 1.01).answer).toBe('neptune')
    expect(at(2, few.evenPerSecond! * 0.99).answer).toBe('dynamodb')
    expect(at(5, 0.001)).toMatchObject({ answer: 'neptune', because: expect.stringContaining('11,111 requests') })
  })
})

describe('edgewise advise', { timeout: 60_000 }, async () => {
  const { run, file } = await commands()

  it('advise reads its facts from a form that it prints', async () => {
    const at = folderWith({ 'graph.ts': CINEMA })
    const form = await run(['advise', at('graph.ts'), '--form'])
    expect(form).toMatchObject({ code: 0, errors: '' })
    const { 'graph.ts': _, ...files } = { 'graph.ts': '', 'facts.json': form.output }
    const filled = folderWith({ ...files, 'graph.ts': CINEMA })
    const advised = await run(['advise', filled('graph.ts'), '--facts', filled('facts.json'), '--json'])
    expect(advised).toMatchObject({ code: 0, errors: '' })
    const { prices, edges: found, neptune, facts: used } = JSON.parse(advised.output)
    expect(prices).toBe('us-east-1, late 2025')
    expect(used).toEqual(JSON.parse(form.output))
    expect(found[0]).toMatchObject({
      edge: 'role',
      choices: [{ name: 'movie adjacent, actor index' }, {}, {}, {}, {}, {}],
    })
    expect(neptune).toMatchObject({ answer: 'dynamodb' })
  })

  it('advise states the limitation of the best alternative if every alternative has one', async () => {
    const at = folderWith({
      'graph.ts': `
import { date, edge, graph, node, string } from 'edgewise'
const user = node('user', { id: string() }, { id: 'id' })
const by = { one: { order: ['since'] } } as const
export default graph('social', [user, edge('knows', { one: user, other: user }, { since: date() }, { undirected: true, by })])
`,
    })
    const { code, output } = await run(['advise', at('graph.ts'), '--set', 'knows.one.consistent=true'])
    expect(code).toBe(0)
    expect(output).toContain('Use one index, other index, though reads from one may miss the latest writes: by: {')
  })

  it('advise prints its advice as text', async () => {
    const at = folderWith({ 'graph.ts': CINEMA })
    const { output } = await run([
      'advise',
      at('graph.ts'),
      '--set',
      'role.total=1e6',
      '--set',
      'role.actor.consistent=true',
    ])
    expect(output).toContain('role: 1,000,000 edges of 200 B')
    expect(output).toContain('movie adjacent, actor index, current (reads from actor may miss the latest writes)')
    expect(output).toContain(
      "Use actor adjacent, movie index: by: { actor: { as: 'adjacent' }, movie: { as: 'index' } }.",
    )
    expect(output).toContain('The smallest Neptune Serverless costs $117 a month, idle (us-east-1, late 2025)')
  })

  it('advise asks questions on a terminal, and repeats a question after an invalid answer', async context => {
    if (noTerminal) context.skip(noTerminal)
    const at = folderWith({ 'graph.ts': CINEMA })
    const terminal = new Terminal([process.execPath, file, 'advise', at('graph.ts')], { columns: 200 })
    await terminal.until('How many role edges are there? [100,000] ')
    terminal.type('many\r')
    await terminal.until('Give a number, such as 20')
    terminal.type('2m\r')
    for (const question of ['without its ends?', 'added a second?', 'changed a second?', 'deleted a second?']) {
      await terminal.until(question)
      terminal.type('\r')
    }
    for (const end of ['movie', 'actor']) {
      await terminal.until(`does one ${end} typically have?`)
      terminal.type('\r')
      await terminal.until('What is the maximum?')
      terminal.type('\r')
      await terminal.until('reads a second come from')
      terminal.type('\r')
      await terminal.until('latest write? [y/N]')
      terminal.type('y\r')
      await terminal.until('ids, few attributes or whole? [ids]')
      terminal.type('\r')
    }
    await terminal.until('longest traversal have? [1]')
    terminal.type('\r')
    await terminal.until('role: 2,000,000 edges of 200 B')
    await terminal.until("Use movie adjacent, actor mirror: by: { actor: { as: 'mirror' } }.")
    expect(await terminal.ended).toBe(0)
  })

  it.each([
    [['graph.ts'], 1, /^advise: there is no terminal for questions; add --set, or --facts/],
    [['none.ts', '--form'], 1, /none\.ts: the file does not exist/],
    [['broken.ts', '--form'], 1, /broken\.ts/],
    [['lone.ts', '--form'], 1, /lone\.ts: the graph has no edges to compare; declare an edge\./],
    [['graph.ts', '--facts', 'none.json'], 1, /none\.json: the file does not exist/],
    [['graph.ts', '--facts', 'half.json'], 1, /half\.json: the file is not valid JSON/],
    [['graph.ts', '--facts', 'odd.json'], 1, /odd\.json: 'edges\.rolle' does not exist; use one of role\./],
    [
      ['graph.ts', '--set', 'role.total=many'],
      1,
      /^--set: 'edges\.role\.total' is "many"; give a number of at least 0\./,
    ],
    [['graph.ts', '--set', 'roles.total=5'], 1, /^--set: 'roles\.total' names no edge of the graph; use one of role\./],
    [
      ['graph.ts', '--set', 'role.movie.shows=all'],
      1,
      /^--set: 'edges\.role\.ends\.movie\.shows' is 'all'; give 'ids', 'few' or 'whole'\./,
    ],
    [['graph.ts', '--set', 'role'], 2, /Use the form name=value/],
  ])('advise reports an error for %j', async (words, code, message) => {
    const at = folderWith({
      'graph.ts': CINEMA,
      'broken.ts': 'export default',
      'lone.ts':
        "import { graph, node, string } from 'edgewise'\nexport default graph('g', [node('n', { id: string() }, { id: 'id' })])",
      'half.json': '{"edges"',
      'odd.json': '{"edges":{"rolle":{}}}',
    })
    const ended = await run(['advise', ...words.map(word => (/\.(ts|json)$/.test(word) ? at(word) : word))])
    expect(ended.errors).toMatch(message)
    expect(ended).toMatchObject({ code, output: '' })
  })
})
