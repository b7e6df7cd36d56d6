import type { RootDatabase } from 'lmdb'

/** LMDB as ordered bytes. Keys are texts of one character a byte, as everywhere in the engine. */
export class LmdbBytes {
  /** Whether a transaction is running its work: what is read then is what it wrote. */
  writing = false
  /** Why nothing can be read or written any more. */
  ended: string | undefined

  constructor(private readonly database: RootDatabase<Buffer, string>) {}

  /** Valid until the next read. */
  get(key: string): Buffer | undefined {
    this.checkOpen()
    return this.database.getBinaryFast(key)
  }

  put(key: string, value: Buffer): void {
    this.checkWriting()
    this.database.putSync(key, value)
  }

  remove(key: string): void {
    this.checkWriting()
    this.database.removeSync(key)
  }

  /** Visits keys in order until `visit` says false, and tells whether it was let to the end. */
  range({ from, to, reverse }: ByteRange, visit: (key: string, value: Buffer) => boolean): boolean {
    this.checkOpen()
    const options = reverse
      ? { start: to, exclusiveStart: true, end: from, inclusiveEnd: true, reverse: true }
      : { start: from, end: to }
    if (this.writing) return this.inChunks(options, visit)
    for (const { key, value } of this.database.getRange(options)) if (!visit(key, value)) return false
    return true
  }

  /** What is visited may write, which no cursor should have to follow. */
  private inChunks(options: RangeBounds, visit: (key: string, value: Buffer) => boolean): boolean {
    for (let rest = options; ; ) {
      const chunk: { key: string; value: Buffer }[] = []
      for (const { key, value } of this.database.getRange({ ...rest, limit: CHUNK_ENTRIES }))
        chunk.push({ key, value: copyOf(value) })
      for (const { key, value } of chunk) if (!visit(key, value)) return false
      if (chunk.length < CHUNK_ENTRIES) return true
      rest = { ...options, start: chunk.at(-1)!.key, exclusiveStart: true }
    }
  }

  checkOpen(): void {
    if (this.ended !== undefined) throw new Error(this.ended)
  }

  private checkWriting(): void {
    if (!this.writing) throw new Error('nothing is written outside of a write')
  }
}

/** From the first inclusive to the second exclusive. */
export interface ByteRange {
  readonly from: string
  readonly to: string
  readonly reverse: boolean
}

interface RangeBounds {
  readonly start: string
  readonly end: string
  readonly exclusiveStart?: boolean
  readonly inclusiveEnd?: boolean
  readonly reverse?: boolean
}

const CHUNK_ENTRIES = 64

/** LMDB's buffer is longer than it says, which only this heeds. */
function copyOf(value: Buffer): Buffer {
  return Uint8Array.prototype.slice.call(value, 0, value.length) as Buffer
}
