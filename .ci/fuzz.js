// Builds the fuzzer of test/fuzz and runs it with the witnesses to compare with: `node .ci/fuzz.js --against both`.
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { runBeside } from './witnesses/beside.js'

const PROGRAM = 'build/fuzz/main.js'

const given = process.argv.slice(2)
const { values } = parseArgs({ args: given, options: { against: { type: 'string' } }, strict: false })
const against = values.against ?? 'dynamodb-local'
const names = against === 'both' ? ['dynamodb-local', 'dynoxide'] : [against]

await build({
  entryPoints: ['test/fuzz/main.ts'],
  outfile: PROGRAM,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  sourcemap: true,
  logLevel: 'warning',
})
process.exitCode = await runBeside(names, process.execPath, ['--enable-source-maps', PROGRAM, ...given])
