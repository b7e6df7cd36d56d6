// What the core weighs when it is bundled for a function, minified and gzipped, and that nothing else is in it: neither
// the embedded engine nor the AWS SDK. A part that outgrows its line fails; lower a line when the code allows it.
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const dist = new URL('../dist/', import.meta.url).pathname

/** Kilobytes that each part may weigh: what it does now, rounded up, and the mark that it is to come down to. */
const PARTS = {
  'schema, layout and plan': {
    entry: [
      'schema/node',
      'schema/edge',
      'schema/graph',
      'schema/operations',
      'layout/layout',
      ...plans(),
      ...attributes(),
    ],
    line: 40,
    mark: 16,
  },
  'the core with the handle': { entry: ['index'], line: 53, mark: 24 },
}

function plans() {
  return [
    'read-item',
    'read-path',
    'read-scan',
    'collect',
    'next',
    'answer',
    'explain',
    'write',
    'write-explained',
    'write-several',
  ].map(name => `plan/${name}`)
}

function attributes() {
  return [
    'bigint',
    'binary',
    'boolean',
    'counter',
    'date',
    'decimal',
    'embedded',
    'integer',
    'json',
    'list',
    'map',
    'number',
    'one-of',
    'set',
    'string',
    'ulid',
  ].map(name => `schema/attributes/${name}`)
}

let failed = 0
for (const [name, { entry, line, mark }] of Object.entries(PARTS)) {
  const contents = entry.map(file => `export * from './${file}.js'`).join('\n')
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: dist },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    write: false,
    metafile: true,
    logLevel: 'error',
  })
  const strangers = Object.keys(metafile.inputs).filter(file =>
    /node_modules|\/(engine|aws|http|cli|contract)\//.test(file),
  )
  const kilobytes = gzipSync(outputFiles[0].contents, { level: 9 }).length / 1000
  const fits = kilobytes <= line && strangers.length === 0
  if (!fits) failed++
  console.log(
    `${fits ? 'fits  ' : 'FAILS '} ${name}: ${kilobytes.toFixed(1)} kB, at most ${line} (to come down to ${mark})`,
  )
  for (const file of strangers) console.log(`       contains ${file}`)
}
process.exitCode = failed > 0 ? 1 : 0
