import type { LmdbBytes } from './bytes.js'
import { type Numbers, PLAIN_KEY_BYTES, Region } from './region.js'

/** The region of this number has what is told here; those of spaces come after it. */
const OWN = 0
const NEXT = 'next'
const NAMES = 'space/'
const DROPPED = 'dropped/'
const CLEARED_ENTRIES = 500

/** Which region is whose: spaces by name, and what was dropped and is still to be cleared. */
export class Registry implements Numbers {
  private readonly own: Region
  private readonly regions = new Map<string, Region>()
  private readonly dropped = new Set<number>()

  constructor(
    private readonly bytes: LmdbBytes,
    private readonly plainBytes: number,
  ) {
    this.own = new Region(bytes, OWN, this, PLAIN_KEY_BYTES)
    this.read()
  }

  /** As it was committed last. */
  read(): void {
    this.regions.clear()
    this.dropped.clear()
    this.each(NAMES, (name, number) => this.regions.set(name, this.region(number)))
    this.each(DROPPED, (_, number) => this.dropped.add(number))
  }

  find(name: string): Region | undefined {
    this.bytes.checkOpen()
    return this.regions.get(name)
  }

  make(name: string): Region {
    const region = this.region(this.take())
    this.own.put(NAMES + name, numberBytes(region.number))
    this.regions.set(name, region)
    return region
  }

  take(): number {
    const number = this.own.get(NEXT)?.readUInt32BE() ?? OWN + 1
    this.own.put(NEXT, numberBytes(number + 1))
    return number
  }

  /** Bytes as they are, which nobody has to read. */
  copy(from: string, to: string): void {
    const source = this.regions.get(from)
    if (source) (this.regions.get(to) ?? this.make(to)).take(source)
  }

  /** It is gone at once; what it held is cleared little by little. */
  drop(name: string): void {
    const region = this.regions.get(name)
    if (!region) return
    this.regions.delete(name)
    this.own.remove(NAMES + name)
    this.markDropped(region.number)
  }

  get hasDropped(): boolean {
    return this.dropped.size > 0
  }

  clearSome(): void {
    const [number] = this.dropped
    if (number === undefined) return
    const { buckets, done } = this.region(number).clear(CLEARED_ENTRIES)
    for (const bucket of buckets) this.markDropped(bucket)
    if (!done) return
    this.dropped.delete(number)
    this.own.remove(DROPPED + number)
  }

  private markDropped(number: number): void {
    this.dropped.add(number)
    this.own.put(DROPPED + number, numberBytes(number))
  }

  private region(number: number): Region {
    return new Region(this.bytes, number, this, this.plainBytes)
  }

  private each(prefix: string, visit: (name: string, number: number) => void): void {
    const end = prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)
    this.own.range({ from: prefix, to: end, reverse: false }, (value, key) => {
      visit(key.slice(prefix.length), value.readUInt32BE())
      return true
    })
  }
}

function numberBytes(number: number): Buffer {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeUInt32BE(number)
  return bytes
}
