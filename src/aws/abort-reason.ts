import type { CallOptions } from '../store/port.js'

/** What a call rejects with that was aborted is the reason of its signal, where the SDK has an error of its own. */
export async function withAbortReason<T>(call: Promise<T>, { abortSignal }: CallOptions = {}): Promise<T> {
  try {
    return await call
  } catch (error) {
    abortSignal?.throwIfAborted()
    throw error
  }
}
