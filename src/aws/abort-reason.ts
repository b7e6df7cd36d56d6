import type { CallOptions } from '../store/port.js'

/** An aborted call rejects with the reason of its signal. The SDK would reject with an error of its own. */
export async function withAbortReason<T>(call: Promise<T>, { abortSignal }: CallOptions = {}): Promise<T> {
  try {
    return await call
  } catch (error) {
    abortSignal?.throwIfAborted()
    throw error
  }
}
