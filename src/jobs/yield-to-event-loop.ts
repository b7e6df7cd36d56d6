import type { AbortSignalLike } from '../store/abort-signal.js'
import { nextEventLoopTurn } from '../store/event-loop-turn.js'

/**
 * Lets the rest of the process have its turn, then ends the job if it was told to. A store in memory makes little wait:
 * without this no timer, socket or signal would be heard between its pages.
 */
export async function yieldToEventLoop(signal: AbortSignalLike | undefined): Promise<void> {
  await nextEventLoopTurn()
  signal?.throwIfAborted()
}
