import { createWriteStream } from 'node:fs'
import { mkdtemp, open, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { CommandFailure, InterruptedFailure } from '../command-failure.js'
import { abortOnStop, StopSignalError } from '../terminal/stop-signal.js'

/** The name of standard input on a command line. */
export const STANDARD_INPUT = '-'

/** Standard input in a temporary file, which `remove` deletes. */
export interface SpooledInput {
  readonly path: string
  remove(): Promise<void>
}

/** Copies standard input to a temporary file: nodes are written before edges, so the load may read it twice. */
export async function spoolStandardInput(): Promise<SpooledInput> {
  // Listens before the folder exists, so that a signal cannot leave the folder behind.
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
      throw new InterruptedFailure(
        'load: a signal stopped the command before it loaded any rows; run the same command again.',
        signal.reason,
      )
    throw new CommandFailure(`-: standard input cannot be read (${(error as Error).message}); run the command again.`)
  }
}

/** Detects the magic number of gzip. */
async function isGzipFile(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2)
    return buffer[0] === 0x1f && buffer[1] === 0x8b
  } finally {
    await file.close()
  }
}
