const SECOND_MS = 1000

/** How much can be taken: so many units a second, and what was left of them in earlier seconds. */
export interface RateLimit {
  readonly unitsPerSecond: number
  readonly burstSeconds: number
}

/**
 * Units to be taken. Whoever finds any left may take more than that, and the rest is owed: what a read takes is known
 * only afterwards, and a write may take more than a table has in a second.
 */
export class TokenBucket {
  private units: number

  /** It begins with what comes in a second. */
  constructor(
    limit: RateLimit,
    private atMs: number,
  ) {
    this.units = limit.unitsPerSecond
  }

  hasAny(limit: RateLimit, nowMs: number): boolean {
    this.refill(limit, nowMs)
    return this.units > 0
  }

  isFull(limit: RateLimit, nowMs: number): boolean {
    this.refill(limit, nowMs)
    return this.units >= limit.unitsPerSecond * limit.burstSeconds
  }

  take(units: number): void {
    this.units -= units
  }

  private refill({ unitsPerSecond, burstSeconds }: RateLimit, nowMs: number): void {
    const refilled = (Math.max(0, nowMs - this.atMs) / SECOND_MS) * unitsPerSecond
    this.units = Math.min(this.units + refilled, unitsPerSecond * burstSeconds)
    this.atMs = Math.max(this.atMs, nowMs)
  }
}
