import type { AbortSignalLike } from '../../store/abort-signal.js'
/** Every wait of a follower, so that it can be woken, and ends at once when it stops. */
export class Waits {
  /** Grows whenever something may have happened. */
  turn = 0
  #ended = false
  readonly #waiting = new Set<AbortController>()
  readonly #resting = new Set<AbortController>()

  constructor(readonly sleep: (delayMs: number, signal: AbortSignalLike) => Promise<void>) {}

  /** Nobody goes on waiting, and who was about to does not begin. */
  wake(): number {
    this.turn++
    abortAll(this.#waiting)
    return this.turn
  }

  end(): void {
    this.#ended = true
    this.wake()
    abortAll(this.#resting)
  }

  /** Waits until it is woken, unless it was since the given turn. */
  async pause(delayMs: number, since: number): Promise<void> {
    if (this.turn === since) await this.#sleep(delayMs, this.#waiting)
  }

  /** Waits whatever happens. */
  async rest(delayMs: number): Promise<void> {
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
