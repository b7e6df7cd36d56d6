import type { TransactWriteItemsInput } from '../dynamodb/operation-types.js'
import { type BackoffOptions, type BackoffSettings, resolveBackoff, waitForNextAttempt } from './backoff.js'
import { failureKindOf, isConflict, markFailedRead } from './failure-kind.js'
import { OPERATION_TRAITS } from './operation-traits.js'
import type { CallOptions, Operation, Store } from './port.js'
import { countBatchEntries, mergeOutputs, remainingRequestOf } from './unprocessed-entries.js'
import { type WrappedStore, wrap } from './wrap.js'

/** How often and for how long requests are retried. */
export interface RetryingOptions extends BackoffOptions {}

/**
 * Wraps a store so that it retries transient errors and completes partly processed batches.
 *
 * - Throttled requests and conflicts are sent again, because nothing was written. A conflict with a concurrent
 * transaction is retried four times as often, because it ends with that transaction. `attempts: 1` disables retries.
 * - After a failure of the service or the network, a write may or may not have been applied. Reads and transactions
 * with a ClientRequestToken are sent again; any other write rejects with that error.
 * - Unprocessed keys and items are sent again alone, and the responses are merged. Entries that stay unprocessed when
 * attempts or time run out are in UnprocessedKeys or UnprocessedItems. A response that processed some entries is
 * progress and resets attempts and delays.
 *
 * Delays are random up to a cap that doubles each time (full jitter). A delay that would end after the deadline does
 * not start; the call returns the partial response or rejects with the last error. If any error left it unknown whether
 * a write was applied, the call rejects with the last of these. The deadline does not interrupt a request in flight. An
 * abort signal interrupts requests and delays, and the call rejects with its reason; completed writes stay.
 *
 * Set `maxAttempts: 1` on an AWS SDK client: its own retries repeat writes whose response was lost.
 *
 * @param store - The store whose requests are retried.
 * @param options - The limits on attempts, time and delays.
 * @returns A store with the same operations.
 * @throws {TypeError | RangeError} if an option is unknown or invalid.
 * @example
 * ```ts
 * import { retrying } from 'edgewise'
 * import { memory } from 'edgewise/engine'
 *
 * const store = retrying(memory(), { attempts: 5 })
 * ```
 */
export function retrying<Input extends Store>(store: Input, options: RetryingOptions = {}): WrappedStore<Input> {
  const settings = resolveBackoff(options)
  return wrap(store, (operation, request, call, send) =>
    sendWithRetries(settings, request, call, send, isRepeatable(operation, request)).catch(error => {
      if (OPERATION_TRAITS[operation].effect === 'read') markFailedRead(error)
      throw error
    }),
  )
}

const CONFLICT_ATTEMPTS_FACTOR = 4

const conflictAttemptsOf = ({ attempts }: BackoffSettings): number =>
  attempts === 1 ? 1 : attempts * CONFLICT_ATTEMPTS_FACTOR

/**
 * Returns whether applying the request twice has the same effect as once. A null token, which JSON allows, counts as
 * absent.
 */
function isRepeatable(operation: Operation, request: object): boolean {
  const token = (request as TransactWriteItemsInput | undefined)?.ClientRequestToken
  return (
    OPERATION_TRAITS[operation].effect === 'read' || (operation === 'transactWriteItems' && typeof token === 'string')
  )
}

async function sendWithRetries<Request, Output>(
  settings: BackoffSettings,
  firstRequest: Request,
  options: CallOptions | undefined,
  send: (request: Request, options?: CallOptions) => Promise<Output>,
  canRepeat: boolean,
): Promise<Output> {
  const startMs = settings.clock.now()
  let failures = 0
  let conflicts = 0
  const conflictSettings = { ...settings, attempts: conflictAttemptsOf(settings) }
  const signal = options?.abortSignal
  let request = firstRequest
  let output: Output | undefined
  let lastError: unknown
  let unknownOutcomeError: unknown
  for (;;) {
    let isConflicting = false
    try {
      const next = await send(request, options)
      // Only batches continue after a response.
      output = output === undefined ? next : mergeOutputs<Output>(output, next)
      const remaining = remainingRequestOf(request, next)
      if (remaining === undefined) return output
      if (countBatchEntries(remaining) < countBatchEntries(request)) failures = 0
      request = remaining
    } catch (error) {
      const failureKind = signal?.aborted ? 'final' : failureKindOf(error)
      if (failureKind === 'final' || (failureKind === 'unknown' && !canRepeat)) throw error
      if (failureKind === 'unknown') unknownOutcomeError = error
      lastError = error
      isConflicting = isConflict(error)
    }
    // Stays outside the try block: an abort during the delay is not a failure of the request.
    const shouldRetry = isConflicting
      ? await waitForNextAttempt(conflictSettings, startMs, ++conflicts, signal)
      : await waitForNextAttempt(settings, startMs, ++failures, signal)
    if (shouldRetry) continue
    // Entries whose retry was rejected stay unprocessed in the earlier partial response.
    if (output !== undefined) return output
    // A rejection says that this attempt was not applied, but an earlier attempt with a lost response may have been.
    throw unknownOutcomeError ?? lastError
  }
}
