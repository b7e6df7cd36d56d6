import { toWire } from './encode.js'

/** An answer that is not the one asked for. */
export interface Fault {
  readonly status: number
  readonly body: string
}

const DYNAMODB = 'com.amazonaws.dynamodb.v20120810'

/** Exceptions that are not DynamoDB's own, by the part of the service that throws them. */
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

const CLIENT_FAULT = 400
const SERVER_FAULT = 500

/** What the service refuses by itself, before any store is asked. */
export function refusal(name: string, message?: string): Fault {
  return { status: CLIENT_FAULT, body: JSON.stringify({ __type: typeOf(name), message }) }
}

export const UNREADABLE = refusal('SerializationException')
export const UNKNOWN_OPERATION = refusal('UnknownOperationException')
export const INTERNAL: Fault = {
  status: SERVER_FAULT,
  body: JSON.stringify({ __type: typeOf('InternalServerError'), message: 'Internal server error' }),
}

function typeOf(name: string): string {
  return `${NAMESPACES.get(name) ?? DYNAMODB}#${name}`
}

/** Members of exceptions are capitalised, but for one. */
const DETAIL = /^(?!Message$)[A-Z]|^throttlingReasons$/

interface Thrown extends Error {
  readonly $fault: unknown
  readonly $metadata?: { readonly httpStatusCode?: number }
}

/** Whether a store threw an exception of the service, and did not just fail. */
export function isServiceException(error: unknown): error is Thrown {
  return error instanceof Error && '$fault' in error
}

export function faultOf(error: Thrown, operation: string, message = error.message): Fault {
  const status = error.$metadata?.httpStatusCode ?? CLIENT_FAULT
  const details = Object.entries(error).filter(([name]) => DETAIL.test(name))
  const worded = message === '' ? {} : { [capitalises(error, operation) ? 'Message' : 'message']: message }
  const body = { __type: typeOf(error.name), ...worded, ...(toWire(Object.fromEntries(details)) as object) }
  return { status, body: JSON.stringify(body) }
}

/** The service writes the name of the message in two ways. */
function capitalises(error: Thrown, operation: string): boolean {
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
