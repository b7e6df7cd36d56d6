import { rethrowStoreError } from '../graph/run/store-errors.js'
import type { AbortSignalLike } from '../store/abort-signal.js'

/** Wraps an error of a callback until the job has ended. */
class CallbackError extends Error {
  constructor(readonly error: unknown) {
    super()
  }
}

/** Calls a callback and awaits it. An error of the callback ends the job. */
export async function runCallback(callback: () => unknown): Promise<void> {
  try {
    await callback()
  } catch (error) {
    throw new CallbackError(error)
  }
}

/** Converts store errors of a job as calls do. Errors of callbacks are rethrown unchanged, also those with the name of a store error. */
export async function rethrowJobError<T>(work: Promise<T>, signal?: AbortSignalLike): Promise<T> {
  try {
    return await rethrowStoreError(work, signal)
  } catch (error) {
    throw error instanceof CallbackError ? error.error : error
  }
}
