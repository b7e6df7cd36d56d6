import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']

/** The browser of this machine: the environment variable `CHROMIUM`, or the first one on the path. */
export function chromiumHere(): string | undefined {
  const names = process.env.CHROMIUM ? [process.env.CHROMIUM] : NAMES
  return names.find(name => spawnSync(name, ['--version']).status === 0)
}

/** A headless browser that shows one page in a separate profile. */
export class Chromium {
  private readonly profile = mkdtempSync(join(tmpdir(), 'edgewise-chromium-'))
  private readonly process: ChildProcess

  /** Every host name that ends in `.example` resolves to this machine, as an attacker's DNS would do. */
  constructor(file: string, url: string) {
    const words = [
      '--headless=new',
      // The tests of CI run as root, which Chromium's sandbox rejects.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--no-first-run',
      '--host-resolver-rules=MAP *.example 127.0.0.1',
      `--user-data-dir=${this.profile}`,
      url,
    ]
    this.process = spawn(file, words, { stdio: 'ignore' })
  }

  async close(): Promise<void> {
    const ended = once(this.process, 'exit')
    if (this.process.exitCode === null && this.process.kill('SIGKILL')) await ended
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 10 })
  }
}
