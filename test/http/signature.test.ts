import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { afterAll, describe, expect, it } from 'vitest'
import { memory } from '../../src/engine/index.js'
import { type Credentials, serve } from '../../src/http/index.js'
import { send } from './raw.js'

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
  it.each([OWNER, GUEST])('answers what the AWS SDK signs by them: $accessKeyId', async credentials => {
    expect(await listed(credentials)).toEqual([])
  })

  it('does not know others', async () => {
    await expect(listed({ ...OWNER, accessKeyId: 'someone' })).rejects.toMatchObject({
      name: 'UnrecognizedClientException',
      message: 'The security token included in the request is invalid.',
    })
  })

  it('does not take another secret', async () => {
    await expect(listed({ ...OWNER, secretAccessKey: 'guessed' })).rejects.toMatchObject({
      name: 'InvalidSignatureException',
      message: expect.stringMatching(
        /^The request signature we calculated does not match .*\n\nThe Canonical String for this request should have been\n'POST\n\/\n\n.*\n\nThe String-to-Sign should have been\n'AWS4-HMAC-SHA256\n.*'\n$/s,
      ),
    })
  })

  it('does not take the session of another', async () => {
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

/** The example of AWS's documentation of signatures, in time and scope, for this service. */
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

describe('a signature', () => {
  it('has a date of one format', async () => {
    expect(await refusedAt(TIME, { 'x-amz-date': '2015-08-30' })).toEqual({
      name: 'IncompleteSignatureException',
      message: "Date must be in ISO-8601 'basic format'. Got '2015-08-30'. See http://en.wikipedia.org/wiki/ISO_8601",
    })
  })

  it('expires', async () => {
    expect(await refusedAt('2015-08-30T12:51:01Z')).toEqual({
      name: 'InvalidSignatureException',
      message: `Signature expired: ${SENT} is now earlier than 20150830T123601Z (20150830T125101Z - 15 min.)`,
    })
  })

  it('does not come from the future', async () => {
    expect(await refusedAt('2015-08-30T12:20:59Z')).toEqual({
      name: 'InvalidSignatureException',
      message: `Signature not yet current: ${SENT} is still later than 20150830T123559Z (20150830T122059Z + 15 min.)`,
    })
  })

  it('covers the host', async () => {
    expect(await refusedAt(TIME, withAuthorization('SignedHeaders=host', 'SignedHeaders=x-amz-date'))).toEqual({
      name: 'InvalidSignatureException',
      message: "'Host' must be a 'SignedHeader' in the AWS Authorization.",
    })
  })

  it('has one algorithm', async () => {
    expect(await refusedAt(TIME, withAuthorization('AWS4-HMAC-SHA256', 'AWS4-HMAC-SHA25'))).toEqual({
      name: 'IncompleteSignatureException',
      message: "Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA25' (only AWS4-HMAC-SHA256 for now). ",
    })
  })

  it('has a scope of five parts', async () => {
    expect(await refusedAt(TIME, withAuthorization('us-east-1/', ''))).toEqual({
      name: 'IncompleteSignatureException',
      message:
        'Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got ' +
        "'AKIDEXAMPLE/20150830/dynamodb/aws4_request'",
    })
  })

  it('is for this service and day', async () => {
    expect(
      await refusedAt(TIME, withAuthorization('20150830/us-east-1/dynamodb/aws4_request', 'b/us-east-1/d/e')),
    ).toEqual({
      name: 'InvalidSignatureException',
      message:
        "Credential should be scoped to correct service: 'dynamodb'. Credential should be scoped with a valid " +
        "terminator: 'aws4_request', not 'e'. Date in Credential scope does not match YYYYMMDD from ISO-8601 version " +
        `of date from HTTP: 'b' != '20150830', from '${SENT}'.`,
    })
  })

  it('is checked against the request', async () => {
    const { name, message } = await refusedAt(TIME)
    expect(name).toBe('InvalidSignatureException')
    expect(message).toContain(
      `'POST\n/\n\nhost:127.0.0.1:${serving.port}\n\nhost\n` +
        "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'",
    )
    expect(message).toContain(`'AWS4-HMAC-SHA256\n${SENT}\n20150830/us-east-1/dynamodb/aws4_request\n`)
  })

  it('does not depend on white space, on cases, or on whether values stand in one header or in several', async () => {
    const { message } = await refusedAt(TIME, {
      ...withAuthorization('SignedHeaders=host', 'SignedHeaders=Accept-Encoding;host;meerkat'),
      'ACCEPT-ENCODING': ['gzip', 'identity '],
      Meerkat: 'Hello   big    world  ',
    })
    expect(message).toContain(
      `\n\naccept-encoding:gzip,identity\nhost:127.0.0.1:${serving.port}\nmeerkat:Hello big world\n\naccept-encoding;host;meerkat\n`,
    )
  })
})
