import { fnv1a } from '../layout/fingerprint.js'

/** About 200 MB of them. */
export const PLACES_KNOWN = 1_000_000

/** Who belongs where, of as many places as are known at once: those of one range of hashes, and of the next when all were met. */
export class Places {
  private readonly known = new Map<string, string>()
  private low = 0
  private high = HASHES

  constructor(private readonly most: number) {}

  /** Whether nobody else is known to belong there. */
  isOnlyOf(place: string, told: string): boolean {
    if (!this.isOfRange(place)) return true
    if ((this.known.get(place) ?? told) !== told) return false
    this.known.set(place, told)
    while (this.known.size > this.most && this.high - this.low > 1) {
      this.high = this.low + Math.floor((this.high - this.low) / 2)
      for (const each of this.known.keys()) if (!this.isOfRange(each)) this.known.delete(each)
    }
    return true
  }

  /** Whether there are places that were not looked at. */
  isToGoOn(): boolean {
    const width = this.high - this.low
    this.known.clear()
    this.low = this.high
    this.high = Math.min(HASHES, this.low + width)
    return this.low < HASHES
  }

  private isOfRange(place: string): boolean {
    const hash = hashOf(place)
    return hash >= this.low && hash < this.high
  }
}

const HASHES = 2 ** 32

/** Its high bits tell little apart at the end of a text: they are mixed once more. */
function hashOf(text: string): number {
  const hash = fnv1a(text)
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0
}
