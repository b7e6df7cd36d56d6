import { open, readFile, rename, rm } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { Failure } from './failure.js'

/** Where files lie that are kept beside a file or a folder: `..` has no name of its own. */
export function besideOf(path: string): string {
  const plain = path.replace(/(?<=.)\/+$/, '')
  return /^\.{0,2}$/.test(basename(plain)) ? resolve(plain) : plain
}

/** A document that is whole, old or new, whenever the process or the machine stops. */
export class KeptFile {
  constructor(readonly path: string) {}

  /** Undefined where there is none. */
  async read(): Promise<unknown> {
    const text = await readFile(this.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw new Failure(`${this.path} cannot be read: ${error.message}`)
    })
    if (text === undefined) return undefined
    try {
      return JSON.parse(text)
    } catch {
      throw new Failure(`${this.path} is not a checkpoint of this command; give another file with --checkpoint`)
    }
  }

  async write(value: unknown): Promise<void> {
    const beside = `${this.path}.new`
    const file = await open(beside, 'w').catch((error: NodeJS.ErrnoException) => {
      throw new Failure(`${this.path} cannot be written (${error.code}); give another file with --checkpoint`)
    })
    try {
      await file.writeFile(JSON.stringify(value))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(beside, this.path)
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true })
  }
}

const NOTE_MS = 1000

/** Notes how far something came: the first time at once, then about once a second. What was done since is done again. */
export class Notes {
  private writtenMs = Number.NEGATIVE_INFINITY
  private waiting: unknown

  constructor(private readonly kept: KeptFile) {}

  async note(value: unknown): Promise<void> {
    this.waiting = value
    if (performance.now() - this.writtenMs >= NOTE_MS) await this.settle()
  }

  /** Writes what was noted last. */
  async settle(): Promise<void> {
    if (this.waiting === undefined) return
    await this.kept.write(this.waiting)
    this.waiting = undefined
    this.writtenMs = performance.now()
  }
}
