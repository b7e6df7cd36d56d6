import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
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
    // A process group of its own, so that close() also ends the browser's child processes.
    this.process = spawn(file, words, { stdio: 'ignore', detached: true })
  }

  /** Ends all processes of the browser. Its children may write to the profile for a moment longer. */
  async close(): Promise<void> {
    const { pid, exitCode } = this.process
    if (exitCode === null && pid !== undefined) {
      const ended = once(this.process, 'exit')
      process.kill(-pid, 'SIGKILL')
      await ended
    }
    await rm(this.profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }).catch(() => {})
  }
}
