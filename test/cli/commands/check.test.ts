import { describe, expect, it } from 'vitest'
import { builtCommand, Running } from '../command.js'
import { CINEMA, projectWith } from '../project.js'

const file = await builtCommand()

const check = async (files: Record<string, string>, words: string[] = [], installed?: string) => {
  const folder = projectWith(files, installed)
  const { code, output, errors } = await new Running(file, ['check', 'graph.ts', ...words], {}, folder).ended
  return { code, output, errors: errors.trimEnd() }
}

const LAID_OUT = CINEMA.replace(/export default.*/, '')
  .replace('import { edge', 'import { layout, edge')
  .concat("const cinema = graph('cinema', [movie, actor, role])\n")

describe('edgewise check', () => {
  it('check reports the absence of findings', async () => {
    expect(await check({ 'graph.ts': CINEMA })).toEqual({
      code: 0,
      output:
        'cinema: 2 nodes, 1 edge, 1 index. No findings: the keys cannot collide, and DynamoDB accepts the table.\n',
      errors: '',
    })
  })

  it('check prints its result as JSON', async () => {
    const { code, output } = await check({ 'graph.ts': CINEMA }, ['--json'])
    expect(code).toBe(0)
    expect(JSON.parse(output)).toEqual({
      graph: 'cinema',
      nodes: ['movie', 'actor'],
      edges: ['role'],
      table: 'cinema',
      indexes: [{ name: 'GSI1', serves: ['role.by.actor'] }],
      findings: [],
    })
  })

  it('check reports a schema whose top-level await never settles', async () => {
    const { code, output, errors } = await check({ 'graph.ts': `${CINEMA}\nawait new Promise(() => {})\n` })
    expect({ code, output }).toEqual({ code: 1, output: '' })
    expect(errors).toBe(
      'graph.ts: the file never finishes loading, because a top-level await does not settle; find the await that waits for nothing, and remove it.',
    )
  })

  it('check fails if keys can collide, with an example', async () => {
    const given = `${LAID_OUT}export default layout(cinema, { keys: { movie: { PK: '{name}', SK: 'x' }, actor: { PK: '{name}', SK: 'x' } } })`
    const { code, output, errors } = await check({ 'graph.ts': given })
    expect({ code, errors }).toEqual({ code: 1, errors: 'graph.ts: the schema has 1 error; correct the schema.' })
    expect(output).toMatch(/^error key\.collision\n {2}\S/)
    const json = await check({ 'graph.ts': given }, ['--json'])
    expect(JSON.parse(json.output).findings).toEqual([
      { level: 'error', code: 'key.collision', message: expect.stringContaining('movie') },
    ])
    expect(json.code).toBe(1)
  })

  it("check fails with DynamoDB's message if DynamoDB would reject the table", async () => {
    // The findings know everything that layout() accepts, so the design is changed afterwards.
    const given = `${LAID_OUT}const made = layout(cinema)
const indexes = made.design.indexes.map(index => ({ ...index, project: 'none' }))
export default { ...made, design: { ...made.design, indexes } }`
    const { code, output, errors } = await check({ 'graph.ts': given })
    expect({ code, errors }).toEqual({ code: 1, errors: 'graph.ts: the schema has 1 error; correct the schema.' })
    expect(output).toMatch(/^error table\.refused\n {2}.*nonKeyAttributes/i)
  })

  it('check prints warnings without failing', async () => {
    const given = `${LAID_OUT}export default layout(cinema, { indexes: { GSI1: { keys: ['GSI1PK', 'GSI1SK'], capacity: { read: 5, write: 5 } } }, capacity: { read: 10, write: 10 } })`
    const { code, output, errors } = await check({ 'graph.ts': given })
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(output).toContain('warning index.capacity.low\n  The index GSI1 has 5 WCU')
  })

  it('check warns of a name that is invalid for a table', async () => {
    const { code, output } = await check({ 'graph.ts': CINEMA.replace("graph('cinema'", "graph('ci'") })
    expect(code).toBe(0)
    expect(output).toMatch(
      /^warning table\.name\n {2}No table can be called ci, .*'table' of open\(\) and --table\.\n\nci: .* 1 finding\.\n$/,
    )
    expect(output).not.toContain('No findings')
  })

  it('check uses colors only on request', async () => {
    const folder = projectWith({ 'graph.ts': CINEMA })
    const run = (env: Record<string, string>) => new Running(file, ['check', 'graph.ts'], env, folder).ended
    expect((await run({ FORCE_COLOR: '1' })).output).toContain('\u001b[32mNo findings')
    expect((await run({ FORCE_COLOR: '1', NO_COLOR: '1' })).output).not.toContain('\u001b')
  })
})

