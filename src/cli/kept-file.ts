import { open, readFile, rename, rm } from 'node:fs/promises'
import { Failure } from './failure.js'

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
      throw new Failure(`${this.path} is not a checkpoint of this command: give another with --checkpoint`)
    }
  }

  async write(value: unknown): Promise<void> {
    const beside = `${this.path}.new`
    const file = await open(beside, 'w').catch((error: NodeJS.ErrnoException) => {
      throw new Failure(`${this.path} cannot be written (${error.code}): give another place with --checkpoint`)
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
