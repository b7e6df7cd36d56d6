import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'

const START_MS = 60_000
const POLL_MS = 5
/** Linux's unit of processor time on every machine that Node supports. */
const TICKS_PER_SECOND = 100

/** The running servers, which are killed when the benchmark ends. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** How a server is started on a port. */
export interface Command {
  readonly file: string
  words(port: number): readonly string[]
  readonly folder?: string
}

/** A server in a separate process, and its costs. */
export class ServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    /** Milliseconds from the start of the process to its first response. */
    readonly startMs: number,
  ) {}

  static async start({ file, words, folder }: Command): Promise<ServerProcess> {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const start = performance.now()
    const child = spawn(file, words(port), { stdio: 'ignore', cwd: folder })
    running.add(child)
    while (!(await answers(url))) {
      if (child.exitCode !== null) throw new Error(`${file} ended with ${child.exitCode}`)
      if (performance.now() - start > START_MS) throw new Error(`${file} did not answer`)
      await sleep(POLL_MS)
    }
    return new ServerProcess(child, url, performance.now() - start)
  }

  /** Returns the total processor time of all threads. */
  cpuMs(): number {
    const fields = this.proc('stat')
      .replace(/^.*\) /, '')
      .split(' ')
    return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1000
  }

  memoryBytes(): number {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(this.proc('status'))![1]) * 1024
  }

  private proc(name: string): string {
    return readFileSync(`/proc/${this.child.pid}/${name}`, 'utf8')
  }

  async stop(): Promise<void> {
    const ended = new Promise(resolve => this.child.once('exit', resolve))
    this.child.kill('SIGKILL')
    await ended
    running.delete(this.child)
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const { body } = await request(url, { method: 'POST', body: '' })
    await body.dump()
    return true
  } catch {
    return false
  }
}

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
