import { optionsOf } from '../graph/given.js'
import type { Store } from '../store/port.js'
import { type RetryingOptions, retrying } from '../store/retrying.js'

/** A store that tries again as the option `retry` says, of which nothing would be overlooked. */
export function patient(store: Store, retry: RetryingOptions | undefined): Store {
  optionsOf('retry', retry, 'attempts, deadlineMs, baseDelayMs, maxDelayMs, clock, random')
  return retrying(store, retry)
}
