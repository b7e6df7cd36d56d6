import { nextTurn } from '../store/next-turn.js'

/** How many answers a program has at once; the rest of its process has a turn before it has more. */
const ANSWERS_OF_A_TURN = 500

/**
 * Who awaits one answer after another of a store that makes nothing wait would keep the process to himself: no timer,
 * socket or signal would be heard, nor his own deadline. So after so many answers the next come a turn later.
 */
export class Turns {
  private answers = 0
  private next: Promise<void> | undefined

  /** The answer itself, or the same when the next turn begins. */
  answered(answer: unknown): unknown {
    this.next ??= nextTurn().then(this.begin)
    return this.answers++ < ANSWERS_OF_A_TURN ? answer : Promise.all([answer, this.next]).then(([answered]) => answered)
  }

  private readonly begin = (): void => {
    this.answers = 0
    this.next = undefined
  }
}
