/**
 * What an error says about the request it answers:
 * - `refused`: nothing was done, and the same request may succeed later;
 * - `absent`: the same, since nothing answers there;
 * - `unknown`: it may have been done or not, since the answer was lost or the service failed on the way;
 * - `final`: the same request would be answered the same.
 */
export type FailureKind = 'refused' | 'absent' | 'unknown' | 'final'

/** Throttles by every name that AWS gives them, and conflicts. */
const REFUSED_ERRORS =
  /^(ProvisionedThroughputExceeded|(Request)?(Throttling|Throttled|LimitExceeded)|TooManyRequests|SlowDown|Transaction(Conflict|InProgress)|ReplicatedWriteConflict)(Exception|Error)?$/

/** Refusals because a concurrent transaction was changing the same item: more capacity does not help against them. */
const CONFLICT_ERRORS = /^(Transaction(Conflict|InProgress)|ReplicatedWriteConflict)(Exception|Error)?$/

/** By Node's own codes: there is no such host, or nobody listens there, so that the request was never on its way. */
const UNREACHABLE_ERRORS = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/

/** Of the service, of the network by Node's own codes and by those of its fetch, and an answer that cannot be read. */
const UNKNOWN_OUTCOME_ERRORS =
  /^(Internal(Server|Failure)|ServiceUnavailable|(Request)?Timeout|Syntax|E(CONN|HOST|NET|PIPE|TIMEDOUT)\w*|UND_\w+)(Exception|Error)?$/

const TOO_MANY_REQUESTS = 429
const FIRST_SERVER_ERROR = 500

/** The members that tell failures apart, as the AWS SDK, Node and fetch set them. */
interface ErrorFields {
  name?: string
  code?: string
  cause?: unknown
  $metadata?: { httpStatusCode?: number }
  CancellationReasons?: { Code?: string }[]
}

export function failureKindOf(error: unknown): FailureKind {
  const { name, code, cause, $metadata, CancellationReasons } = (error ?? {}) as ErrorFields
  const status = $metadata?.httpStatusCode ?? 0
  if (name === 'TransactionCanceledException') {
    const reasons = cancellationCodesOf(CancellationReasons)
    return reasons[0] && reasons.every(reason => REFUSED_ERRORS.test(reason)) ? 'refused' : 'final'
  }
  // Node's fetch hides the socket's error in the cause of its own.
  const errorNames = [name, code, (cause as ErrorFields | undefined)?.code]
  const matches = (names: RegExp) => errorNames.some(word => word && names.test(word))
  if (matches(REFUSED_ERRORS) || status === TOO_MANY_REQUESTS) return 'refused'
  if (matches(UNREACHABLE_ERRORS)) return 'absent'
  return matches(UNKNOWN_OUTCOME_ERRORS) || status >= FIRST_SERVER_ERROR ? 'unknown' : 'final'
}

/** Whether a request was refused because of concurrent transactions alone. */
export function isConflict(error: unknown): boolean {
  const { name = '', CancellationReasons } = (error ?? {}) as ErrorFields
  if (name !== 'TransactionCanceledException') return CONFLICT_ERRORS.test(name)
  const reasons = cancellationCodesOf(CancellationReasons)
  return reasons.length > 0 && reasons.every(reason => CONFLICT_ERRORS.test(reason))
}

const cancellationCodesOf = (reasons: ErrorFields['CancellationReasons'] = []): string[] =>
  reasons.map(({ Code = 'None' }) => Code).filter(code => code !== 'None')

const failedReads = new WeakSet<object>()

/** Notes that an error ended a read, which leaves no doubt whether anything was done. */
export function markFailedRead(error: unknown): void {
  if (typeof error === 'object' && error !== null) failedReads.add(error)
}

export const isFailedRead = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && failedReads.has(error)
