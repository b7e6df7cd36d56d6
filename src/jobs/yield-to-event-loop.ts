import type { AbortSignalLike } from '../store/abort-signal.js'
import { nextEventLoopTurn } from '../store/event-loop-turn.js'

/**
 * Yields to the event loop, then throws if the job was aborted. A store in memory resolves without I/O, so timers,
 * sockets and signals would starve between pages.
 */
export async function yieldToEventLoop(signal: AbortSignalLike | undefined): Promise<void> {
  await nextEventLoopTurn()
  signal?.throwIfAborted()
}
