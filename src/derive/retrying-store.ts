import { parseOptions } from '../graph/arguments.js'
import type { Store } from '../store/port.js'
import { type RetryingOptions, retrying } from '../store/retry.js'

/** Wraps a store so that it retries as the option `retry` says. Rejects unknown members of the option. */
export function withRetries(store: Store, retry: RetryingOptions | undefined): Store {
  parseOptions('retry', retry, 'attempts, deadlineMs, baseDelayMs, maxDelayMs, clock, random')
  return retrying(store, retry)
}
