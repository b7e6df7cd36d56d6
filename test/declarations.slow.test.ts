import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const COMPILER = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc')
const folder = mkdtempSync(join(tmpdir(), 'edgewise-declarations-'))
const installed = join(folder, 'node_modules/edgewise')
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { exports: Record<string, unknown> }
const entries = Object.keys(manifest.exports).filter(entry => !entry.endsWith('.json'))
const imports = entries.map((entry, index) => `import * as entry${index} from '${entry.replace('.', 'edgewise')}'`)
const exported = `export { ${entries.map((_, index) => `entry${index}`).join(', ')} }\n`

/** A program that opens a graph, with every entry of the package in view. */
const CONSUMER = `import { graph, node, open, string } from 'edgewise'
import { memory } from 'edgewise/engine'
${imports.join('\n')}
${exported}
const movie = node('movie', { name: string() }, { id: 'name' })
export const g = await open(graph('cinema', [movie]), memory())
export const found: { readonly name: string } | undefined = await g.movie.get('Big')
`

function compile(...args: string[]): string {
  try {
    return execFileSync(process.execPath, [COMPILER, ...args], { encoding: 'utf8' })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

/** Errors in the program and in the declarations of edgewise; those of the AWS SDK need the types of Node. */
function errorsOf(program: string, options: object): string[] {
  const compilerOptions = { target: 'es2022', module: 'nodenext', strict: true, noEmit: true, ...options }
  writeFileSync(join(folder, 'program.mts'), program)
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.mts'] }))
  return compile('-p', folder)
    .split('\n')
    .filter(line => line.includes('error TS') && !/node_modules\/@/.test(line))
}

describe('the published declarations', () => {
  beforeAll(() => {
    mkdirSync(installed, { recursive: true })
    copyFileSync(join(ROOT, 'package.json'), join(installed, 'package.json'))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    for (const scope of ['@aws-sdk', '@types', '@opentelemetry', '@smithy'])
      symlinkSync(join(ROOT, 'node_modules', scope), join(folder, 'node_modules', scope))
    const output = ['--emitDeclarationOnly', '--outDir', join(installed, 'dist')]
    expect(compile('-p', join(ROOT, 'tsconfig.build.json'), ...output)).toBe('')
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('compile with no global types at all, and with their libraries checked', () => {
    expect(errorsOf(CONSUMER, { types: [], lib: ['es2022'] })).toEqual([])
  })

  it('let a program with the types of Node pass its signal and dispose of a graph', () => {
    const program = `${CONSUMER}
await using disposed = g
await disposed.movie.put({ name: 'Big' }).run({ signal: AbortSignal.timeout(1000) })
`
    expect(errorsOf(program, { types: ['node'], lib: ['es2022', 'esnext.disposable'] })).toEqual([])
  })

  it('let a program with the types of a browser pass its signal', () => {
    const program = `${CONSUMER}
await g.movie.put({ name: 'Big' }).run({ signal: new AbortController().signal })
// @ts-expect-error a signal is not a number
g.movie.put({ name: 'Big' }).run({ signal: 5 })
`
    expect(errorsOf(program, { types: [], lib: ['es2022', 'dom'] })).toEqual([])
  })
})