describe('the schema file of check', () => {
  it('a schema file can use the paths of its tsconfig.json', async () => {
    const files = {
      'tsconfig.json': '{ "compilerOptions": { "baseUrl": ".", "paths": { "@lib/*": ["./lib/*"] } } }',
      'lib/named.ts': "export const NAME: string = 'cinema'\n",
      'graph.ts': `import { NAME } from '@lib/named'\n${CINEMA.replace("graph('cinema'", 'graph(NAME')}`,
    }
    expect(await check(files)).toMatchObject({ code: 0, output: expect.stringMatching(/^cinema: 2 nodes/), errors: '' })
  })

  it('a schema file is read even if its tsconfig.json extends a missing one', async () => {
    const files = { 'tsconfig.json': '{ "extends": "nowhere/tsconfig.json" }', 'graph.ts': CINEMA }
    expect(await check(files)).toMatchObject({ code: 0, errors: '' })
  })

  it('a schema file can be CommonJS', async () => {
    const folder = projectWith({ 'graph.cts': CINEMA.replace('export default', 'export =') })
    const { code, output } = await new Running(file, ['check', 'graph.cts'], {}, folder).ended
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^cinema: 2 nodes/) })
  })

  it('a schema is found as the only export, as the default export, or by name', async () => {
    const two = `${LAID_OUT}export { cinema }\nexport const other = graph('other', [movie])\n`
    expect((await check({ 'graph.ts': `${LAID_OUT}export { cinema }` })).output).toContain('cinema: 2 nodes')
    expect((await check({ 'graph.ts': `${two}export default other` })).output).toContain('other: 1 node,')
    expect((await check({ 'graph.ts': two }, ['--export', 'other'])).output).toContain('other: 1 node,')
  })

  it('a schema can be exported together with its layout and its handle', async () => {
    const beside = `${LAID_OUT}import { open } from 'edgewise'\nimport { memory } from 'edgewise/engine'
export { cinema }\nexport const laidOut = layout(cinema, { table: 'x' })\nexport const g = await open(laidOut, memory())`
    expect(await check({ 'graph.ts': beside.replace(", { table: 'x' }", '') })).toMatchObject({ code: 0, errors: '' })
  })

  it('a schema can have several files, non-erasable TypeScript syntax, and its own copy of the package', async () => {
    const files = {
      'graph.ts': `import { movie } from './nodes/movie.js'\nimport { graph } from 'edgewise'\nenum Colour { Red = 1 }\nexport const films = graph('films', [movie])\nconsole.log('loaded', Colour.Red)\nconsole.info('told')\nprocess.stdout.write('written')`,
      'nodes/movie.ts': `import { node, string } from 'edgewise'\nexport const movie = node('movie', { name: string() }, { id: 'name' })`,
    }
    // Output of the schema file is not a part of the result.
    expect(await check(files, ['--json'], file)).toMatchObject({ code: 0, errors: 'loaded 1\ntold\nwritten' })
  })

  it.each([
    [
      'a syntax error',
      `${CINEMA}const = 3\n`,
      'graph.ts:8:7: the file has a syntax error (Unexpected token); correct it.',
    ],
    [
      'no graph',
      'export const one = 1',
      "graph.ts: the file exports no graph; add `export default graph('name', [ … ])`, or export its layout().",
    ],
    [
      'several graphs',
      `${LAID_OUT}export { cinema }\nexport const other = graph('other', [movie])`,
      'graph.ts: the file exports several graphs (cinema, other); choose one, for example with --export cinema.',
    ],
    [
      'a declaration that cannot be',
      CINEMA.replace("id: 'name' })\nconst actor", "id: 'nmae' as never })\nconst actor"),
      /^graph\.ts:3: .+: .+; .+\. \(option\.attribute\)$/,
    ],
    [
      'a package that is not there',
      `import 'neverland/deep'\n${CINEMA}`,
      "graph.ts: the import 'neverland/deep' does not exist; run `npm install neverland`.",
    ],
    [
      'a file that is not there',
      `import './nodes.js'\n${CINEMA}`,
      /^graph\.ts: the import '.*nodes\.js' does not exist; correct the path\.$/,
    ],
    [
      'a file that imports what is not there',
      `import './deep/nodes.js'\n${CINEMA}`,
      "deep/nodes.ts: the import './none.js' does not exist; correct the path.",
    ],
    [
      'a name that is not exported',
      "import { grph } from 'edgewise'\nexport default grph('x', [])",
      'graph.ts:2: the file failed while loading (TypeError: grph is not a function); correct the file.',
    ],
    [
      'an error of its own',
      `${CINEMA}\nthrow new RangeError('too much')`,
      'graph.ts:9: the file failed while loading (RangeError: too much); correct the file.',
    ],
    [
      'a layout that cannot be',
      `${CINEMA.replace("id: 'name' })\nconst role", "id: 'name', by: { born: { order: ['bron' as never] } } })\nconst role")}`,
      /^graph\.ts:4: .*bron.*; .+\. \(\S+\)$/,
    ],
  ])('a schema file with %s is rejected with advice', async (_, text, message) => {
    const { code, output, errors } = await check({ 'graph.ts': text, 'deep/nodes.ts': "import './none.js'" })
    expect({ code, output }).toEqual({ code: 1, output: '' })
    if (typeof message === 'string') expect(errors).toBe(message)
    else expect(errors).toMatch(message)
  })

  it('a missing schema file is rejected', async () => {
    expect(await check({})).toMatchObject({
      code: 1,
      errors: 'graph.ts: the file does not exist; give the file that declares your graph.',
    })
    expect(await check({ 'graph.ts/x': '' })).toMatchObject({
      code: 1,
      errors: 'graph.ts: this is a folder; give the file in it that declares your graph.',
    })
    expect(await check({ 'graph.ts': CINEMA }, ['--export', 'nope'])).toMatchObject({
      code: 1,
      errors: "graph.ts: the file exports no graph 'nope'; use one of default.",
    })
  })

  it('a schema file can leave a handle open without blocking the command', async () => {
    expect(await check({ 'graph.ts': `${CINEMA}setInterval(() => undefined, 1_000)` })).toMatchObject({ code: 0 })
  })

  it('the schema file is a required argument', async () => {
    const { code, errors } = await new Running(file, ['check']).ended
    expect(code).toBe(2)
    expect(errors).toContain("error: missing required argument 'file'")
  })
})
