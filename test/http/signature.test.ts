import { createHash, createHmac } from 'node:crypto'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { afterAll, describe, expect, it } from 'vitest'
import { memory } from '../../src/engine/index.js'
import { type Credentials, serve } from '../../src/http/index.js'
import { send } from './raw-requests.js'

const OWNER = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
const GUEST = { accessKeyId: 'ASIAGUEST', secretAccessKey: 'guest', sessionToken: 'token' }
let now = Date.now
const serving = await serve(memory(), { port: 0, credentials: [OWNER, GUEST], now: () => now() })
afterAll(() => serving.close())

async function listed(credentials: Credentials, options: { systemClockOffset?: number } = {}): Promise<unknown> {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials
  const client = new DynamoDB({
    endpoint: serving.url,
    region: 'eu-west-1',
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) },
    maxAttempts: 1,
    ...options,
  })
  try {
    return (await client.listTables({})).TableNames
  } finally {
    client.destroy()
  }
}

describe('an endpoint with credentials', () => {
  it.each([OWNER, GUEST])(
    'an endpoint with credentials accepts signatures of the AWS SDK: $accessKeyId',
    async credentials => {
      expect(await listed(credentials)).toEqual([])
    },
  )

  it('an endpoint with credentials rejects unknown credentials', async () => {
    await expect(listed({ ...OWNER, accessKeyId: 'someone' })).rejects.toMatchObject({
      name: 'UnrecognizedClientException',
      message: 'The security token included in the request is invalid.',
    })
  })

  it('an endpoint with credentials rejects another secret', async () => {
    await expect(listed({ ...OWNER, secretAccessKey: 'guessed' })).rejects.toMatchObject({
      name: 'InvalidSignatureException',
      message: expect.stringMatching(
        /^The request signature we calculated does not match .*\n\nThe Canonical String for this request should have been\n'POST\n\/\n\n.*\n\nThe String-to-Sign should have been\n'AWS4-HMAC-SHA256\n.*'\n$/s,
      ),
    })
  })

  it('an endpoint with credentials rejects the session token of another key', async () => {
    for (const credentials of [
      { ...GUEST, sessionToken: 'other' },
      { ...OWNER, sessionToken: 'token' },
    ])
      await expect(listed(credentials)).rejects.toMatchObject({
        name: 'UnrecognizedClientException',
        message: 'The security token included in the request is invalid',
      })
  })
})

/** The example of AWS's documentation of signatures, with its time and scope, for this service. */
const SENT = '20150830T123600Z'
const signed = {
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-target': 'DynamoDB_20120810.ListTables',
  'x-amz-date': SENT,
  authorization:
    'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=x',
}

async function refusedAt(time: string, headers: Record<string, string | string[]> = {}) {
  now = () => Date.parse(time)
  const { status, text } = await send(serving.url, { headers: { ...signed, ...headers }, body: '{}' })
  expect(status).toBe(400)
  const { __type, message } = JSON.parse(text)
  return { name: __type.split('#')[1] as string, message: message as string }
}

const TIME = '2015-08-30T12:36:00Z'
const withAuthorization = (from: string, to: string) => ({ authorization: signed.authorization.replace(from, to) })

