import type { AbortSignalLike } from '../store/abort-signal.js'
import { type Clock, systemClock } from '../store/backoff.js'

const MS_OF_SECOND = 1000

/** Holds work to a number of capacity units a second. */
export class RateLimiter {
  private used = 0
  private readonly startMs: number

  constructor(
    private readonly unitsPerSecond: number | undefined,
    private readonly clock: Clock = systemClock,
  ) {
    this.startMs = clock.now()
  }

  /** Counts units that a request used. */
  use(units: number): void {
    this.used += units
  }

  /** Resolves when the units that were used so far are within the rate. */
  async ready(signal?: AbortSignalLike): Promise<void> {
    if (this.unitsPerSecond === undefined) return
    const dueMs = this.startMs + (this.used / this.unitsPerSecond) * MS_OF_SECOND
    const waitMs = dueMs - this.clock.now()
    if (waitMs > 0) await this.clock.sleep(waitMs, signal)
  }
}
