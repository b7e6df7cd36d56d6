import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Builds a runnable command, because Node cannot run its source: an installed copy of the package in a separate folder,
 * compiled file by file. Returns the file to run.
 */
export async function builtCommand(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-command-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  symlinkSync(join(ROOT, 'spark'), join(folder, 'spark'))
  copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'))
  const options = { platform: 'node', format: 'esm', target: 'node20', logLevel: 'warning' } as const
  await build({
    ...options,
    entryPoints: [join(ROOT, 'src/**/*.ts')],
    outbase: join(ROOT, 'src'),
    outdir: join(folder, 'dist'),
  })
  const examples = [join(ROOT, 'examples/**/*.ts')]
  await build({ ...options, entryPoints: examples, outbase: ROOT, outdir: join(folder, 'dist') })
  return join(folder, 'dist/cli/main.js')
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
  readonly errors: string
}

/** A running command. */
export class Running {
  readonly process: ChildProcess
  readonly ended: Promise<Ended>
  private output = ''
  private errors = ''

  constructor(
    file: string,
    words: readonly string[],
    environment: Record<string, string> = {},
    cwd?: string,
    node = process.execPath,
  ) {
    const env = { PATH: process.env.PATH, ...environment }
    this.process = spawn(node, [file, ...words], { env, cwd })
    this.process.stdout!.setEncoding('utf8').on('data', text => {
      this.output += text
    })
    this.process.stderr!.setEncoding('utf8').on('data', text => {
      this.errors += text
    })
    this.ended = new Promise(resolve =>
      this.process.on('close', (code, signal) => {
        resolve({ code, signal, output: this.output, errors: this.errors })
      }),
    )
  }

  /** Resolves to the first line that it prints. */
  async line(): Promise<string> {
    while (!this.output.includes('\n')) {
      const more = new Promise<void>(resolve => this.process.stdout!.once('data', () => resolve()))
      const over = this.ended.then(({ code, errors }) => Promise.reject(new Error(`ended with ${code}: ${errors}`)))
      await Promise.race([more, over])
    }
    return this.output.slice(0, this.output.indexOf('\n'))
  }
}
