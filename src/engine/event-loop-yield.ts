import { nextEventLoopTurn } from '../store/event-loop-turn.js'

/** The number of responses within one turn of the event loop. Further responses wait for the next turn. */
const RESPONSES_PER_YIELD = 500

/**
 * Yields to the event loop after many responses. A program that awaits one immediate response after another would
 * starve its timers, sockets and signals, including its own deadline.
 */
export class EventLoopYield {
  private responses = 0
  private nextYield: Promise<void> | undefined

  /** Returns the response itself, or a promise that resolves to it in the next turn. */
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
