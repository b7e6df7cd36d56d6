import { open, readFile, rename, rm } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { CommandFailure } from '../command-failure.js'
import { OTHER_CHECKPOINT, toReadFailure, toWriteFailure } from './file-failures.js'

/** Returns the base path for files next to a file or a folder: `..` has no file name of its own. */
export function siblingBaseOf(path: string): string {
  const plain = path.replace(/(?<=.)\/+$/, '')
  return /^\.{0,2}$/.test(basename(plain)) ? resolve(plain) : plain
}

/**
 * A JSON file that is always complete, with either the old or the new content, even if the process or the machine
 * stops.
 */
export class AtomicJsonFile {
  constructor(readonly path: string) {}

  /** Resolves to undefined if the file does not exist. */
  async read(): Promise<unknown> {
    const text = await readFile(this.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw toReadFailure(this.path, error)
    })
    if (text === undefined) return undefined
    try {
      return JSON.parse(text)
    } catch {
      throw new CommandFailure(`${this.path}: the file is not a checkpoint of this command; ${OTHER_CHECKPOINT}.`)
    }
  }

  async write(value: unknown): Promise<void> {
    const temporaryPath = `${this.path}.new`
    const file = await open(temporaryPath, 'w').catch((error: NodeJS.ErrnoException) => {
      throw toWriteFailure(this.path, error, OTHER_CHECKPOINT)
    })
    try {
      await file.writeFile(JSON.stringify(value))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporaryPath, this.path)
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true })
  }
}

const SAVE_INTERVAL_MS = 1000

/** Saves progress: the first time at once, then about once a second. Work after the last save is repeated. */
export class CheckpointWriter {
  private writtenMs = Number.NEGATIVE_INFINITY
  private pendingValue: unknown

  constructor(private readonly file: AtomicJsonFile) {}

  async save(value: unknown): Promise<void> {
    this.pendingValue = value
    if (performance.now() - this.writtenMs >= SAVE_INTERVAL_MS) await this.flush()
  }

  /** Writes the last saved progress. */
  async flush(): Promise<void> {
    if (this.pendingValue === undefined) return
    await this.file.write(this.pendingValue)
    this.pendingValue = undefined
    this.writtenMs = performance.now()
  }
}
