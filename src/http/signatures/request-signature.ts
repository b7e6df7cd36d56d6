import type { IncomingHttpHeaders } from 'node:http'
import { createErrorResponse, type ErrorResponse } from '../error-response.js'
import type { HttpRequest } from '../http-request.js'

/** The signer and the scope that a request declares. */
export interface RequestSignature {
  /** `key/date/region/service/aws4_request`. */
  readonly credential: string
  readonly signedHeaders: string
  readonly signature: string
  readonly algorithm: string
  readonly date: string
  /** The parameters of a request that is signed in its query. */
  readonly query?: URLSearchParams
}

/** Parses the signature of a request, or reports its missing parts as the service does for any credentials. */
export function parseSignature(headers: IncomingHttpHeaders, url: string): RequestSignature | ErrorResponse {
  const query = url.includes('?') ? new URLSearchParams(url.slice(url.indexOf('?') + 1)) : undefined
  const { authorization } = headers
  if (query?.has('X-Amz-Algorithm'))
    return authorization === undefined ? parseQuerySignature(query) : DUPLICATE_SIGNATURE
  if (authorization === undefined || !authorization.trim().startsWith('AWS4-')) return MISSING_TOKEN
  return parseHeaderSignature(authorization, headers['x-amz-date'] ?? headers.date)
}

const MISSING_TOKEN = createErrorResponse(
  'MissingAuthenticationTokenException',
  'Request is missing Authentication Token',
)
const DUPLICATE_SIGNATURE = createErrorResponse(
  'InvalidSignatureException',
  "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.",
)

function parseHeaderSignature(
  authorization: string,
  date: string | string[] | undefined,
): RequestSignature | ErrorResponse {
  const [algorithm = '', ...parts] = authorization.trim().split(/[, ]+/)
  const parameters = new Map<string, string>()
  for (const part of parts) {
    const end = part.indexOf('=')
    parameters.set(end < 0 ? part : part.slice(0, end), end < 0 ? '' : part.slice(end + 1))
  }
  const missing = ['Credential', 'Signature', 'SignedHeaders']
    .filter(name => !parameters.get(name))
    .map(name => `Authorization header requires '${name}' parameter. `)
  if (!date) missing.push("Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ")
  if (missing.length > 0) return incompleteSignature(`${missing.join('')}Authorization=${authorization}`)
  return {
    algorithm,
    credential: parameters.get('Credential')!,
    signedHeaders: parameters.get('SignedHeaders')!,
    signature: parameters.get('Signature')!,
    date: String(date),
  }
}

const QUERY_PARAMETERS = ['X-Amz-Algorithm', 'X-Amz-Credential', 'X-Amz-Signature', 'X-Amz-SignedHeaders', 'X-Amz-Date']

function parseQuerySignature(query: URLSearchParams): RequestSignature | ErrorResponse {
  const [algorithm, credential, signature, signedHeaders, date] = QUERY_PARAMETERS.map(name => query.get(name))
  if (algorithm && credential && signature && signedHeaders && date)
    return { algorithm, credential, signature, signedHeaders, date, query }
  const missing = QUERY_PARAMETERS.filter(name => !query.get(name)).map(
    name => `AWS query-string parameters must include '${name}'. `,
  )
  return incompleteSignature(`${missing.join('')}Re-examine the query-string parameters.`)
}

const incompleteSignature = (message: string) => createErrorResponse('IncompleteSignatureException', message)

const PLAIN_SIGNATURE =
  /^AWS4-HMAC-SHA256 Credential=[^/, ]+\/[^/, ]+\/([a-z0-9-]{1,64})\/[^, ]+, ?SignedHeaders=[^, ]+, ?Signature=[^, ]+$/

/**
 * The region of a signature in the usual form: in a header, in the usual order, with every part. Any other form takes
 * the complete parser.
 */
export function regionOfPlainSignature({ url, headers }: HttpRequest): string | undefined {
  const { authorization } = headers
  if (url !== '/' || authorization === undefined || headers['x-amz-date'] === undefined) return undefined
  return PLAIN_SIGNATURE.exec(authorization)?.[1]
}

/** The region of a request that appears to be signed for one. */
export function regionOfCredential(credential: string): string | undefined {
  const region = credential.split('/')[2]
  return region !== undefined && /^[a-z0-9-]{1,64}$/.test(region) ? region : undefined
}
