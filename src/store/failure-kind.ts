/**
 * What an error says about the effect of the request:
 * - `refused`: not applied, and the same request may succeed later;
 * - `absent`: not applied, because no server responds at the endpoint;
 * - `unknown`: possibly applied, because the response was lost or the service failed;
 * - `final`: the same request would fail again.
 */
export type FailureKind = 'refused' | 'absent' | 'unknown' | 'final'

/** Throttling, under every name that AWS uses, and conflicts. */
const REFUSED_ERRORS =
  /^(ProvisionedThroughputExceeded|(Request)?(Throttling|Throttled|LimitExceeded)|TooManyRequests|SlowDown|Transaction(Conflict|InProgress)|ReplicatedWriteConflict)(Exception|Error)?$/

/** Errors caused by a concurrent transaction on the same item; more capacity does not prevent them. */
const CONFLICT_ERRORS = /^(Transaction(Conflict|InProgress)|ReplicatedWriteConflict)(Exception|Error)?$/

/** Node's codes for an unknown host or a refused connection: the request was never sent. */
const UNREACHABLE_ERRORS = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/

/** Failures of the service, of the network by the codes of Node and its fetch, and unreadable responses. */
const UNKNOWN_OUTCOME_ERRORS =
  /^(Internal(Server|Failure)|ServiceUnavailable|(Request)?Timeout|Syntax|E(CONN|HOST|NET|PIPE|TIMEDOUT)\w*|UND_\w+)(Exception|Error)?$/

const TOO_MANY_REQUESTS = 429
const FIRST_SERVER_ERROR = 500

/** The members that identify a failure, as the AWS SDK, Node and fetch set them. */
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
    return reasons.length > 0 && reasons.every(reason => REFUSED_ERRORS.test(reason)) ? 'refused' : 'final'
  }
  // Node's fetch puts the socket's error into `cause`.
  const errorNames = [name, code, (cause as ErrorFields | undefined)?.code]
  const matches = (names: RegExp) => errorNames.some(word => word && names.test(word))
  if (matches(REFUSED_ERRORS) || status === TOO_MANY_REQUESTS) return 'refused'
  if (matches(UNREACHABLE_ERRORS)) return 'absent'
  return matches(UNKNOWN_OUTCOME_ERRORS) || status >= FIRST_SERVER_ERROR ? 'unknown' : 'final'
}

/** Returns whether only concurrent transactions caused the error. */
export function isConflict(error: unknown): boolean {
  const { name = '', CancellationReasons } = (error ?? {}) as ErrorFields
  if (name !== 'TransactionCanceledException') return CONFLICT_ERRORS.test(name)
  const reasons = cancellationCodesOf(CancellationReasons)
  return reasons.length > 0 && reasons.every(reason => CONFLICT_ERRORS.test(reason))
}

const cancellationCodesOf = (reasons: ErrorFields['CancellationReasons'] = []): string[] =>
  reasons.map(({ Code = 'None' }) => Code).filter(code => code !== 'None')

const failedReads = new WeakSet<object>()

/** Marks an error as that of a read, so that callers know that no write is uncertain. */
export function markFailedRead(error: unknown): void {
  if (typeof error === 'object' && error !== null) failedReads.add(error)
}

export const isFailedRead = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && failedReads.has(error)
