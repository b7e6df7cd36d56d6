import type { AbortSignalLike } from '../../store/abort-signal.js'
/** Every wait of a follower, so that it can be woken, and ends at once when it stops. */
export class WakeableTimer {
  /** Grows whenever something may have happened. */
  wakeCount = 0
  #ended = false
  readonly #waiting = new Set<AbortController>()
  readonly #resting = new Set<AbortController>()

  constructor(readonly sleep: (delayMs: number, signal: AbortSignalLike) => Promise<void>) {}

  /** Nobody goes on waiting, and who was about to does not begin. */
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

  /** Waits until it is woken, unless it was since the given turn. */
  async waitUntilWoken(delayMs: number, sinceWakeCount: number): Promise<void> {
    if (this.wakeCount === sinceWakeCount) await this.#sleep(delayMs, this.#waiting)
  }

  /** Waits whatever happens. */
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
