// As it is before anybody puts a clock of their own in its place.
const { setImmediate } = globalThis

/**
 * Lets the rest of the process have its turn, then ends the job if it was told to. A store in memory makes nothing wait:
 * without this no timer, socket or signal would be heard until the whole job is done.
 */
export async function othersTurn(signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>(resolve => setImmediate(resolve))
  signal?.throwIfAborted()
}
