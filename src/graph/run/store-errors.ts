import type { AbortSignalLike } from '../../store/abort-signal.js'
import { toStoreError } from './request-sender.js'

/**
 * Runs work outside of a call with the error handling of a call: store errors become GraphErrors, and the reason of a
 * signal is thrown unchanged.
 */
export async function rethrowStoreError<T>(work: Promise<T>, signal?: AbortSignalLike): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error === signal?.reason ? error : toStoreError(error)
  }
}
