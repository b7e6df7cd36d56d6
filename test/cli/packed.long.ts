import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXPECTED } from '../examples/expected-requests.js'
import { call } from '../http/raw-requests.js'
import { Running } from './command.js'
import { CINEMA } from './project.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'edgewise-packed-'))
const project = join(folder, 'project')
/** The dependencies that the disk store and AWS require. */
const stores = join(folder, 'stores')
const commandIn = (place: string) => join(place, 'node_modules/edgewise/dist/cli/main.js')
const command = commandIn(project)
const ROLE = { type: 'role', movie: 'Big', actor: 'Tom Hanks', character: 'Josh' }
const ROWS = [{ type: 'movie', name: 'Big', year: 1988 }, { type: 'actor', name: 'Tom Hanks', born: 1956 }, ROLE]
const QUESTIONS = Object.values(EXPECTED).flatMap(Object.keys).length
let tarball: string

interface Manifest {
  readonly exports: Readonly<Record<string, unknown>>
}

interface Ended {
  readonly code: number
  readonly output: string
  readonly errors: string
}

function run(program: string, words: readonly string[], cwd: string): Promise<Ended> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME }
  return new Promise(resolve =>
    execFile(program, words, { cwd, env, maxBuffer: 2 ** 26 }, (error, output, errors) =>
      resolve({ code: error ? Number(error.code) : 0, output, errors }),
    ),
  )
}

async function npm(cwd: string, ...words: string[]): Promise<string> {
  const { code, output, errors } = await run('npm', words, cwd)
  if (code !== 0) throw new Error(`npm ${words.join(' ')} failed:\n${output}\n${errors}`)
  return output
}

/** A major version of Node, from the npm package that contains it. */
async function nodeOf(version: string): Promise<string> {
  if (process.version.startsWith(`v${version}.`)) return process.execPath
  return (
    await npm(folder, 'exec', '--yes', `--package=node@${version}`, '--', 'node', '-p', 'process.execPath')
  ).trim()
}

beforeAll(async () => {
  await npm(ROOT, 'pack', '--silent', '--pack-destination', folder)
  tarball = join(folder, readdirSync(folder).find(name => name.endsWith('.tgz'))!)
  await install(project)
  await install(stores, 'lmdb', '@aws-sdk/client-dynamodb')
  writeFileSync(join(stores, 'graph.ts'), CINEMA)
  writeFileSync(join(stores, 'rows.jsonl'), ROWS.map(row => `${JSON.stringify(row)}\n`).join(''))
})

