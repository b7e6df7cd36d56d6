import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createErrorResponse, type ErrorResponse } from '../error-response.js'
import type { HttpRequest } from '../http-request.js'
import { formatCanonicalRequest } from './canonical-request.js'
import type { Credentials } from './credentials.js'
import type { RequestSignature } from './request-signature.js'
import { validityErrorOf } from './validity-period.js'

const ALGORITHM = 'AWS4-HMAC-SHA256'
const TERMINATOR = 'aws4_request'
const SERVICE = 'dynamodb'
const TARGET = 'x-amz-target'
const UNSIGNED_TARGET = createErrorResponse(
  'InvalidSignatureException',
  "'X-Amz-Target' must be a 'SignedHeader' in the AWS Authorization.",
)

const isText = (value: unknown) => typeof value === 'string' && value !== ''

/** If an environment variable is not set, JavaScript would use `undefined` as the secret. */
const isComplete = (credentials: Credentials | null | undefined) =>
  isText(credentials?.accessKeyId) && isText(credentials?.secretAccessKey)

/** Checks that one of the given credentials signed a request, in the service's order and words. */
export class SignatureVerifier {
  private readonly credentialsById: ReadonlyMap<string, Credentials>

  constructor(
    credentials: readonly Credentials[],
    private readonly now: () => number,
  ) {
    if (!Array.isArray(credentials) || !credentials.every(isComplete))
      throw new TypeError(
        'credentials: an entry lacks its key or its secret; give a list of { accessKeyId, secretAccessKey }, each a text that is not empty.',
      )
    this.credentialsById = new Map(credentials.map(entry => [entry.accessKeyId, entry]))
  }

  /** Returns the error of the signature, or undefined if it is valid. */
  errorOf(request: HttpRequest, body: Uint8Array, signature: RequestSignature): ErrorResponse | undefined {
    return this.formErrorOf(signature) ?? this.signerErrorOf(request, body, signature)
  }

  private formErrorOf({
    date,
    signedHeaders,
    algorithm,
    credential,
    query,
  }: RequestSignature): ErrorResponse | undefined {
    const validityError = validityErrorOf(date, query?.get('X-Amz-Expires') ?? undefined, this.now())
    if (validityError) return validityError
    if (!isSignedHeader(signedHeaders, 'host'))
      return createErrorResponse(
        'InvalidSignatureException',
        "'Host' must be a 'SignedHeader' in the AWS Authorization.",
      )
    if (algorithm !== ALGORITHM)
      return createErrorResponse(
        'IncompleteSignatureException',
        `Unsupported AWS 'algorithm': '${algorithm}' (only AWS4-HMAC-SHA256 for now). `,
      )
    return scopeErrorOf(credential, date)
  }

  private signerErrorOf(
    request: HttpRequest,
    body: Uint8Array,
    signature: RequestSignature,
  ): ErrorResponse | undefined {
    const [keyId = '', ...scope] = signature.credential.split('/')
    const owner = this.credentialsById.get(keyId)
    if (!owner)
      return createErrorResponse(
        'UnrecognizedClientException',
        'The security token included in the request is invalid.',
      )
    const canonical = formatCanonicalRequest(request, body, signature)
    const toSign = `${ALGORITHM}\n${signature.date}\n${scope.join('/')}\n${sha256(canonical)}`
    const expected = hmac(signingKey(owner.secretAccessKey, scope), toSign).toString('hex')
    if (!isSameText(expected, signature.signature)) return signatureMismatch(canonical, toSign)
    // Otherwise anyone who sees a request could send its body to another operation.
    if (request.headers[TARGET] !== undefined && !isSignedHeader(signature.signedHeaders, TARGET))
      return UNSIGNED_TARGET
    const token = signature.query?.get('X-Amz-Security-Token') ?? request.headers['x-amz-security-token']
    return token === owner.sessionToken
      ? undefined
      : createErrorResponse('UnrecognizedClientException', 'The security token included in the request is invalid')
  }
}

const isSignedHeader = (signedHeaders: string, name: string) => signedHeaders.toLowerCase().split(';').includes(name)

function scopeErrorOf(credential: string, date: string): ErrorResponse | undefined {
  const parts = credential.split('/')
  // Uses a loop, because a regular expression would take quadratic time for slashes that are not at the end.
  while (parts.at(-1) === '') parts.pop()
  if (parts.length !== 5)
    return createErrorResponse(
      'IncompleteSignatureException',
      `Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got '${credential}'`,
    )
  const [, day, , service, terminator] = parts
  const faults: string[] = []
  if (service !== SERVICE) faults.push(`Credential should be scoped to correct service: '${SERVICE}'. `)
  if (terminator !== TERMINATOR)
    faults.push(`Credential should be scoped with a valid terminator: '${TERMINATOR}', not '${terminator}'. `)
  const sentDay = date.slice(0, 'YYYYMMDD'.length)
  if (day !== sentDay)
    faults.push(
      `Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '${day}' != '${sentDay}', from '${date}'.`,
    )
  return faults.length === 0 ? undefined : createErrorResponse('InvalidSignatureException', faults.join(''))
}

function signingKey(secret: string, [day = '', region = '', service = '', terminator = '']: string[]): Buffer {
  return [day, region, service, terminator].reduce<Buffer>(hmac, Buffer.from(`AWS4${secret}`))
}

const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

function isSameText(expected: string, actual: string): boolean {
  const [expectedBytes, actualBytes] = [Buffer.from(expected), Buffer.from(actual)]
  return expectedBytes.length === actualBytes.length && timingSafeEqual(expectedBytes, actualBytes)
}

function signatureMismatch(canonical: string, toSign: string): ErrorResponse {
  return createErrorResponse(
    'InvalidSignatureException',
    'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key ' +
      'and signing method. Consult the service documentation for details.\n\n' +
      `The Canonical String for this request should have been\n'${canonical}'\n\n` +
      `The String-to-Sign should have been\n'${toSign}'\n`,
  )
}
