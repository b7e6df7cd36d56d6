import { fnv1a } from '../../layout/fingerprint.js'

/** Number of keys that fit into about 200 MB. */
export const MAX_KNOWN_KEYS = 1_000_000

/** Maps target keys to their claimants. If there are too many keys, each round covers a range of hashes. */
export class ClaimedKeys {
  private readonly claims = new Map<string, string>()
  private low = 0
  private high = HASHES

  constructor(private readonly maxKnown: number) {}

  /** Claims a target key. Returns false if another item has claimed it. */
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

  /** Continues with the next range of hashes. Returns false after the last one. */
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

/**
 * Hashes a text and mixes the bits once more, because the high bits of the hash hardly depend on the last characters.
 */
function mixedHashOf(text: string): number {
  const hash = fnv1a(text)
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0
}
