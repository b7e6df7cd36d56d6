import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repositoryFiles } from '../../tidy/files.js'

const ROOT = join(import.meta.dirname, '../../..')
const PROGRAM = `
import { disk } from './src/engine/index.js'
const store = disk(process.argv[2])
store.listTables({}).then(({ TableNames }) => console.log(TableNames.length)).finally(() => store.close())
`

/** Bundles a program with the engine into a folder and runs it. */
function runBundled(folder: string, format: 'esm' | 'cjs', cwd: string): string {
  const outfile = join(folder, format === 'esm' ? 'program.mjs' : 'program.cjs')
  const stdin = { contents: PROGRAM, resolveDir: ROOT, loader: 'ts' } as const
  buildSync({ stdin, bundle: true, platform: 'node', format, outfile, logLevel: 'error' })
  return execFileSync(process.execPath, [outfile, join(folder, `data-${format}`)], {
    cwd,
    encoding: 'utf8',
    stdio: 'pipe',
  })
}

describe('bundled programs with disk()', () => {
  let folder: string
  let installed: string

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'edgewise-bundled-'))
    installed = mkdtempSync(join(tmpdir(), 'edgewise-installed-'))
    symlinkSync(join(ROOT, 'node_modules'), join(installed, 'node_modules'))
  })
  afterAll(() => {
    for (const each of [folder, installed]) rmSync(each, { recursive: true })
  })

  it.each(['esm', 'cjs'] as const)('a bundled program finds lmdb next to the bundle (%s)', format => {
    expect(runBundled(installed, format, tmpdir())).toBe('0\n')
  })

  it.each(['esm', 'cjs'] as const)('a bundled program finds lmdb in the working directory (%s)', format => {
    expect(runBundled(folder, format, installed)).toBe('0\n')
  })

  it('a bundled program without lmdb fails with the advice to exclude lmdb from the bundle', () => {
    expect(() => runBundled(folder, 'esm', tmpdir())).toThrow(/keep 'edgewise' and 'lmdb' out of the bundle/)
  })
})

it('only the command line uses import.meta, which Jest cannot compile to CommonJS', () => {
  const sources = repositoryFiles().filter(({ path }) => path.startsWith('src/') && !path.startsWith('src/cli/'))
  const code = /^(?!\s*(?:\/\/|\*|\/\*)).*\bimport\.meta\b/m
  expect(sources.filter(({ text }) => code.test(text)).map(({ path }) => path)).toEqual([])
})
