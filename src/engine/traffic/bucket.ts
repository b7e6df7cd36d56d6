const SECOND_MS = 1000

/** How much can be taken: so many units a second, and what was left of them in earlier seconds. */
export interface Limit {
  readonly unitsPerSecond: number
  readonly burstSeconds: number
}

/**
 * Units to be taken. Whoever finds any left may take more than that, and the rest is owed: what a read takes is known
 * only afterwards, and a write may take more than a table has in a second.
 */
export class Bucket {
  private units: number

  /** It begins with what comes in a second. */
  constructor(
    limit: Limit,
    private atMs: number,
  ) {
    this.units = limit.unitsPerSecond
  }

  hasAny(limit: Limit, nowMs: number): boolean {
    this.fill(limit, nowMs)
    return this.units > 0
  }

  isFull(limit: Limit, nowMs: number): boolean {
    this.fill(limit, nowMs)
    return this.units >= limit.unitsPerSecond * limit.burstSeconds
  }

  take(units: number): void {
    this.units -= units
  }

  private fill({ unitsPerSecond, burstSeconds }: Limit, nowMs: number): void {
    const come = (Math.max(0, nowMs - this.atMs) / SECOND_MS) * unitsPerSecond
    this.units = Math.min(this.units + come, unitsPerSecond * burstSeconds)
    this.atMs = Math.max(this.atMs, nowMs)
  }
}