describe('a signature in a header', () => {
  it.each(['2015-08-30', `a${SENT}`, `${SENT}a`, '20150830T253600Z'])(
    'a signature requires a date of the basic format, not %s',
    async date => {
      expect(await refusedAt(TIME, { 'x-amz-date': date })).toEqual({
        name: 'IncompleteSignatureException',
        message: `Date must be in ISO-8601 'basic format'. Got '${date}'. See http://en.wikipedia.org/wiki/ISO_8601`,
      })
    },
  )

  it.each(['2015-08-30T12:51:00Z', '2015-08-30T12:21:00Z'])('a signature is still valid at %s', async time => {
    expect((await refusedAt(time)).message).toMatch(/^The request signature we calculated does not match/)
  })

  it('a signature expires', async () => {
    expect(await refusedAt('2015-08-30T12:51:01Z')).toEqual({
      name: 'InvalidSignatureException',
      message: `Signature expired: ${SENT} is now earlier than 20150830T123601Z (20150830T125101Z - 15 min.)`,
    })
  })

  it('a signature from the future is rejected', async () => {
    expect(await refusedAt('2015-08-30T12:20:59Z')).toEqual({
      name: 'InvalidSignatureException',
      message: `Signature not yet current: ${SENT} is still later than 20150830T123559Z (20150830T122059Z + 15 min.)`,
    })
  })

  it('a signature must cover the host', async () => {
    expect(await refusedAt(TIME, withAuthorization('SignedHeaders=host', 'SignedHeaders=x-amz-date'))).toEqual({
      name: 'InvalidSignatureException',
      message: "'Host' must be a 'SignedHeader' in the AWS Authorization.",
    })
  })

  it('a signature must have the supported algorithm', async () => {
    expect(await refusedAt(TIME, withAuthorization('AWS4-HMAC-SHA256', 'AWS4-HMAC-SHA25'))).toEqual({
      name: 'IncompleteSignatureException',
      message: "Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA25' (only AWS4-HMAC-SHA256 for now). ",
    })
  })

  it('a signature requires a scope of five parts', async () => {
    expect(await refusedAt(TIME, withAuthorization('us-east-1/', ''))).toEqual({
      name: 'IncompleteSignatureException',
      message:
        'Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got ' +
        "'AKIDEXAMPLE/20150830/dynamodb/aws4_request'",
    })
    const { message } = await refusedAt(TIME, withAuthorization('aws4_request', 'aws4_request/'))
    expect(message).toMatch(/^The request signature we calculated does not match/)
  })

  it('a signature must be for this service and day', async () => {
    expect(
      await refusedAt(TIME, withAuthorization('20150830/us-east-1/dynamodb/aws4_request', 'b/us-east-1/d/e')),
    ).toEqual({
      name: 'InvalidSignatureException',
      message:
        "Credential should be scoped to correct service: 'dynamodb'. Credential should be scoped with a valid " +
        "terminator: 'aws4_request', not 'e'. Date in Credential scope does not match YYYYMMDD from ISO-8601 version " +
        `of date from HTTP: 'b' != '20150830', from '${SENT}'.`,
    })
    expect(await refusedAt(TIME, withAuthorization('/dynamodb/', '/s3/'))).toEqual({
      name: 'InvalidSignatureException',
      message: "Credential should be scoped to correct service: 'dynamodb'. ",
    })
  })

  it('a signature is verified against the request', async () => {
    const { name, message } = await refusedAt(TIME)
    expect(name).toBe('InvalidSignatureException')
    expect(message).toContain(
      `'POST\n/\n\nhost:127.0.0.1:${serving.port}\n\nhost\n` +
        "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'",
    )
    expect(message).toContain(`'AWS4-HMAC-SHA256\n${SENT}\n20150830/us-east-1/dynamodb/aws4_request\n`)
  })

  it('a signature is independent of whitespace, of letter case, and of whether header values are joined or repeated', async () => {
    const { message } = await refusedAt(TIME, {
      ...withAuthorization('SignedHeaders=host', 'SignedHeaders=Accept-Encoding;Host;meerkat;missing'),
      'ACCEPT-ENCODING': ['gzip', 'identity '],
      Meerkat: 'Hello   big    world  ',
    })
    expect(message).toContain(
      `\n\naccept-encoding:gzip,identity\nhost:127.0.0.1:${serving.port}\nmeerkat:Hello big world\nmissing:\n\naccept-encoding;host;meerkat;missing\n`,
    )
  })
})

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** The path of a request that is signed in its query. `text` has the signed parameters, without the signature. */
function signedPath(text: string, { secretAccessKey }: Credentials, withTarget = true): string {
  const target = withTarget ? `x-amz-target:${signed['x-amz-target']}\n` : ''
  const headers = `host:127.0.0.1:${serving.port}\n${target}`
  const canonical = `POST\n/\n${text}\n${headers}\nhost${withTarget ? ';x-amz-target' : ''}\n${sha256('{}')}`
  const scope = ['20150830', 'us-east-1', 'dynamodb', 'aws4_request']
  const toSign = `AWS4-HMAC-SHA256\n${SENT}\n${scope.join('/')}\n${sha256(canonical)}`
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`)
  return `/?X-Amz-Signature=${hmac(key, toSign).toString('hex')}&${text.split('&').reverse().join('&')}`
}

describe('a signature in the query', () => {
  const query = (more: string, { accessKeyId }: Credentials = OWNER) =>
    `X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${accessKeyId}%2F20150830%2Fus-east-1%2Fdynamodb%2Faws4_request` +
    `&X-Amz-Date=${SENT}${more}&X-Amz-SignedHeaders=host%3Bx-amz-target`

  async function answered(path: string, time = TIME): Promise<string> {
    now = () => Date.parse(time)
    const { 'content-type': type, 'x-amz-target': target } = signed
    const { text } = await send(serving.url, {
      path,
      headers: { 'content-type': type, 'x-amz-target': target },
      body: '{}',
    })
    return text
  }

  it('a signature in the query covers other parameters, sorted by name and escaped', async () => {
    const others = '&a=2&a=3&a-b=1&a2=1&b=%21%27%28%29%2A%20~%C3%A9'
    const text = `${query('')}${others}`
    expect(await answered(signedPath(text, OWNER))).toBe('{"TableNames":[]}')
    expect(await answered(signedPath(text, OWNER).replace('a2=1', 'a2=2'))).toContain('does not match the signature')
  })

  it.each([
    ['60', '2015-08-30T12:37:00Z', '2015-08-30T12:37:01Z', '20150830T123601Z (20150830T123701Z - 1 min.)'],
    ['90', '2015-08-30T12:37:30Z', '2015-08-30T12:37:31Z', '20150830T123601Z (20150830T123731Z - 90 sec.)'],
    ['604800', '2015-09-06T12:36:00Z', '2015-09-06T12:36:01Z', '20150830T123601Z (20150906T123601Z - 10080 min.)'],
  ])('a signature in the query is valid for its %s seconds', async (seconds, last, after, words) => {
    const path = signedPath(query(`&X-Amz-Expires=${seconds}`), OWNER)
    expect(await answered(path, last)).toBe('{"TableNames":[]}')
    expect(JSON.parse(await answered(path, after))).toEqual({
      __type: 'com.amazon.coral.service#InvalidSignatureException',
      message: `Signature expired: ${SENT} is now earlier than ${words}`,
    })
  })

  it('a signature in the query is valid for 15 minutes by default, and is rejected if it is from the future', async () => {
    expect(await answered(signedPath(query(''), OWNER), '2015-08-30T12:51:00Z')).toBe('{"TableNames":[]}')
    expect(await answered(signedPath(query(''), OWNER), '2015-08-30T12:51:01Z')).toContain('- 15 min.')
    const path = signedPath(query('&X-Amz-Expires=604800'), OWNER)
    expect(await answered(path, '2015-08-30T12:20:59Z')).toContain('Signature not yet current')
  })

  it.each(['0', '-1', '604801', '1e3', '1.5', 'x', '', '%2060'])(
    'a signature in the query cannot be valid for %j seconds',
    async seconds => {
      const text = await answered(signedPath(query(`&X-Amz-Expires=${seconds}`), OWNER))
      expect(JSON.parse(text)).toEqual({
        __type: 'com.amazon.coral.service#InvalidSignatureException',
        message: `X-Amz-Expires must be a number of seconds from 1 to 604800, got '${decodeURIComponent(seconds)}'.`,
      })
    },
  )

  it('a signature in the query must cover the operation, so that its body cannot go to another', async () => {
    const path = signedPath(query('').replace('%3Bx-amz-target', ''), OWNER, false)
    expect(JSON.parse(await answered(path))).toEqual({
      __type: 'com.amazon.coral.service#InvalidSignatureException',
      message: "'X-Amz-Target' must be a 'SignedHeader' in the AWS Authorization.",
    })
  })

  it('a signature in the query includes the token of its session', async () => {
    const text = query('&X-Amz-Security-Token=token', GUEST)
    expect(await answered(signedPath(text, GUEST))).toBe('{"TableNames":[]}')
    const without = signedPath(query('', GUEST), GUEST)
    expect(await answered(without)).toContain('The security token included in the request is invalid')
  })
})
