import { type FileHandle, open, readFile, rm } from 'node:fs/promises'
import type { CommandFailure } from '../command-failure.js'
import { formatJson } from '../terminal/output.js'
import { toTruncatedFailure, toWriteFailure } from './file-failures.js'
import { writeFully } from './write-fully.js'

/**
 * A file of JSON lines next to a checkpoint. Lines written after the checkpoint are overwritten, so none is duplicated.
 */
export class AppendOnlyLines {
  private file: FileHandle | undefined

  constructor(
    readonly path: string,
    private confirmedBytes: number,
    /** The advice if the file cannot be written, such as the option that selects another path. */
    private readonly advice: string,
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

  /** Reads the lines up to the checkpoint. */
  async read(): Promise<unknown[]> {
    if (this.confirmedBytes === 0) return []
    const bytes = await readFile(this.path).catch(() => Buffer.alloc(0))
    if (bytes.length < this.confirmedBytes) throw toTruncatedFailure(this.path, 'remove the checkpoint')
    const lines = bytes.toString('utf8', 0, this.confirmedBytes).trimEnd().split('\n')
    return lines.map(line => JSON.parse(line))
  }

  async close(): Promise<void> {
    await this.file?.close()
    this.file = undefined
  }

  /** Deletes the file of an earlier run. */
  async clear(): Promise<void> {
    await this.close()
    await rm(this.path, { force: true }).catch(error => {
      throw this.writeFailureOf(error)
    })
  }

  private async openFile(): Promise<FileHandle> {
    try {
      const file = await open(this.path, 'r+').catch(() => open(this.path, 'w+'))
      // Lost bytes are not skipped: writing beyond the end would fill the gap with zeros.
      this.confirmedBytes = Math.min(this.confirmedBytes, (await file.stat()).size)
      await file.truncate(this.confirmedBytes)
      return file
    } catch (error) {
      throw this.writeFailureOf(error as NodeJS.ErrnoException)
    }
  }

  private writeFailureOf(error: NodeJS.ErrnoException): CommandFailure {
    return toWriteFailure(this.path, error, this.advice)
  }
}
