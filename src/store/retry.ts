import type { TransactWriteItemsInput } from '../dynamodb/operations/transactions.js'
import { type BackoffOptions, type BackoffSettings, resolveBackoff, waitForNextAttempt } from './backoff.js'
import { failureKindOf, isConflict, markFailedRead } from './failure-kind.js'
import { OPERATION_TRAITS } from './operation-traits.js'
import type { CallOptions, Operation, Store } from './port.js'
import { countBatchEntries, mergeOutputs, remainingRequestOf } from './unprocessed-entries.js'
import { type WrappedStore, wrap } from './wrap.js'

/** How often and how long requests are tried again. */
export interface RetryingOptions extends BackoffOptions {}

/**
 * A store that tries again what the given one refused for now, and goes on with batches that it answered in part.
 *
 * - Throttled requests and conflicts are sent again: nothing was written. A conflict with a concurrent transaction is
 *   retried four times as often: it ends when that transaction does. With `attempts: 1` nothing is retried.
 * - After a failure of the service or the network nobody knows whether a write happened. Reads are sent again, and so
 *   are transactions with a ClientRequestToken; any other write rejects at once with that error.
 * - Unprocessed keys and items are sent again, alone, and the answers merged. What is still left when attempts or time
 *   run out is in UnprocessedKeys or UnprocessedItems. An answer that did part of what it was sent is progress, after
 *   which attempts and delays start over.
 *
 * Delays are random up to a cap that doubles each time (full jitter). A delay that would end after the deadline is not
 * begun: the partial answer or the last error is given at once; of several errors the last that leaves it unknown
 * whether the request was done. The deadline does not cut off a request under way; an abort signal does, and ends a
 * delay too, by rejecting with its reason. Writes done before it stay done.
 *
 * Give an AWS SDK client `maxAttempts: 1`: its own retries repeat writes whose answer was lost.
 */
export function retrying<Given extends Store>(store: Given, options: RetryingOptions = {}): WrappedStore<Given> {
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

/** Whether doing it twice is the same as doing it once. A token that is null, as JSON may say it, is none. */
function isRepeatable(operation: Operation, request: object): boolean {
  const token = (request as TransactWriteItemsInput | undefined)?.ClientRequestToken
  return (
    OPERATION_TRAITS[operation].effect === 'read' || (operation === 'transactWriteItems' && typeof token === 'string')
  )
}

async function sendWithRetries<Request, Answer>(
  settings: BackoffSettings,
  firstRequest: Request,
  options: CallOptions | undefined,
  send: (request: Request, options?: CallOptions) => Promise<Answer>,
  canRepeat: boolean,
): Promise<Answer> {
  const startMs = settings.clock.now()
  let failures = 0
  let conflicts = 0
  const conflictSettings = { ...settings, attempts: conflictAttemptsOf(settings) }
  const signal = options?.abortSignal
  let request = firstRequest
  let output: Answer | undefined
  let lastError: unknown
  let unknownOutcomeError: unknown
  for (;;) {
    let isConflicting = false
    try {
      const next = await send(request, options)
      // Only a batch is sent again after an answer.
      output = output === undefined ? next : mergeOutputs<Answer>(output, next)
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
    // Outside of the try: an abort while waiting is not a failure of the request.
    const shouldRetry = isConflicting
      ? await waitForNextAttempt(conflictSettings, startMs, ++conflicts, signal)
      : await waitForNextAttempt(settings, startMs, ++failures, signal)
    if (shouldRetry) continue
    // What was refused after a partial answer is still unprocessed in that answer.
    if (output !== undefined) return output
    // A refusal says that nothing was done, which is not known after an earlier attempt whose answer was lost.
    throw unknownOutcomeError ?? lastError
  }
}
