import { rethrowStoreError } from '../graph/run/store-errors.js'
import type { AbortSignalLike } from '../store/abort-signal.js'

/** What a callback threw, until the job has ended. */
class CallbackError extends Error {
  constructor(readonly error: unknown) {
    super()
  }
}

/** Calls back, and waits for it. What it throws ends the job. */
export async function runCallback(callback: () => unknown): Promise<void> {
  try {
    await callback()
  } catch (error) {
    throw new CallbackError(error)
  }
}

/** The work of a job, which fails as a call does; what a callback threw is told as it is, whatever it is called. */
export async function rethrowJobError<T>(work: Promise<T>, signal?: AbortSignalLike): Promise<T> {
  try {
    return await rethrowStoreError(work, signal)
  } catch (error) {
    throw error instanceof CallbackError ? error.error : error
  }
}
