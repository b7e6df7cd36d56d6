import { CommandFailure } from '../command-failure.js'
import type { StoreOptions } from '../options.js'

const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'TimeoutError',
])

/** The names of AWS errors that reject the signer of a request. */
const UNKNOWN_SIGNERS: ReadonlySet<string> = new Set([
  'UnrecognizedClientException',
  'InvalidSignatureException',
  'IncompleteSignatureException',
  'MissingAuthenticationTokenException',
  'InvalidClientTokenId',
])

const EXPIRED_CREDENTIALS: ReadonlySet<string> = new Set(['ExpiredTokenException', 'ExpiredToken', 'RequestExpired'])

interface StoreErrorFields {
  readonly name?: string
  readonly code?: string
  readonly message?: string
  readonly cause?: unknown
}

/** Returns why a store is unreachable and how to fix it; undefined if the store responded at all. */
export function connectionFailureOf(error: unknown, { endpoint, region }: StoreOptions): CommandFailure | undefined {
  const { name = '', code = '', message = '' } = storeErrorOf(error as StoreErrorFields)
  const where = endpoint ?? `DynamoDB in ${region ?? process.env.AWS_REGION ?? 'the region of your profile'}`
  if (name === 'CredentialsProviderError')
    return new CommandFailure(
      `AWS: no credentials were found (${message}); set ${CREDENTIAL_SETTINGS}, or run 'aws configure'.`,
    )
  if (message === 'Region is missing')
    return new CommandFailure(
      'AWS: no region is configured; add --region, set AWS_REGION, or use a folder on disk with --path.',
    )
  if (UNREACHABLE.has(code) || UNREACHABLE.has(name))
    return new CommandFailure(`${where}: the connection failed (${code || name}); ${connectionAdvice(endpoint)}.`)
  if (EXPIRED_CREDENTIALS.has(name))
    return new CommandFailure(`AWS: the credentials have expired (${message}); sign in again.`)
  if (UNKNOWN_SIGNERS.has(name))
    return new CommandFailure(`${where}: the credentials were rejected (${message}); check ${CREDENTIAL_SETTINGS}.`)
  return undefined
}

const CREDENTIAL_SETTINGS = 'AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'

/** Errors of calls and jobs have the store's error as their cause. */
const storeErrorOf = (error: StoreErrorFields): StoreErrorFields =>
  error.name === 'GraphError' ? ((error.cause as StoreErrorFields | undefined) ?? error) : error

const connectionAdvice = (endpoint: string | undefined) =>
  endpoint === undefined
    ? 'check the region and the network'
    : 'check that it is running, for example by `edgewise serve`, and that --endpoint is correct'
