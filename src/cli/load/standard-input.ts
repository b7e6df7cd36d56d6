import { createWriteStream } from 'node:fs'
import { mkdtemp, open, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { CommandFailure, InterruptedFailure } from '../command-failure.js'
import { abortOnStop, StopSignalError } from '../terminal/stop-signal.js'

/** How a command line names what comes from another program. */
export const STANDARD_INPUT = '-'

/** What came from another program, in a file that is gone with this one. */
export interface SpooledInput {
  readonly path: string
  remove(): Promise<void>
}

/** Takes in standard input as a whole: nodes come before edges, so that it may have to be read twice. */
export async function spoolStandardInput(): Promise<SpooledInput> {
  // It listens before the folder exists, so that no signal leaves the folder behind.
  const signal = abortOnStop()
  const folder = await mkdtemp(join(tmpdir(), 'edgewise-load-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const path = join(folder, 'rows')
  try {
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }), { signal })
    if (!(await isGzipFile(path))) return { path, remove }
    const gzipPath = `${path}.gz`
    await rename(path, gzipPath)
    return { path: gzipPath, remove }
  } catch (error) {
    await remove()
    if (signal.reason instanceof StopSignalError)
      throw new InterruptedFailure('stopped before anything was loaded', signal.reason)
    throw new CommandFailure(`standard input cannot be read: ${(error as Error).message}`)
  }
}

/** By the mark that gzip begins with. */
async function isGzipFile(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2)
    return buffer[0] === 0x1f && buffer[1] === 0x8b
  } finally {
    await file.close()
  }
}
