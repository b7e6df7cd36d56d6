import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { expect, test } from 'vitest'

const PROGRAM = `
import { graph, node, open, string } from './src/index.js'
import { memory } from './src/engine/index.js'
const g = await open(graph('films', [node('movie', { name: string() }, { id: 'name' })]), memory())
const warned = []
process.on('warning', ({ code, message }) => warned.push(code + ' ' + message))
console.warn = (message, { code }) => warned.push(code + ' ' + message)
const given = process.argv[2]
if (given === 'no process') delete globalThis.process
if (given === 'held back') globalThis.queueMicrotask = () => undefined
await (async () => {
  g.movie.create({ name: 'forgotten' })
  g.movie.get('explained').explain()
  await g.movie.get('awaited')
  await g.$transact([g.movie.create({ name: 'handed on' })])
})()
for (let i = 0; i < 20 && warned.length === 0; i++) { gc(); await new Promise(resolve => setTimeout(resolve, 20)) }
console.log(JSON.stringify(warned))
`

test.each([
  ['', 'as it is'],
  [', where there is no process too', 'no process'],
  [', and where a test holds microtasks back', 'held back'],
])('a call that is never awaited, explained or passed on triggers a warning when it is collected%s', (_, given) => {
  const folder = mkdtempSync(join(import.meta.dirname, '..', '..', '..', 'node_modules', '.edgewise-'))
  try {
    const outfile = join(folder, 'program.mjs')
    writeFileSync(join(folder, 'program.ts'), PROGRAM)
    buildSync({
      stdin: { contents: PROGRAM, resolveDir: join(import.meta.dirname, '..', '..', '..'), loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile,
      packages: 'external',
    })
    const printed = execFileSync(process.execPath, ['--expose-gc', outfile, given], { encoding: 'utf8', stdio: 'pipe' })
    const warned: string[] = JSON.parse(printed)
    expect(warned).toHaveLength(1)
    expect(warned[0]).toMatch(/^EDGEWISE_UNAWAITED movie\.create/)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