async function install(place: string, ...more: string[]): Promise<void> {
  mkdirSync(place)
  await npm(place, 'init', '--yes')
  await npm(place, 'install', '--no-audit', '--no-fund', tarball, ...more)
}

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe.each(['20', '22', '24'])('the package, installed into an empty folder, on Node %s', version => {
  let node: string
  const graph = `made-${version}/graph.ts`
  const edgewise = (...words: string[]) => run(node, [command, ...words], project)

  beforeAll(async () => {
    node = await nodeOf(version)
    await edgewise('init', `made-${version}`)
  })

  it('the package runs on this version of Node', async () => {
    expect((await run(node, ['-p', 'process.versions.node'], project)).output).toMatch(new RegExp(`^${version}\\.`))
  })

  it('the package checks the schema of init without a build', async () => {
    expect(await edgewise('check', graph)).toEqual({
      code: 0,
      output: expect.stringContaining('No findings'),
      errors: '',
    })
  })

  it('the package shows items', async () => {
    const { code, output, errors } = await edgewise('items', graph)
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(output).toContain('| movie#Toy Story | role#Tom Hanks | role ')
  })

  it('the package explains a call', async () => {
    const { code, output, errors } = await edgewise('explain', graph, "role.by.actor('Tom Hanks').all()")
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(output).toContain('1. Query on the index GSI1: GSI1PK = "actor#Tom Hanks"')
  })

  it.each(['cloudformation', 'cdk', 'terraform', 'cli'])('the package exports the table for %s', async format => {
    const place = ['--region', 'eu-west-1', '--account', '123456789012']
    const { code, output, errors } = await edgewise('table', graph, '--format', format, ...place)
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(output).toContain('cinema')
  })

  it('the package shows the tour', async () => {
    const { code, output, errors } = await edgewise('tour', '--all')
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(output.match(/^Took \d+ request/gm)).toHaveLength(QUESTIONS)
  })

  it('the package reports a broken schema and a missing SDK', async () => {
    writeFileSync(join(project, 'broken.ts'), "import { graph } from 'edgewise'\nexport default graph('x', [\n")
    expect(await edgewise('check', 'broken.ts')).toEqual({
      code: 1,
      output: '',
      errors: expect.stringMatching(/^broken\.ts:\d+:\d+: the file has a syntax error \(/),
    })
    expect(await edgewise('backfill', graph, '--endpoint', 'http://127.0.0.1:1')).toEqual({
      code: 1,
      output: '',
      errors:
        "AWS SDK: the package '@aws-sdk/client-dynamodb' is not installed, but AWS and --endpoint require it; run 'npm install @aws-sdk/client-dynamodb'.\n",
    })
  })

  it('the package creates, loads, checks and dumps a table, on disk and at an endpoint', async () => {
    const serving = new Running(commandIn(stores), ['serve', '--port', '0', '--json'], {}, stores, node)
    const { url } = JSON.parse(await serving.line()) as { url: string }
    const data = `data-${version}`
    for (const place of [
      ['--path', data],
      ['--endpoint', url],
    ]) {
      const out = `out-${place[0]}-${version}`
      const on = (...words: string[]) => run(node, [commandIn(stores), ...words, ...place], stores)
      expect(await on('deploy', 'graph.ts', '--yes')).toMatchObject({ code: 0, errors: '' })
      expect(await on('load', 'graph.ts', 'rows.jsonl')).toMatchObject({ code: 0, errors: '' })
      for (const job of ['backfill', 'verify', 'repair'])
        expect(await on(job, 'graph.ts')).toMatchObject({ code: 0, errors: '' })
      expect(await on('dump', 'graph.ts', out)).toMatchObject({ code: 0, errors: '' })
      expect(JSON.parse(readFileSync(join(stores, out, 'role.jsonl'), 'utf8'))).toEqual(ROLE)
    }
    serving.process.kill('SIGTERM')
    expect(await serving.ended).toMatchObject({ code: 0, errors: '' })
  })

  it('the package runs advise', async () => {
    const { code, output, errors } = await edgewise('advise', graph, '--form')
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    writeFileSync(join(project, 'facts.json'), output)
    expect(await edgewise('advise', graph, '--facts', 'facts.json')).toMatchObject({
      code: 0,
      output: expect.stringContaining('role: 100,000 edges'),
    })
  })

  it('the package runs serve', async () => {
    const serving = new Running(command, ['serve', '--port', '0', '--json'], {}, project, node)
    const { url } = JSON.parse(await serving.line()) as { url: string }
    expect((await call(url, 'ListTables', {})).text).toBe('{"TableNames":[]}')
    serving.process.kill('SIGTERM')
    expect(await serving.ended).toMatchObject({ code: 0 })
  })
})

it('a program that depends on the package installs only big.js next to it', () => {
  const names = readdirSync(join(project, 'node_modules')).filter(name => !name.startsWith('.'))
  expect(names).toEqual(['big.js', 'edgewise'])
})

it.each(['5.4', '6', '7'])('the declarations compile without global types in TypeScript %s', async version => {
  const place = join(folder, `typescript-${version}`)
  await install(place, `typescript@${version}`)
  const manifest = JSON.parse(readFileSync(join(place, 'node_modules/edgewise/package.json'), 'utf8')) as Manifest
  // The AWS store accepts the SDK's client, whose declarations require Node's types.
  const entries = Object.keys(manifest.exports).filter(entry => !/json|aws/.test(entry))
  const imports = entries.map((entry, i) => `export * as entry${i} from '${entry.replace('.', 'edgewise')}'\n`)
  writeFileSync(join(place, 'program.mts'), imports.join(''))
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022'],
    types: [],
    strict: true,
    noEmit: true,
  }
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.mts'] }))
  expect(await run('npm', ['exec', '--', 'tsc'], place)).toMatchObject({ code: 0, output: '' })
})

it('a project of init runs after npm install', async () => {
  const made = join(folder, 'fresh')
  expect(await run(process.execPath, [command, 'init', made], project)).toMatchObject({ code: 0, errors: '' })
  const file = join(made, 'package.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { dependencies: Record<string, string> }
  // The unpublished version of the package.
  writeFileSync(file, JSON.stringify({ ...manifest, dependencies: { edgewise: `file:${tarball}` } }))
  await npm(made, 'install', '--no-audit', '--no-fund')
  expect(await npm(made, 'start', '--silent')).toContain('Chuck in Cast Away 2000\nWoody in Toy Story 1995\n')
  expect(await npm(made, 'run', '--silent', 'check')).toContain('No findings')
  expect(await npm(made, 'exec', '--', 'edgewise', 'tour', 'movies')).toContain('Took 1 request')
})

it('a clone of the repository starts with the tour', async () => {
  const printed = await npm(ROOT, 'start', '--silent', '--', '--all')
  expect(printed.match(/^Took \d+ request/gm)).toHaveLength(QUESTIONS)
})
