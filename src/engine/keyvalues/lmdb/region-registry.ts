import type { LmdbBytes } from './lmdb-bytes.js'
import { PLAIN_KEY_BYTES, Region, type RegionNumbers } from './region.js'

/** The region that stores this registry. The regions of spaces have higher numbers. */
const OWN_REGION = 0
const NEXT = 'next'
const NAMES = 'space/'
const DROPPED = 'dropped/'
const CLEARED_ENTRIES = 500

/** Assigns regions to the names of spaces, and lists the dropped regions that are not yet cleared. */
export class RegionRegistry implements RegionNumbers {
  private readonly ownRegion: Region
  private readonly regions = new Map<string, Region>()
  private readonly dropped = new Set<number>()

  constructor(
    private readonly bytes: LmdbBytes,
    private readonly plainKeyBytes: number,
  ) {
    this.ownRegion = new Region(bytes, OWN_REGION, this, PLAIN_KEY_BYTES)
    this.reload()
  }

  /** Restores the state of the last commit. */
  reload(): void {
    this.regions.clear()
    this.dropped.clear()
    this.forEachEntry(NAMES, (name, number) => this.regions.set(name, this.openRegion(number)))
    this.forEachEntry(DROPPED, (_, number) => this.dropped.add(number))
  }

  find(name: string): Region | undefined {
    this.bytes.checkOpen()
    return this.regions.get(name)
  }

  create(name: string): Region {
    const region = this.openRegion(this.allocate())
    this.ownRegion.put(NAMES + name, toNumberBytes(region.number))
    this.regions.set(name, region)
    return region
  }

  allocate(): number {
    const number = this.ownRegion.get(NEXT)?.readUInt32BE() ?? OWN_REGION + 1
    this.ownRegion.put(NEXT, toNumberBytes(number + 1))
    return number
  }

  /** Copies encoded values without decoding them. */
  copy(from: string, to: string): void {
    const source = this.regions.get(from)
    if (source) (this.regions.get(to) ?? this.create(to)).copyFrom(source)
  }

  /** Drops a space immediately; its content is removed in batches with later writes. */
  drop(name: string): void {
    const region = this.regions.get(name)
    if (!region) return
    this.regions.delete(name)
    this.ownRegion.remove(NAMES + name)
    this.markDropped(region.number)
  }

  get hasDropped(): boolean {
    return this.dropped.size > 0
  }

  clearSome(): void {
    const [number] = this.dropped
    if (number === undefined) return
    const { buckets, done } = this.openRegion(number).clear(CLEARED_ENTRIES)
    for (const bucket of buckets) this.markDropped(bucket)
    if (!done) return
    this.dropped.delete(number)
    this.ownRegion.remove(DROPPED + number)
  }

  private markDropped(number: number): void {
    this.dropped.add(number)
    this.ownRegion.put(DROPPED + number, toNumberBytes(number))
  }

  private openRegion(number: number): Region {
    return new Region(this.bytes, number, this, this.plainKeyBytes)
  }

  private forEachEntry(prefix: string, visit: (name: string, number: number) => void): void {
    const end = prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)
    this.ownRegion.range({ from: prefix, to: end, reverse: false }, (value, key) => {
      visit(key.slice(prefix.length), value.readUInt32BE())
      return true
    })
  }
}

function toNumberBytes(number: number): Buffer {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeUInt32BE(number)
  return bytes
}
