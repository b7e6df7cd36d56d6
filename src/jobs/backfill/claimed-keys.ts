import { fnv1a } from '../../layout/fingerprint.js'

/** About 200 MB of them. */
export const MAX_KNOWN_KEYS = 1_000_000

/** Who belongs where, of as many places as are known at once: those of one range of hashes, and of the next when all were met. */
export class ClaimedKeys {
  private readonly claims = new Map<string, string>()
  private low = 0
  private high = HASHES

  constructor(private readonly maxKnown: number) {}

  /** Whether nobody else is known to belong there. */
  tryClaim(key: string, identity: string): boolean {
    if (!this.isInRange(key)) return true
    if ((this.claims.get(key) ?? identity) !== identity) return false
    this.claims.set(key, identity)
    while (this.claims.size > this.maxKnown && this.high - this.low > 1) {
      this.high = this.low + Math.floor((this.high - this.low) / 2)
      for (const claimedKey of this.claims.keys()) if (!this.isInRange(claimedKey)) this.claims.delete(claimedKey)
    }
    return true
  }

  /** Whether there are places that were not looked at. */
  startNextRange(): boolean {
    const width = this.high - this.low
    this.claims.clear()
    this.low = this.high
    this.high = Math.min(HASHES, this.low + width)
    return this.low < HASHES
  }

  private isInRange(key: string): boolean {
    const hash = mixedHashOf(key)
    return hash >= this.low && hash < this.high
  }
}

const HASHES = 2 ** 32

/** Its high bits tell little apart at the end of a text: they are mixed once more. */
function mixedHashOf(text: string): number {
  const hash = fnv1a(text)
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0
}
