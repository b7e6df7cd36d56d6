import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

const SCRIPT = fileURLToPath(new URL('terminal.py', import.meta.url))

/** The reason why a pseudo-terminal is unavailable, or undefined. CI requires one. */
export const noTerminal: string | undefined =
  process.env.CI || spawnSync('python3', ['-c', 'import pty']).status === 0
    ? undefined
    : 'a pseudo-terminal needs python3'

export interface TerminalOptions {
  readonly columns?: number
  readonly cwd?: string
  readonly environment?: Record<string, string>
}

/** A command on a terminal with simulated input. */
export class Terminal {
  readonly ended: Promise<number | null>
  private readonly process: ChildProcess
  private shown = ''

  constructor(command: readonly string[], { columns = 80, cwd, environment }: TerminalOptions = {}) {
    const env = { PATH: process.env.PATH, TERM: 'xterm-256color', ...environment }
    this.process = spawn('python3', [SCRIPT, String(columns), '40', ...command], { env, cwd })
    this.process.stdout!.setEncoding('utf8').on('data', text => {
      this.shown += text
    })
    this.ended = new Promise(resolve => this.process.on('close', code => resolve(code)))
  }

  /** All output, with colors. */
  get raw(): string {
    return this.shown
  }

  /** All output, as text. */
  get text(): string {
    return stripVTControlCharacters(this.shown).replaceAll('\r', '')
  }

  /** Waits for a text after the last match, and returns all output up to it. */
  async until(expected: string): Promise<string> {
    for (;;) {
      const at = this.text.indexOf(expected, this.seen)
      if (at >= 0) {
        const from = this.seen
        this.seen = at + expected.length
        return this.text.slice(from, this.seen)
      }
      const more = new Promise<void>(resolve => this.process.stdout!.once('data', () => resolve()))
      const over = this.ended.then(code => Promise.reject(new Error(`ended with ${code} after ${this.text}`)))
      await Promise.race([more, over])
    }
  }

  private seen = 0

  type(text: string): void {
    this.process.stdin!.write(text)
  }

  kill(): void {
    this.process.kill('SIGKILL')
  }
}
