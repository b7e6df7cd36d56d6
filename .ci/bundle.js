// What edgewise adds to a program: the size of README's first example, bundled, minified and gzipped, and the time to
// import the package. Fails when the bundle grows by more than 3% over the recorded size, or when it contains the engine or
// the AWS SDK. Prints the same program's size with ElectroDB for comparison. After a change that is worth its weight:
// `npm run check:bundle -- --record`, in the same commit. The import time and ElectroDB's size are recorded too, but only
// printed: the former depends on the machine, the latter on ElectroDB.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const GROWTH_MAX = 1.03
const IMPORT_RUNS = 9

const root = new URL('../', import.meta.url)
const recordFile = new URL('bundle.json', import.meta.url)

/** README's first example written with ElectroDB: two entities, their relation, and both queries. */
const ELECTRODB_PROGRAM = `
import { Entity, Service } from 'electrodb'
const entity = (name, attributes, indexes) =>
  new Entity({ model: { entity: name, version: '1', service: 'cinema' }, attributes, indexes }, { table: 'cinema' })
const movie = entity('movie', { name: { type: 'string' }, year: { type: 'number' } },
  { own: { collection: 'ofMovie', pk: { field: 'PK', composite: ['name'] }, sk: { field: 'SK', composite: [] } } })
const actor = entity('actor', { name: { type: 'string' }, born: { type: 'number' } },
  { own: { pk: { field: 'PK', composite: ['name'] }, sk: { field: 'SK', composite: [] } } })
const role = entity('role', { movie: { type: 'string' }, actor: { type: 'string' }, character: { type: 'string' } }, {
  byMovie: { pk: { field: 'PK', composite: ['movie'] }, sk: { field: 'SK', composite: ['actor'] } },
  byActor: { index: 'GSI1', pk: { field: 'GSI1PK', composite: ['actor'] }, sk: { field: 'GSI1SK', composite: ['movie'] } },
})
const cinema = new Service({ movie, actor, role })
console.log(movie.put({ name: 'Toy Story', year: 1995 }).params(), role.query.byActor({ actor: 'Tom Hanks' }).params())
console.log(cinema.collections.ofMovie({ name: 'Toy Story' }).params())
`

/** The first TypeScript example of README. */
function firstExample() {
  return /^```ts\n(.*?)^```$/ms.exec(readFileSync(new URL('README.md', root), 'utf8'))[1]
}

/** Returns the bundled, minified and gzipped size of a program in bytes, and the files in the bundle. */
async function bundle(program, options) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, loader: 'ts', resolveDir: root.pathname },
    bundle: true,
    minify: true,
    treeShaking: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    write: false,
    metafile: true,
    logLevel: 'error',
    ...options,
  })
  const bytes = gzipSync(outputFiles[0].contents, { level: 9 }).length
  return { bytes, files: Object.keys(metafile.inputs) }
}

/** Returns the import time of the package in milliseconds, the median of several processes. */
function importTime() {
  const program = `const start = performance.now(); await import('edgewise'); console.log(performance.now() - start)`
  const times = Array.from({ length: IMPORT_RUNS }, () => {
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: root,
      encoding: 'utf8',
    })
    return Number(stdout)
  })
  return times.sort((a, b) => a - b)[Math.floor(IMPORT_RUNS / 2)]
}

// The example opens an embedded store, which a function in front of DynamoDB does not have.
const edgewise = await bundle(firstExample(), { external: ['edgewise/engine'] })
// ElectroDB has no traversals, so the comparison excludes them.
const TRAVERSALS = ['builder', 'handle', 'sample'].map(name => `*/traversal/${name}.js`)
const withoutTraversals = await bundle(firstExample(), { external: ['edgewise/engine', ...TRAVERSALS] })
const electrodb = await bundle(ELECTRODB_PROGRAM, { external: ['@aws-sdk/*'] })
const importMs = Math.round(importTime())
const kilobytes = bytes => (bytes / 1000).toFixed(1)

if (process.argv.includes('--record')) {
  const measured = { exampleBytes: edgewise.bytes, electrodbBytes: electrodb.bytes, importMs }
  writeFileSync(recordFile, `${JSON.stringify(measured, null, 2)}\n`)
}
const recorded = JSON.parse(readFileSync(recordFile, 'utf8'))

const failures = []
if (edgewise.bytes > recorded.exampleBytes * GROWTH_MAX) {
  failures.push(
    `the bundle grew by more than 3% over the recorded ${kilobytes(recorded.exampleBytes)} kB; ` +
      'make it smaller, or run `npm run check:bundle -- --record` and commit the result',
  )
}
for (const file of edgewise.files) {
  if (/node_modules|dist\/(engine|aws|http|cli)\//.test(file)) failures.push(`the bundle contains ${file}`)
}

const withRecorded = (bytes, recordedBytes) => `${kilobytes(bytes)} kB (recorded: ${kilobytes(recordedBytes)} kB)`
console.log(`README's first example, minified and gzipped: ${withRecorded(edgewise.bytes, recorded.exampleBytes)}`)
console.log(`without traversals: ${kilobytes(withoutTraversals.bytes)} kB`)
const ratio = (withoutTraversals.bytes / electrodb.bytes).toFixed(2)
console.log(`the same program with ElectroDB: ${withRecorded(electrodb.bytes, recorded.electrodbBytes)}`)
console.log(`edgewise without traversals is ${ratio} of ElectroDB`)
console.log(`import 'edgewise': ${importMs} ms (recorded: ${recorded.importMs} ms)`)
for (const failure of failures) console.log(`FAILED: ${failure}`)
process.exitCode = failures.length > 0 ? 1 : 0
