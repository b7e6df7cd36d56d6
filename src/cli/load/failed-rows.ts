import { type FileHandle, open, rm } from 'node:fs/promises'
import type { FailedRow } from '../../jobs/load/load.js'
import { Failure } from '../failure.js'
import { writeWhole } from '../write-whole.js'

/** The file of rows that were refused. What was written after the last checkpoint is written again, not twice. */
export class FailedRows {
  private file: FileHandle | undefined

  constructor(
    readonly path: string,
    private bytes: number,
  ) {}

  get sizeBytes(): number {
    return this.bytes
  }

  async add(rows: readonly FailedRow[]): Promise<void> {
    this.file ??= await this.opened()
    const text = Buffer.from(rows.map(row => `${JSON.stringify(row)}\n`).join(''))
    await writeWhole(this.file, text, this.bytes)
    await this.file.sync()
    this.bytes += text.length
  }

  async close(): Promise<void> {
    await this.file?.close()
  }

  /** Of a load that begins: what an earlier one left is gone. */
  async clear(): Promise<void> {
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
    return new Failure(`${this.path} cannot be written (${code}): give another place with --failed`)
  }
}
