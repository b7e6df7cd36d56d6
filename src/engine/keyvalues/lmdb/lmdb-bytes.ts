import type { RootDatabase } from 'lmdb'

/** LMDB as ordered bytes. Keys are texts of one character a byte, as everywhere in the engine. */
export class LmdbBytes {
  /** Whether a transaction is running its work: what is read then is what it wrote. */
  isWriting = false
  /** Why nothing can be read or written any more. */
  unusableReason: string | undefined

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

  /** The same, and quicker, for a key that comes after all others. */
  append(key: string, value: Buffer): void {
    this.checkWriting()
    // It tells whether it could, which its types do not say.
    const isLast = this.database.putSync(key, value, LAST) as unknown as boolean
    if (!isLast) this.database.putSync(key, value)
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
    if (this.isWriting) return this.rangeInChunks(options, visit)
    let isEmpty = true
    for (const { key, value } of this.database.getRange(options)) {
      isEmpty = false
      if (!visit(key, value)) return false
    }
    if (isEmpty) this.checkAlive()
    return true
  }

  /**
   * Throws where LMDB has given up on the file, as it does when it cannot write the beginning of it. From then on it tells
   * every range to be empty, and no write, nor its closing, ever comes to an end.
   */
  checkAlive(): void {
    this.database.getBinaryFast(ANY_KEY)
  }

  /** What is visited may write, which no cursor should have to follow. */
  private rangeInChunks(options: RangeBounds, visit: (key: string, value: Buffer) => boolean): boolean {
    let rest = options
    for (let limit = CHUNK_ENTRIES_MIN; ; limit = Math.min(2 * limit, CHUNK_ENTRIES_MAX)) {
      const { entries, isLast } = this.readChunk(rest, limit)
      for (const { key, value } of entries) if (!visit(key, value)) return false
      if (isLast) return true
      rest = { ...options, start: entries.at(-1)!.key, exclusiveStart: true }
    }
  }

  private readChunk(bounds: RangeBounds, limit: number): { readonly entries: Entry[]; readonly isLast: boolean } {
    const entries: Entry[] = []
    let chunkBytes = 0
    for (const { key, value } of this.database.getRange({ ...bounds, limit })) {
      entries.push({ key, value: copyOf(value) })
      chunkBytes += value.length
      if (chunkBytes > CHUNK_BYTES) return { entries, isLast: false }
    }
    return { entries, isLast: entries.length < limit }
  }

  /** From now on what was committed last is read, or found that nothing can be. */
  resetReadTransaction(): void {
    this.database.resetReadTxn()
  }

  isAlive(): boolean {
    try {
      this.resetReadTransaction()
      this.checkAlive()
      return true
    } catch {
      return false
    }
  }

  checkOpen(): void {
    if (this.unusableReason !== undefined) throw new Error(this.unusableReason)
  }

  private checkWriting(): void {
    if (!this.isWriting) throw new Error('nothing is written outside of a write')
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

interface Entry {
  readonly key: string
  readonly value: Buffer
}

/** Chunks grow, since most ranges end soon and some go over a whole table. */
const CHUNK_ENTRIES_MIN = 64
const CHUNK_ENTRIES_MAX = 1024
const CHUNK_BYTES = 1024 * 1024
const LAST = { append: true }
/** Whether it is there or not. */
const ANY_KEY = '\x00'

/** LMDB's buffer is longer than it says, which only this heeds. */
function copyOf(value: Buffer): Buffer {
  return Uint8Array.prototype.slice.call(value, 0, value.length) as Buffer
}
