/**
 * What an error says about the request it answers:
 * - `refused`: nothing was done, and the same request may succeed later;
 * - `unknown`: it may have been done or not, since the answer was lost or the service failed on the way;
 * - `final`: the same request would be answered the same.
 */
export type Failure = 'refused' | 'unknown' | 'final'

/** Throttles by every name that AWS gives them, some with `Exception` at their end and some without, and conflicts. */
const REFUSALS: readonly string[] = [
  'ProvisionedThroughputExceeded',
  'Throttling',
  'Throttled',
  'RequestThrottled',
  'RequestLimitExceeded',
  'LimitExceeded',
  'TooManyRequests',
  'SlowDown',
  'TransactionConflict',
  'TransactionInProgress',
  'ReplicatedWriteConflict',
]

/** Codes of the reasons that cancel a transaction and pass with time. */
const PASSING_REASONS: readonly string[] = ['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']

const SERVICE_FAILURES: readonly string[] = [
  'InternalServerError',
  'InternalFailure',
  'ServiceUnavailable',
  'TimeoutError',
  'RequestTimeout',
]

/** By Node's own codes, and by those of its fetch. */
const NETWORK_FAILURES: readonly string[] = [
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]

const TOO_MANY_REQUESTS = 429
const FIRST_SERVER_ERROR = 500

/** The members that tell failures apart, as the AWS SDK, Node and fetch set them. */
interface Described {
  name?: string
  code?: string
  cause?: unknown
  $metadata?: { httpStatusCode?: number }
  CancellationReasons?: { Code?: string }[]
}

export function failureOf(error: unknown): Failure {
  const { name = '', code = '', cause, $metadata, CancellationReasons } = (error ?? {}) as Described
  if (name === 'TransactionCanceledException') {
    const codes = (CancellationReasons ?? []).map(reason => reason.Code ?? 'None').filter(reason => reason !== 'None')
    return codes.length > 0 && codes.every(reason => PASSING_REASONS.includes(reason)) ? 'refused' : 'final'
  }
  const status = $metadata?.httpStatusCode ?? 0
  const told = name.replace(/Exception$/, '')
  if (REFUSALS.includes(told) || status === TOO_MANY_REQUESTS) return 'refused'
  if (SERVICE_FAILURES.includes(told) || status >= FIRST_SERVER_ERROR) return 'unknown'
  // Node's fetch hides the socket's error in the cause of its own.
  if (NETWORK_FAILURES.includes(code) || NETWORK_FAILURES.includes((cause as Described | undefined)?.code ?? ''))
    return 'unknown'
  return 'final'
}
