import { type FileHandle, open, readFile, rm } from 'node:fs/promises'
import { CommandFailure } from '../command-failure.js'
import { formatJson } from '../terminal/output.js'
import { writeFully } from './write-fully.js'

/** A file of documents, one a line, beside a checkpoint. What was written after that is written again, not twice. */
export class AppendOnlyLines {
  private file: FileHandle | undefined

  constructor(
    readonly path: string,
    private confirmedBytes: number,
    /** Where else it lies with another value. */
    private readonly option: string,
  ) {}

  get sizeBytes(): number {
    return this.confirmedBytes
  }

  async append(rows: readonly object[]): Promise<void> {
    this.file ??= await this.openFile()
    const text = Buffer.from(rows.map(row => `${formatJson(row)}\n`).join(''))
    await writeFully(this.file, text, this.confirmedBytes)
    await this.file.sync()
    this.confirmedBytes += text.length
  }

  /** All that it has up to the checkpoint. */
  async read(): Promise<unknown[]> {
    if (this.confirmedBytes === 0) return []
    const bytes = await readFile(this.path).catch(() => Buffer.alloc(0))
    if (bytes.length < this.confirmedBytes)
      throw new CommandFailure(`${this.path} is shorter than its checkpoint says; remove the checkpoint`)
    const lines = bytes.toString('utf8', 0, this.confirmedBytes).trimEnd().split('\n')
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
      throw this.writeFailureOf(error)
    })
  }

  private async openFile(): Promise<FileHandle> {
    try {
      const file = await open(this.path, 'r+').catch(() => open(this.path, 'w+'))
      // What is no longer there is not made up for: it would be zeros.
      this.confirmedBytes = Math.min(this.confirmedBytes, (await file.stat()).size)
      await file.truncate(this.confirmedBytes)
      return file
    } catch (error) {
      throw this.writeFailureOf(error as NodeJS.ErrnoException)
    }
  }

  private writeFailureOf({ code }: NodeJS.ErrnoException): CommandFailure {
    return new CommandFailure(`${this.path} cannot be written (${code}); give another file with ${this.option}`)
  }
}
