import { execFileSync } from 'node:child_process'
import { buildSync } from 'esbuild'
import { expect, it } from 'vitest'

const PROGRAM = `
import { graph, node, open, string } from './src/index.js'
import { memory } from './src/engine/index.js'
const g = await open(graph('films', [node('movie', { name: string() }, { id: 'name' })]), memory())
await g.movie.create({ name: 'Big' })
g.movie.create({ name: 'forgotten' })
await new Promise(resolve => setTimeout(resolve, 5))
console.log(JSON.stringify(await g.movie.get('Big')))
`

it('the core loads and runs in a runtime without FinalizationRegistry', () => {
  const { outputFiles } = buildSync({
    stdin: { contents: PROGRAM, resolveDir: `${import.meta.dirname}/../../..`, loader: 'ts' },
    banner: { js: 'delete globalThis.FinalizationRegistry' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  })
  const input = outputFiles[0]!.text
  const printed = execFileSync(process.execPath, ['--input-type=module'], { input, encoding: 'utf8', stdio: 'pipe' })
  expect(printed).toBe('{"name":"Big"}\n')
})
