import { parseOptions } from '../graph/arguments.js'
import type { Store } from '../store/port.js'
import { type RetryingOptions, retrying } from '../store/retry.js'

/** A store that tries again as the option `retry` says, of which nothing would be overlooked. */
export function withRetries(store: Store, retry: RetryingOptions | undefined): Store {
  parseOptions('retry', retry, 'attempts, deadlineMs, baseDelayMs, maxDelayMs, clock, random')
  return retrying(store, retry)
}
