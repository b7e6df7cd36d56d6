interface Sleeper {
  readonly atMs: number
  readonly wake: () => void
}

/** A virtual clock that advances on request, or when every process sleeps. */
export class VirtualTime {
  private readonly sleepers = new Set<Sleeper>()

  constructor(private nowMs = Date.parse('2026-01-01T00:00:00Z')) {}

  clock = () => this.nowMs

  sleep = (delayMs: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const abort = () => {
        this.sleepers.delete(sleeper)
        reject(signal?.reason)
      }
      const sleeper: Sleeper = {
        atMs: this.nowMs + delayMs,
        wake: () => {
          signal?.removeEventListener('abort', abort)
          resolve()
        },
      }
      this.sleepers.add(sleeper)
      signal?.addEventListener('abort', abort, { once: true })
    })

  /** Resolves when all work without delays is done. */
  idle = () => new Promise<void>(resolve => setImmediate(resolve))

  async pass(durationMs: number): Promise<void> {
    const endMs = this.nowMs + durationMs
    await this.idle()
    for (let next = this.next(); next && next.atMs <= endMs; next = this.next()) await this.rouse(next)
    this.nowMs = endMs
    await this.idle()
  }

  /** Stops the clock for all sleepers, as for a suspended process. */
  jump(durationMs: number): void {
    this.nowMs += durationMs
  }

  /** Advances the clock until the promise settles, for an hour at most. */
  async until<T>(promise: Promise<T>): Promise<T> {
    let ended = false
    const end = promise.finally(() => {
      ended = true
    })
    end.catch(() => undefined)
    const lastMs = this.nowMs + 3_600_000
    await this.idle()
    for (let next = this.next(); next && !ended && next.atMs <= lastMs; next = this.next()) await this.rouse(next)
    if (!ended) throw new Error('it did not happen within an hour')
    return end
  }

  private next(): Sleeper | undefined {
    return [...this.sleepers].sort((a, b) => a.atMs - b.atMs)[0]
  }

  private async rouse(sleeper: Sleeper): Promise<void> {
    this.sleepers.delete(sleeper)
    this.nowMs = Math.max(this.nowMs, sleeper.atMs)
    sleeper.wake()
    await this.idle()
  }
}
