import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** As far below the root as where the package has it, since it looks for package.json from there. */
const FOLDER = fileURLToPath(new URL('../../build/cli/', import.meta.url))

/** Makes the command runnable: Node cannot run it as it is written. */
export async function builtCommand(): Promise<string> {
  await build({
    entryPoints: [fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))],
    outdir: FOLDER,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  })
  return `${FOLDER}main.js`
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
  readonly errors: string
}

/** A command under way. */
export class Running {
  readonly process: ChildProcess
  readonly ended: Promise<Ended>
  private output = ''
  private errors = ''

  constructor(file: string, words: readonly string[], environment: Record<string, string> = {}) {
    this.process = spawn(process.execPath, [file, ...words], { env: { PATH: process.env.PATH, ...environment } })
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

  /** The first line that it prints. */
  async line(): Promise<string> {
    while (!this.output.includes('\n')) {
      const more = new Promise<void>(resolve => this.process.stdout!.once('data', () => resolve()))
      const over = this.ended.then(({ code, errors }) => Promise.reject(new Error(`ended with ${code}: ${errors}`)))
      await Promise.race([more, over])
    }
    return this.output.slice(0, this.output.indexOf('\n'))
  }
}
