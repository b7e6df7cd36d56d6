import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Signed } from './authentication.js'
import { canonicalRequest } from './canonical-request.js'
import type { Credentials } from './credentials.js'
import { type Fault, refusal } from './faults.js'
import type { Received } from './received.js'
import { validityFault } from './signature-validity.js'

const ALGORITHM = 'AWS4-HMAC-SHA256'
const TERMINATOR = 'aws4_request'
const SERVICE = 'dynamodb'
const TARGET = 'x-amz-target'
const UNSIGNED_TARGET = refusal(
  'InvalidSignatureException',
  "'X-Amz-Target' must be a 'SignedHeader' in the AWS Authorization.",
)

const isText = (value: unknown) => typeof value === 'string' && value !== ''

/** Where a variable of the environment is not set, JavaScript would take `undefined` for the secret. */
const isWhole = (given: Credentials | null | undefined) => isText(given?.accessKeyId) && isText(given?.secretAccessKey)

/** Checks that requests are signed by one of the given credentials, in the service's order and words. */
export class SignatureCheck {
  private readonly byId: ReadonlyMap<string, Credentials>

  constructor(
    credentials: readonly Credentials[],
    private readonly now: () => number,
  ) {
    if (!Array.isArray(credentials) || !credentials.every(isWhole))
      throw new TypeError(
        'credentials: an entry lacks its key or its secret; give a list of { accessKeyId, secretAccessKey }, each a text that is not empty.',
      )
    this.byId = new Map(credentials.map(given => [given.accessKeyId, given]))
  }

  /** What is wrong with the signature, if anything is. */
  fault(request: Received, body: Uint8Array, signed: Signed): Fault | undefined {
    return this.formFault(signed) ?? this.ownerFault(request, body, signed)
  }

  private formFault({ date, signedHeaders, algorithm, credential, query }: Signed): Fault | undefined {
    const outdated = validityFault(date, query?.get('X-Amz-Expires') ?? undefined, this.now())
    if (outdated) return outdated
    if (!signsHeader(signedHeaders, 'host'))
      return refusal('InvalidSignatureException', "'Host' must be a 'SignedHeader' in the AWS Authorization.")
    if (algorithm !== ALGORITHM)
      return refusal(
        'IncompleteSignatureException',
        `Unsupported AWS 'algorithm': '${algorithm}' (only AWS4-HMAC-SHA256 for now). `,
      )
    return scopeFault(credential, date)
  }

  private ownerFault(request: Received, body: Uint8Array, signed: Signed): Fault | undefined {
    const [keyId = '', ...scope] = signed.credential.split('/')
    const owner = this.byId.get(keyId)
    if (!owner) return refusal('UnrecognizedClientException', 'The security token included in the request is invalid.')
    const canonical = canonicalRequest(request, body, signed)
    const toSign = `${ALGORITHM}\n${signed.date}\n${scope.join('/')}\n${sha256(canonical)}`
    const expected = hmac(signingKey(owner.secretAccessKey, scope), toSign).toString('hex')
    if (!sameText(expected, signed.signature)) return mismatch(canonical, toSign)
    // Whoever sees a request could otherwise send its body to another operation.
    if (request.headers[TARGET] !== undefined && !signsHeader(signed.signedHeaders, TARGET)) return UNSIGNED_TARGET
    const token = signed.query?.get('X-Amz-Security-Token') ?? request.headers['x-amz-security-token']
    return token === owner.sessionToken
      ? undefined
      : refusal('UnrecognizedClientException', 'The security token included in the request is invalid')
  }
}

const signsHeader = (signedHeaders: string, name: string) => signedHeaders.toLowerCase().split(';').includes(name)

function scopeFault(credential: string, date: string): Fault | undefined {
  const parts = credential.split('/')
  // By a loop, since a regular expression would take quadratic time for slashes that are not at the end.
  while (parts.at(-1) === '') parts.pop()
  if (parts.length !== 5)
    return refusal(
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
  return faults.length === 0 ? undefined : refusal('InvalidSignatureException', faults.join(''))
}

function signingKey(secret: string, [day = '', region = '', service = '', terminator = '']: string[]): Buffer {
  return [day, region, service, terminator].reduce<Buffer>(hmac, Buffer.from(`AWS4${secret}`))
}

const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

function sameText(expected: string, given: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(given)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function mismatch(canonical: string, toSign: string): Fault {
  return refusal(
    'InvalidSignatureException',
    'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key ' +
      'and signing method. Consult the service documentation for details.\n\n' +
      `The Canonical String for this request should have been\n'${canonical}'\n\n` +
      `The String-to-Sign should have been\n'${toSign}'\n`,
  )
}
