import { nextEventLoopTurn } from '../store/event-loop-turn.js'

/** How many answers a program has at once; the rest of its process has a turn before it has more. */
const RESPONSES_PER_YIELD = 500

/**
 * Who awaits one answer after another of a store that makes nothing wait would keep the process to himself: no timer,
 * socket or signal would be heard, nor his own deadline. So after so many answers the next come a turn later.
 */
export class EventLoopYield {
  private responses = 0
  private nextYield: Promise<void> | undefined

  /** The answer itself, or the same when the next turn begins. */
  delayAfterMany(answer: unknown): unknown {
    this.nextYield ??= nextEventLoopTurn().then(this.startTurn)
    return this.responses++ < RESPONSES_PER_YIELD
      ? answer
      : Promise.all([answer, this.nextYield]).then(([answered]) => answered)
  }

  private readonly startTurn = (): void => {
    this.responses = 0
    this.nextYield = undefined
  }
}
