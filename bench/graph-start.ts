import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { median } from './measure.js'

const RUNS = 9
const project = fileURLToPath(new URL('../../', import.meta.url))

/** A program for each toolkit that ends with the parameters of its first request, like a cold start of a function. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'node alone': '',
  edgewise: `
    import { edge, graph, node, open, string } from './build/src/index.js'
    const user = node('user', { name: string() }, { id: 'name' })
    const follow = edge('follow', { follower: user, followee: user }, { since: string() })
    const KeySchema = (...names) => names.map(AttributeName => ({ AttributeName }))
    const Table = { TableStatus: 'ACTIVE', KeySchema: KeySchema('PK', 'SK'),
      GlobalSecondaryIndexes: [{ IndexName: 'GSI1', KeySchema: KeySchema('GSI1PK', 'GSI1SK') }] }
    const store = { describeTable: async () => ({ Table }), getItem: async () => ({}), transactWriteItems() {} }
    const g = await open(graph('bench', [user, follow]), store)
    g.follow.by.follower('x').all().plan()`,
  ElectroDB: `
    import { Entity } from 'electrodb'
    const follow = new Entity({ model: { entity: 'follow', version: '1', service: 'bench' },
      attributes: { follower: { type: 'string' }, followee: { type: 'string' }, since: { type: 'string' } },
      indexes: { follows: { pk: { field: 'PK', composite: ['follower'] }, sk: { field: 'SK', composite: ['followee'] } } },
    }, { table: 'bench' })
    follow.query.follows({ follower: 'x' }).params()`,
  'dynamodb-toolbox': `
    import { Entity, item, QueryCommand, string, Table } from 'dynamodb-toolbox'
    const table = new Table({ name: 'bench', partitionKey: { name: 'PK', type: 'string' }, sortKey: { name: 'SK', type: 'string' } })
    const follow = new Entity({ name: 'follow', table,
      schema: item({ follower: string().key(), followee: string().key(), since: string() }),
      computeKey: ({ follower, followee }) => ({ PK: 'user#' + follower, SK: 'follow#' + followee }) })
    table.build(QueryCommand).entities(follow).query({ partition: 'user#x', range: { beginsWith: 'follow#' } }).params()`,
}

/** Milliseconds from the start of the process to the end of each program, bundled and minified. */
export async function startTimes(): Promise<ReadonlyMap<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-start-'))
  const times = new Map<string, number[]>()
  try {
    const files = await Promise.all(
      Object.entries(PROGRAMS).map(async ([name, program], at) => {
        const outfile = join(folder, `${at}.mjs`)
        await build({
          stdin: { contents: `${program}\nconsole.log(performance.now())`, resolveDir: project },
          bundle: true,
          minify: true,
          platform: 'node',
          format: 'esm',
          outfile,
          logLevel: 'error',
          // Some peers are written for require().
          banner: {
            js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
          },
        })
        return [name, outfile] as const
      }),
    )
    for (let run = 0; run < RUNS; run++)
      for (const [name, file] of files) {
        const { stdout } = spawnSync(process.execPath, [file], { encoding: 'utf8' })
        times.set(name, [...(times.get(name) ?? []), Number(stdout)])
      }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return new Map([...times].map(([name, figures]) => [name, median(figures)]))
}

/** Bundled, minified and gzipped kilobytes of all exports without the SDK. Missing toolkits are omitted. */
export async function weights(): Promise<ReadonlyMap<string, number>> {
  const kilobytes = new Map<string, number>()
  const toolkits = [
    ['edgewise', './build/src/index.js', project],
    ['OneTable', 'dynamodb-onetable', join(project, 'bench')],
    ['dynamodb-toolbox', 'dynamodb-toolbox', project],
    ['ElectroDB', 'electrodb', project],
  ] as const
  for (const [name, from, resolveDir] of toolkits)
    try {
      const { outputFiles } = await build({
        stdin: { contents: `export * from '${from}'`, resolveDir },
        bundle: true,
        minify: true,
        platform: 'node',
        format: 'esm',
        external: ['@aws-sdk/*', '@smithy/*'],
        write: false,
        logLevel: 'silent',
      })
      kilobytes.set(name, gzipSync(outputFiles[0]!.contents, { level: 9 }).length / 1000)
    } catch {
      console.log(`${name} cannot be bundled here: left out`)
    }
  return kilobytes
}
