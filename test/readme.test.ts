import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { afterAll, describe, expect, it, vi } from 'vitest'

const FIRST_EXAMPLE_LINES_MAX = 24
const root = fileURLToPath(new URL('..', import.meta.url))
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const examples = Array.from(readme.matchAll(/^```ts\n(.*?)^```$/gms), ([, text]) => text!)
const folder = mkdtempSync(join(tmpdir(), 'edgewise-readme-'))
const pathOf = (number: number) => join(folder, `example-${number}.mts`)

for (const [index, text] of examples.entries()) writeFileSync(pathOf(index + 1), text)
afterAll(() => rmSync(folder, { recursive: true }))

describe("README's examples", () => {
  it('begin with one that is short', () => {
    expect(examples[0]?.trimEnd().split('\n').length).toBeLessThanOrEqual(FIRST_EXAMPLE_LINES_MAX)
  })

  it('compile under the strictest settings', { timeout: 60_000 }, () => {
    expect(compilerOutput()).toBe('')
  })

  it.each(examples.map((text, index) => [index + 1, text] as const))(
    'print what they say: %i',
    async (number, text) => {
      const log = vi.spyOn(console, 'log').mockReturnValue()
      try {
        await import(pathOf(number))
        const printed = log.mock.calls.map(([value]) => (typeof value === 'string' ? value : inspect(value)))
        expect(printed).toEqual(Array.from(text.matchAll(/^console\.log\(.*\) \/\/ (.*)$/gm), ([, said]) => said))
      } finally {
        log.mockRestore()
      }
    },
  )
})

function compilerOutput(): string {
  const paths = { edgewise: [join(root, 'src/index.ts')], 'edgewise/engine': [join(root, 'src/engine/index.ts')] }
  const configuration = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { paths, typeRoots: [join(root, 'node_modules/@types')] },
    include: ['*.mts'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configuration))
  const compiler = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc')
  try {
    return execFileSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}
