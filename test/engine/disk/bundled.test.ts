import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { expect, it } from 'vitest'
import { temporaryFolder } from './folder.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PROGRAM = `
import { disk } from './src/engine/index.js'
const store = disk(process.argv[2])
store.listTables({}).then(({ TableNames }) => console.log(TableNames.length)).finally(() => store.close())
`

it.each(['esm', 'cjs'] as const)('a bundle in the format %s finds lmdb from where it lies', format => {
  const outfile = join(ROOT, 'build', 'disk', `bundled.${format === 'esm' ? 'mjs' : 'cjs'}`)
  buildSync({
    stdin: { contents: PROGRAM, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format,
    outfile,
    packages: 'external',
    logLevel: 'error',
  })
  expect(execFileSync(process.execPath, [outfile, temporaryFolder()], { encoding: 'utf8', stdio: 'pipe' })).toBe('0\n')
})
