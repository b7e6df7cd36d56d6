import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format } from 'node:util'
import { vi } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { exports: Record<string, string> }

/** The examples of a document as files in a folder of their own, where they can be compiled and run. */
export class Examples {
  private readonly folder = mkdtempSync(join(tmpdir(), 'edgewise-examples-'))

  constructor() {
    symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'))
  }

  add(name: string, text: string): void {
    writeFileSync(this.pathOf(name), text)
  }

  /** Runs one of them: what it exports, and the texts that it prints. */
  async run<T>(name: string): Promise<{ exported: T; printed: string[] }> {
    const log = vi.spyOn(console, 'log').mockReturnValue()
    try {
      const exported: T = await import(this.pathOf(name))
      return {
        exported,
        printed: log.mock.calls.map(values => format(...values)),
      }
    } finally {
      log.mockRestore()
    }
  }

  /** What the compiler says of all of them, under the strictest settings. */
  compilerOutput(): string {
    const paths = Object.entries(exports).map(([entry, file]) => [
      entry.replace('.', 'edgewise'),
      [join(ROOT, file.replace('dist/', 'src/').replace(/\.js$/, '.ts'))],
    ])
    const configuration = {
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: { paths: Object.fromEntries(paths), typeRoots: [join(ROOT, 'node_modules/@types')] },
      include: ['*.mts'],
    }
    writeFileSync(join(this.folder, 'tsconfig.json'), JSON.stringify(configuration))
    const compiler = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc')
    try {
      return execFileSync(process.execPath, [compiler, '-p', this.folder], { encoding: 'utf8' })
    } catch (error) {
      return (error as { stdout: string }).stdout
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true })
  }

  private pathOf(name: string): string {
    return join(this.folder, `${name.replaceAll('/', '-')}.mts`)
  }
}
