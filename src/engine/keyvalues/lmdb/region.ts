import type { KeyRange } from '../port.js'
import type { LmdbBytes } from './lmdb-bytes.js'

/** LMDB's keys have at most 1,978 bytes. This leaves room for the region number and the bucket mark. */
export const PLAIN_KEY_BYTES = 1900
const NUMBER_BYTES = 4
const BUCKET_MARK = '\x00'

/** Allocates region numbers that were never used before. */
export interface RegionNumbers {
  allocate(): number
}

/**
 * An ordered map with keys of any length within LMDB; all of its keys begin with the region number. Keys that are too
 * long for LMDB and share a prefix are stored in a bucket. A bucket is a separate region with the rest of these keys;
 * its number is stored under the prefix followed by a mark. The mark makes the bucket sort after the key that equals
 * the prefix and before all greater keys, like the keys inside. Only buckets have keys of this length.
 */
export class Region {
  private readonly prefix: string

  constructor(
    private readonly bytes: LmdbBytes,
    readonly number: number,
    private readonly numbers: RegionNumbers,
    private readonly plainKeyBytes: number,
  ) {
    this.prefix = encodeNumber(number)
  }

  get(key: string): Buffer | undefined {
    if (key.length <= this.plainKeyBytes) return this.bytes.get(this.prefix + key)
    return this.bucketOf(key)?.get(this.restOf(key))
  }

  put(key: string, value: Buffer): void {
    if (key.length <= this.plainKeyBytes) this.bytes.put(this.prefix + key, value)
    else (this.bucketOf(key) ?? this.createBucket(key)).put(this.restOf(key), value)
  }

  /**
   * Copies all entries of another region. Into a new region they are appended, because they come in order and after all
   * other keys.
   */
  copyFrom(source: Region): void {
    source.range({ from: '', to: undefined, reverse: false }, (value, key) => {
      if (key.length <= this.plainKeyBytes) this.bytes.append(this.prefix + key, value)
      else this.put(key, value)
      return true
    })
  }

  remove(key: string): void {
    if (key.length <= this.plainKeyBytes) {
      this.bytes.remove(this.prefix + key)
      return
    }
    const bucket = this.bucketOf(key)
    if (!bucket) return
    bucket.remove(this.restOf(key))
    if (bucket.isEmpty()) this.bytes.remove(this.bucketKeyOf(key))
  }

  /** Visits keys in order until `visit` returns false. Returns whether all keys were visited. */
  range({ from, to, reverse }: KeyRange, visit: (value: Buffer, key: string) => boolean): boolean {
    const bounds = {
      from: from.length <= this.plainKeyBytes ? this.prefix + from : this.bucketKeyOf(from),
      to: this.endOf(to),
      reverse,
    }
    return this.bytes.range(bounds, (physical, value) => {
      const key = physical.slice(NUMBER_BYTES)
      if (key.length <= this.plainKeyBytes) return visit(value, key)
      const beginning = key.slice(0, -BUCKET_MARK.length)
      const rest = {
        from: from.startsWith(beginning) ? this.restOf(from) : '',
        to: to?.startsWith(beginning) ? this.restOf(to) : undefined,
        reverse,
      }
      return this.openBucket(value).range(rest, (inner, innerKey) => visit(inner, beginning + innerKey))
    })
  }

  /** Removes up to this many entries. Returns the buckets among them and whether the region is empty. */
  clear(entriesMax: number): { readonly buckets: number[]; readonly done: boolean } {
    const keys: string[] = []
    const buckets: number[] = []
    const all = { from: this.prefix, to: encodeNumber(this.number + 1), reverse: false }
    const done = this.bytes.range(all, (physical, value) => {
      if (keys.length === entriesMax) return false
      keys.push(physical)
      if (physical.length > NUMBER_BYTES + this.plainKeyBytes) buckets.push(value.readUInt32BE())
      return true
    })
    for (const key of keys) this.bytes.remove(key)
    return { buckets, done }
  }

  private isEmpty(): boolean {
    return this.range({ from: '', to: undefined, reverse: false }, () => false)
  }

  private endOf(to: string | undefined): string {
    if (to === undefined) return encodeNumber(this.number + 1)
    return to.length <= this.plainKeyBytes ? this.prefix + to : this.bucketKeyOf(to) + BUCKET_MARK
  }

  private bucketKeyOf(key: string): string {
    return this.prefix + key.slice(0, this.plainKeyBytes) + BUCKET_MARK
  }

  private restOf(key: string): string {
    return key.slice(this.plainKeyBytes)
  }

  private bucketOf(key: string): Region | undefined {
    const value = this.bytes.get(this.bucketKeyOf(key))
    return value && this.openBucket(value)
  }

  private createBucket(key: string): Region {
    const value = Buffer.from(encodeNumber(this.numbers.allocate()), 'latin1')
    this.bytes.put(this.bucketKeyOf(key), value)
    return this.openBucket(value)
  }

  private openBucket(value: Buffer): Region {
    return new Region(this.bytes, value.readUInt32BE(), this.numbers, this.plainKeyBytes)
  }
}

function encodeNumber(number: number): string {
  const bytes = Buffer.allocUnsafe(NUMBER_BYTES)
  bytes.writeUInt32BE(number)
  return bytes.toString('latin1')
}
