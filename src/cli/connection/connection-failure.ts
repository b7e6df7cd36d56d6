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
      `no AWS credentials were found; set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run 'aws configure' (${message})`,
    )
  if (message === 'Region is missing')
    return new CommandFailure(
      'no AWS region is configured; give --region or set AWS_REGION, or give --path for a folder on disk',
    )
  if (UNREACHABLE.has(code) || UNREACHABLE.has(name))
    return new CommandFailure(`cannot connect to ${where} (${code || name}); ${connectionAdvice(endpoint)}`)
  if (EXPIRED_CREDENTIALS.has(name))
    return new CommandFailure(`the AWS credentials have expired; sign in again (${message})`)
  if (UNKNOWN_SIGNERS.has(name)) return new CommandFailure(`${where} rejected the credentials: ${message}`)
  return undefined
}

/** Errors of calls and jobs have the store's error as their cause. */
const storeErrorOf = (error: StoreErrorFields): StoreErrorFields =>
  error.name === 'GraphError' ? ((error.cause as StoreErrorFields | undefined) ?? error) : error

const connectionAdvice = (endpoint: string | undefined) =>
  endpoint === undefined
    ? 'check the region and the network'
    : 'check that it is running, for example by `edgewise serve`, and that --endpoint is correct'
