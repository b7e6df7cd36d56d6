import { expect, test } from 'vitest'
import { failureKindOf } from '../../src/store/failure-kind.js'
import { cancelled, serviceError } from './scripted-store.js'

test.each([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'LimitExceededException',
  'TransactionConflictException',
  'TransactionInProgressException',
  'ReplicatedWriteConflictException',
])('%s means that nothing was applied', name => {
  expect(failureKindOf(serviceError(name))).toBe('refused')
})

test.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
  'a transaction cancelled only by %s is retryable',
  code => {
    expect(failureKindOf(cancelled('None', code, 'None'))).toBe('refused')
  },
)

test('a transaction cancelled by several transient reasons is retryable', () => {
  expect(failureKindOf(cancelled('TransactionConflict', 'ThrottlingError'))).toBe('refused')
})

test.each(['ConditionalCheckFailed', 'ValidationError', 'ItemCollectionSizeLimitExceeded', 'DuplicateItem'])(
  'a transaction cancelled by %s is final, regardless of other reasons',
  code => {
    expect(failureKindOf(cancelled('TransactionConflict', code))).toBe('final')
  },
)

test('a transaction cancelled for an unknown reason is final', () => {
  expect(failureKindOf(cancelled())).toBe('final')
  expect(failureKindOf(cancelled('None', 'None'))).toBe('final')
  expect(failureKindOf(serviceError('TransactionCanceledException'))).toBe('final')
})

test.each([
  serviceError('InternalServerError', { $metadata: { httpStatusCode: 500 } }),
  serviceError('ServiceUnavailable', { $metadata: { httpStatusCode: 503 } }),
  serviceError('UnknownError', { $metadata: { httpStatusCode: 502 } }),
  Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }),
  Object.assign(new Error('timed out'), { name: 'TimeoutError' }),
  new TypeError('fetch failed', { cause: Object.assign(new Error('closed'), { code: 'ECONNRESET' }) }),
  new TypeError('fetch failed', { cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }) }),
  new TypeError('fetch failed', {
    cause: Object.assign(new Error('too long'), { code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' }),
  }),
  Object.assign(new Error('the network is down'), { code: 'ENETDOWN' }),
  // The SDK's error for a truncated response.
  new SyntaxError('Unexpected end of JSON input'),
])('after "$message" the outcome of the request is unknown', error => {
  expect(failureKindOf(error)).toBe('unknown')
})

test.each([
  Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:8000'), { code: 'ECONNREFUSED' }),
  Object.assign(new Error('getaddrinfo ENOTFOUND nowhere.invalid'), { code: 'ENOTFOUND' }),
  Object.assign(new Error('getaddrinfo EAI_AGAIN nowhere.invalid'), { code: 'EAI_AGAIN' }),
  new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) }),
])('"$message" means that no server responds and nothing was applied', error => {
  expect(failureKindOf(error)).toBe('absent')
})

test('a status of 429 is a throttle with any error name', () => {
  expect(failureKindOf(serviceError('UnknownError', { $metadata: { httpStatusCode: 429 } }))).toBe('refused')
})

test.each([
  serviceError('ValidationException'),
  serviceError('ConditionalCheckFailedException'),
  serviceError('ResourceNotFoundException'),
  serviceError('IdempotentParameterMismatchException'),
  serviceError('ItemCollectionSizeLimitExceededException'),
  Object.assign(new Error('aborted'), { name: 'AbortError' }),
  // The error has a numeric code.
  new DOMException('aborted', 'AbortError'),
  new TypeError('a bug'),
  Object.assign(new TypeError('a bug of the caller'), { code: 'ERR_INVALID_ARG_TYPE' }),
  Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }),
  'not an error',
  undefined,
])('%s is final', error => {
  expect(failureKindOf(error)).toBe('final')
})
