import type { AbortSignalLike } from '../../store/abort-signal.js'
import { toStoreError } from './request-sender.js'

/** Work that is no call, and fails as one does: an error of the store is told in our words, the reason of a signal as it is. */
export async function rethrowStoreError<T>(work: Promise<T>, signal?: AbortSignalLike): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error === signal?.reason ? error : toStoreError(error)
  }
}
