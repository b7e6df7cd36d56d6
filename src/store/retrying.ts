import type { TransactWriteItemsRequest } from '../dynamodb/operations/transactions.js'
import { type BackoffOptions, type BackoffSettings, backoffSettings, pause } from './backoff.js'
import { failureOf, isConflict, noteFailedRead } from './failures.js'
import { OPERATIONS } from './operations.js'
import type { CallOptions, Operation, Store } from './port.js'
import { merged, restOf, sizeOf } from './unprocessed.js'
import { type Wrapped, wrap } from './wrap.js'

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
export function retrying<Given extends Store>(store: Given, options: RetryingOptions = {}): Wrapped<Given> {
  const settings = backoffSettings(options)
  return wrap(store, (operation, request, call, send) =>
    persist(settings, request, call, send, isRepeatable(operation, request)).catch(error => {
      if (OPERATIONS[operation].effect === 'read') noteFailedRead(error)
      throw error
    }),
  )
}

const CONFLICT_ATTEMPTS_FACTOR = 4

const conflictAttempts = ({ attempts }: BackoffSettings): number =>
  attempts === 1 ? 1 : attempts * CONFLICT_ATTEMPTS_FACTOR

/** Whether doing it twice is the same as doing it once. A token that is null, as JSON may say it, is none. */
function isRepeatable(operation: Operation, request: object): boolean {
  const token = (request as TransactWriteItemsRequest | undefined)?.ClientRequestToken
  return OPERATIONS[operation].effect === 'read' || (operation === 'transactWriteItems' && typeof token === 'string')
}

async function persist<Request, Answer>(
  settings: BackoffSettings,
  given: Request,
  options: CallOptions | undefined,
  send: (request: Request, options?: CallOptions) => Promise<Answer>,
  repeatable: boolean,
): Promise<Answer> {
  const start = settings.clock.now()
  let failures = 0
  let conflicts = 0
  const patient = { ...settings, attempts: conflictAttempts(settings) }
  const signal = options?.abortSignal
  let request = given
  let answer: Answer | undefined
  let refusal: unknown
  let doubt: unknown
  for (;;) {
    let isConflicting = false
    try {
      const next = await send(request, options)
      // Only a batch is sent again after an answer.
      answer = answer === undefined ? next : merged<Answer>(answer, next)
      const rest = restOf(request, next)
      if (rest === undefined) return answer
      if (sizeOf(rest) < sizeOf(request)) failures = 0
      request = rest
    } catch (error) {
      const failure = signal?.aborted ? 'final' : failureOf(error)
      if (failure === 'final' || (failure === 'unknown' && !repeatable)) throw error
      if (failure === 'unknown') doubt = error
      refusal = error
      isConflicting = isConflict(error)
    }
    // Outside of the try: an abort while waiting is not a failure of the request.
    const goesOn = isConflicting
      ? await pause(patient, start, ++conflicts, signal)
      : await pause(settings, start, ++failures, signal)
    if (goesOn) continue
    // What was refused after a partial answer is still unprocessed in that answer.
    if (answer !== undefined) return answer
    // A refusal says that nothing was done, which is not known after an earlier attempt whose answer was lost.
    throw doubt ?? refusal
  }
}
