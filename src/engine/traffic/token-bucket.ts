const SECOND_MS = 1000

/** A rate of units per second, and the number of seconds for which unused units accumulate. */
export interface RateLimit {
  readonly unitsPerSecond: number
  readonly burstSeconds: number
}

/**
 * Available units. A request is admitted if any unit is available, and its cost may make the number negative: the units
 * of a read are known only afterward, and a write may need more units than one second provides.
 */
export class TokenBucket {
  private units: number

  /** A new bucket has the units of one second. */
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
