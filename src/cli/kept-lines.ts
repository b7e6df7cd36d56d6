import { type FileHandle, open, readFile, rm } from 'node:fs/promises'
import { Failure } from './failure.js'
import { jsonOf } from './output.js'
import { writeWhole } from './write-whole.js'

/** A file of documents, one a line, beside a checkpoint. What was written after that is written again, not twice. */
export class KeptLines {
  private file: FileHandle | undefined

  constructor(
    readonly path: string,
    private bytes: number,
    /** Where else it lies with another value. */
    private readonly option: string,
  ) {}

  get sizeBytes(): number {
    return this.bytes
  }

  async add(rows: readonly object[]): Promise<void> {
    this.file ??= await this.opened()
    const text = Buffer.from(rows.map(row => `${jsonOf(row)}\n`).join(''))
    await writeWhole(this.file, text, this.bytes)
    await this.file.sync()
    this.bytes += text.length
  }

  /** All that it has up to the checkpoint. */
  async read(): Promise<unknown[]> {
    if (this.bytes === 0) return []
    const bytes = await readFile(this.path).catch(() => Buffer.alloc(0))
    if (bytes.length < this.bytes)
      throw new Failure(`${this.path} is shorter than its checkpoint says; remove the checkpoint`)
    const lines = bytes.toString('utf8', 0, this.bytes).trimEnd().split('\n')
    return lines.map(line => JSON.parse(line))
  }

  async close(): Promise<void> {
    await this.file?.close()
    this.file = undefined
  }

  /** Of what begins: what an earlier one left is gone. */
  async clear(): Promise<void> {
    await this.close()
    await rm(this.path, { force: true }).catch(error => {
      throw this.unwritable(error)
    })
  }

  private async opened(): Promise<FileHandle> {
    try {
      const file = await open(this.path, 'r+').catch(() => open(this.path, 'w+'))
      // What is no longer there is not made up for: it would be zeros.
      this.bytes = Math.min(this.bytes, (await file.stat()).size)
      await file.truncate(this.bytes)
      return file
    } catch (error) {
      throw this.unwritable(error as NodeJS.ErrnoException)
    }
  }

  private unwritable({ code }: NodeJS.ErrnoException): Failure {
    return new Failure(`${this.path} cannot be written (${code}); give another file with ${this.option}`)
  }
}
