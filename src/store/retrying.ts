import type { TransactWriteItemsRequest } from '../dynamodb/operations/transactions.js'
import { Backoff, type BackoffOptions, type BackoffSettings, backoffSettings } from './backoff.js'
import { failureOf } from './failures.js'
import { OPERATIONS } from './operations.js'
import type { CallOptions, Operation, Store } from './port.js'
import { BATCHES, type Batch } from './unprocessed.js'
import { wrap } from './wrap.js'

/** How often and how long requests are tried again. */
export interface RetryingOptions extends BackoffOptions {}

/**
 * A store that tries again what the given one refused for now, and goes on with batches that it answered in part.
 *
 * - Throttled requests and conflicts are sent again: nothing was written.
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
export function retrying(store: Store, options: RetryingOptions = {}): Store {
  const settings = backoffSettings(options)
  return wrap(store, (operation, request, call, send) =>
    persist(settings, {
      request,
      options: call,
      send,
      repeatable: isRepeatable(operation, request),
      batch: BATCHES[operation],
    }),
  )
}

/** Whether doing it twice is the same as doing it once. A token that is null, as JSON may say it, is none. */
function isRepeatable(operation: Operation, request: object): boolean {
  if (OPERATIONS[operation].effect === 'read') return true
  const { ClientRequestToken: token } = (request ?? {}) as TransactWriteItemsRequest
  return operation === 'transactWriteItems' && typeof token === 'string'
}

interface Undertaking<Request, Answer> {
  request: Request
  options: CallOptions | undefined
  send: (request: Request, options?: CallOptions) => Promise<Answer>
  repeatable: boolean
  /** Where it may be answered in part. */
  batch: Batch<Request, Answer> | undefined
}

async function persist<Request, Answer>(
  settings: BackoffSettings,
  undertaking: Undertaking<Request, Answer>,
): Promise<Answer> {
  const { options, send, repeatable, batch } = undertaking
  const start = settings.clock.now()
  let backoff: Backoff | undefined
  const signal = options?.abortSignal
  let { request } = undertaking
  let answer: Answer | undefined
  let refusal: unknown
  let doubt: unknown
  for (;;) {
    try {
      const next = await send(request, options)
      answer = answer === undefined || batch === undefined ? next : batch.merge(answer, next)
      const rest = batch?.rest(request, next)
      if (batch === undefined || rest === undefined) return answer
      if (batch.size(rest) < batch.size(request)) backoff?.progressed()
      request = rest
    } catch (error) {
      const failure = signal?.aborted ? 'final' : failureOf(error)
      if (failure === 'final' || (failure === 'unknown' && !repeatable)) throw error
      if (failure === 'unknown') doubt = error
      refusal = error
    }
    // Outside of the try: an abort while waiting is not a failure of the request.
    backoff ??= new Backoff(settings, start)
    if (await backoff.pause(signal)) continue
    // What was refused after a partial answer is still unprocessed in that answer.
    if (answer !== undefined) return answer
    // A refusal says that nothing was done, which is not known after an earlier attempt whose answer was lost.
    throw doubt ?? refusal
  }
}
