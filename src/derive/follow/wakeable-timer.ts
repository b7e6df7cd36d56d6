import type { AbortSignalLike } from '../../store/abort-signal.js'
/** The timer for all waits of a follower. It can be woken, and it ends all waits when the follower stops. */
export class WakeableTimer {
  /** Grows with every wake. */
  wakeCount = 0
  #ended = false
  readonly #waiting = new Set<AbortController>()
  readonly #resting = new Set<AbortController>()

  constructor(readonly sleep: (delayMs: number, signal: AbortSignalLike) => Promise<void>) {}

  /** Ends the current waits, and lets waits that have not begun return at once. */
  wake(): number {
    this.wakeCount++
    abortAll(this.#waiting)
    return this.wakeCount
  }

  stop(): void {
    this.#ended = true
    this.wake()
    abortAll(this.#resting)
  }

  /** Waits for the delay or the next wake. Returns at once if the timer was woken since the given wake count. */
  async waitUntilWoken(delayMs: number, sinceWakeCount: number): Promise<void> {
    if (this.wakeCount === sinceWakeCount) await this.#sleep(delayMs, this.#waiting)
  }

  /** Waits for the whole delay. Only `stop()` ends it early. */
  async waitFully(delayMs: number): Promise<void> {
    await this.#sleep(delayMs, this.#resting)
  }

  async #sleep(delayMs: number, among: Set<AbortController>): Promise<void> {
    if (this.#ended) return
    const controller = new AbortController()
    among.add(controller)
    try {
      await this.sleep(delayMs, controller.signal)
    } catch (error) {
      if (!controller.signal.aborted) throw error
    } finally {
      among.delete(controller)
    }
  }
}

function abortAll(controllers: Set<AbortController>): void {
  for (const controller of [...controllers]) controller.abort()
}
