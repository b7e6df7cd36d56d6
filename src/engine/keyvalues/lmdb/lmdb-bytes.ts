import type { RootDatabase } from 'lmdb'

/** LMDB as an ordered map of bytes. As everywhere in the engine, keys are texts with one character per byte. */
export class LmdbBytes {
  /** Whether a write transaction is running. Reads then see its writes. */
  isWriting = false
  /** The reason why the store can no longer be used. */
  unusableReason: string | undefined

  constructor(private readonly database: RootDatabase<Buffer, string>) {}

  /** Returns a value that is valid until the next read. */
  get(key: string): Buffer | undefined {
    this.checkOpen()
    return this.database.getBinaryFast(key)
  }

  put(key: string, value: Buffer): void {
    this.checkWriting()
    this.database.putSync(key, value)
  }

  /** Like `put`, but faster for a key that sorts after all others. */
  append(key: string, value: Buffer): void {
    this.checkWriting()
    // LMDB returns whether the key was last, which its types do not declare.
    const isLast = this.database.putSync(key, value, LAST) as unknown as boolean
    if (!isLast) this.database.putSync(key, value)
  }

  remove(key: string): void {
    this.checkWriting()
    this.database.removeSync(key)
  }

  /** Visits keys in order until `visit` returns false. Returns whether all keys were visited. */
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
   * Throws if LMDB has given up on the file, which happens when it cannot write the first pages. From then on LMDB
   * returns empty ranges, and writes and `close` never finish.
   */
  checkAlive(): void {
    this.database.getBinaryFast(ANY_KEY)
  }

  /** Reads chunks, because `visit` may write and no cursor must stay open during a write. */
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

  /** Makes later reads see the last commit. Throws if nothing can be read. */
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
    if (!this.isWriting) throw new Error('engine: a put or remove ran outside of a write; report this bug of edgewise.')
  }
}

/** A range from an inclusive start to an exclusive end. */
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

/** Chunks grow, because most ranges are short and some cover a whole table. */
const CHUNK_ENTRIES_MIN = 64
const CHUNK_ENTRIES_MAX = 1024
const CHUNK_BYTES = 1024 * 1024
const LAST = { append: true }
/** Any key works; it need not exist. */
const ANY_KEY = '\x00'

/** LMDB's buffer is larger than its `length`. Only this form of `slice` copies `length` bytes. */
function copyOf(value: Buffer): Buffer {
  return Uint8Array.prototype.slice.call(value, 0, value.length) as Buffer
}
