import { toWireValue } from './json/wire-json.js'

/** An error response. */
export interface ErrorResponse {
  readonly status: number
  readonly body: string
}

const DYNAMODB = 'com.amazonaws.dynamodb.v20120810'

/** Exceptions outside DynamoDB itself, by the part of the service that throws them. */
const NAMESPACES: ReadonlyMap<string, string> = new Map([
  ['ValidationException', 'com.amazon.coral.validate'],
  ['ThrottlingException', 'com.amazon.coral.availability'],
  ...[
    'AccessDeniedException',
    'IncompleteSignatureException',
    'InvalidSignatureException',
    'MissingAuthenticationTokenException',
    'SerializationException',
    'UnknownOperationException',
    'UnrecognizedClientException',
  ].map(name => [name, 'com.amazon.coral.service'] as const),
])

const CLIENT_ERROR_STATUS = 400
const SERVER_ERROR_STATUS = 500

/** Errors that the service returns before any store is called. */
export function createErrorResponse(name: string, message?: string): ErrorResponse {
  return { status: CLIENT_ERROR_STATUS, body: JSON.stringify({ __type: qualifiedTypeOf(name), message }) }
}

export const SERIALIZATION_ERROR = createErrorResponse('SerializationException')
export const UNKNOWN_OPERATION_ERROR = createErrorResponse('UnknownOperationException')
export const INTERNAL_ERROR: ErrorResponse = {
  status: SERVER_ERROR_STATUS,
  body: JSON.stringify({ __type: qualifiedTypeOf('InternalServerError'), message: 'Internal server error' }),
}

function qualifiedTypeOf(name: string): string {
  return `${NAMESPACES.get(name) ?? DYNAMODB}#${name}`
}

/** Members of exceptions are capitalized, except one. */
const DETAIL_NAME = /^(?!Message$)[A-Z]|^throttlingReasons$/

interface ThrownException extends Error {
  readonly $fault: unknown
  readonly $metadata?: { readonly httpStatusCode?: number }
}

/** Returns whether a store threw an exception of the service, as opposed to an internal failure. */
export function isServiceException(error: unknown): error is ThrownException {
  return error instanceof Error && '$fault' in error
}

export function toErrorResponse(error: ThrownException, operation: string, message = error.message): ErrorResponse {
  const status = error.$metadata?.httpStatusCode ?? CLIENT_ERROR_STATUS
  const details = Object.entries(error).filter(([name]) => DETAIL_NAME.test(name))
  const messageMember =
    message === '' ? {} : { [shouldCapitalizeMessage(error, operation) ? 'Message' : 'message']: message }
  const body = {
    __type: qualifiedTypeOf(error.name),
    ...messageMember,
    ...(toWireValue(Object.fromEntries(details)) as object),
  }
  return { status, body: JSON.stringify(body) }
}

/** The service spells the message member in two ways. */
function shouldCapitalizeMessage(error: ThrownException, operation: string): boolean {
  switch (error.name) {
    case 'SerializationException':
      return operation !== 'SearchVectors'
    case 'TransactionCanceledException':
    case 'TransactionInProgressException':
    case 'IdempotentParameterMismatchException':
    case 'AccessDeniedException':
      return true
    case 'ConditionalCheckFailedException':
      return operation === 'ExecuteStatement' && 'Item' in error && error.Item !== undefined
    default:
      return false
  }
}
