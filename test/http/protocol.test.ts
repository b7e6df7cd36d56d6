import { afterAll, describe, expect, it } from 'vitest'
import { memory } from '../../src/engine/index.js'
import { serve } from '../../src/http/index.js'
import { call, type Raw, type RawAnswer, SIGNED, send } from './raw-requests.js'

const serving = await serve(memory(), { port: 0 })
const { url } = serving
afterAll(() => serving.close())

const AMAZON_JSON = { 'content-type': 'application/x-amz-json-1.0' }
const LIST_TABLES = { 'x-amz-target': 'DynamoDB_20120810.ListTables' }
const CORAL = 'com.amazon.coral.service#'

/** Status, checksum and body as captured from the service. */
async function expectAnswer(given: Raw, status: number, checksum: string, text: string): Promise<RawAnswer> {
  const answer = await send(url, given)
  expect(answer.text).toBe(text)
  expect(answer.status).toBe(status)
  const { length } = answer.bytes
  expect(answer.headers).toMatchObject({ server: 'Server', 'x-amz-crc32': checksum, 'content-length': `${length}` })
  expect(answer.headers['x-amzn-requestid']).toMatch(/^[0-9A-Z]{52}$/)
  return answer
}

const unknownOperation = (given: Raw) =>
  expectAnswer(given, 400, '1368724161', `{"__type":"${CORAL}UnknownOperationException"}`)
const unreadable = (given: Raw) => expectAnswer(given, 400, '3948637019', `{"__type":"${CORAL}SerializationException"}`)
const noSuchPage = (given: Raw) => expectAnswer(given, 404, '3552371480', '<UnknownOperationException/>\n')

describe('pages of the protocol', () => {
  it.each(['/', '/ping'])('the endpoint reports its health at %s', async path => {
    await expectAnswer({ method: 'GET', path }, 200, '3128867991', 'healthy: dynamodb.us-east-1.amazonaws.com ')
  })

  it('the endpoint reports its health to HEAD, which some health checks use, without a body', async () => {
    const { status, text, headers } = await send(url, { method: 'HEAD' })
    expect({ status, text, length: headers['content-length'] }).toEqual({ status: 200, text: '', length: '42' })
  })

  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const)('the endpoint has no page for %s', async method => {
    await noSuchPage({ method })
  })

  it('the endpoint has no other page', async () => {
    await noSuchPage({ method: 'GET', path: '/shell' })
  })

  it('the health page names the configured region', async () => {
    const other = await serve(memory(), { port: 0, region: 'eu-central-1' })
    const { text } = await send(other.url, { method: 'GET' })
    await other.close()
    expect(text).toBe('healthy: dynamodb.eu-central-1.amazonaws.com ')
  })
})

describe('content types', () => {
  it.each([
    undefined,
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'application/x-amz-json-1.1',
    'application/x-amz-json-1.01',
    'application/jsons',
  ])('a body of type %s is rejected', async type => {
    const headers = type === undefined ? {} : { 'content-type': type }
    await noSuchPage({ body: 'hi', headers })
    await noSuchPage({ body: '{}', headers: { ...LIST_TABLES, ...SIGNED, ...headers } })
  })

  it.each([
    ['application/json', 'application/json'],
    ['application/x-amz-json-1.0', 'application/x-amz-json-1.0'],
    ['  Application/JSON ; charset=utf-8', 'application/json'],
  ])('a request of type %s gets a response of type %s', async (given, answered) => {
    const { headers, text, status } = await call(url, 'ListTables', {}, { 'content-type': given })
    expect({ status, text, type: headers['content-type'] }).toEqual({
      status: 200,
      text: '{"TableNames":[]}',
      type: answered,
    })
  })
})

describe('invalid requests', () => {
  it.each(['hi', '{"TableName":"a"', '{"a":1}x', '\ufeff{}', "{'a':1}", '{"a":NaN}'])(
    'the body %j cannot be parsed',
    async body => {
      await unreadable({ body, headers: AMAZON_JSON })
    },
  )

  it('a body that is not UTF-8 cannot be parsed', async () => {
    await unreadable({ body: Buffer.from('{"TableName":"\xff"}', 'latin1'), headers: AMAZON_JSON })
  })

  it('a signed request without a body cannot be parsed', async () => {
    await unreadable({ headers: { ...LIST_TABLES, ...SIGNED } })
  })

  it.each([{}, { body: '{}', headers: AMAZON_JSON }, { body: '{}', headers: { 'content-type': 'application/json' } }])(
    'a request without an operation is rejected: %j',
    async given => {
      await unknownOperation(given)
    },
  )

  it.each([
    'whatever',
    'DynamoDB_20120810.ListTable',
    'DynamoDB_20111205.ListTables',
    'DynamoDBStreams_20120810.ListTables',
    'DynamoDB_20120810.ListStreams',
    'DynamoDB_20120810.listTables',
    'DynamoDB_20120810.ToString',
    'DynamoDB_20120810.Constructor',
    'DynamoDB_20120810.ListBulkOperations',
    'ListTables',
  ])('the unknown operation %s is rejected', async target => {
    await unknownOperation({ headers: { 'x-amz-target': target, ...SIGNED } })
  })
})

describe('invalid signatures', () => {
  const refused = async (headers: Record<string, string>, name: string, message: string, path = '/') => {
    const { status, text } = await send(url, {
      path,
      headers: { ...LIST_TABLES, ...AMAZON_JSON, ...headers },
      body: '{}',
    })
    expect({ status, ...JSON.parse(text) }).toEqual({ status: 400, __type: `${CORAL}${name}`, message })
  }

  it.each([{}, { authorization: 'AWS4' }, { authorization: '%j has no signature' }])(
    'misses one in %j',
    async headers => {
      const answer = await send(url, { headers: { ...LIST_TABLES, ...headers } })
      expect(answer.headers['x-amz-crc32']).toBe('2088342776')
      await refused(headers, 'MissingAuthenticationTokenException', 'Request is missing Authentication Token')
    },
  )

  it('every missing part of an Authorization header is reported', async () => {
    const { headers } = await send(url, { headers: { ...LIST_TABLES, authorization: 'AWS4-' } })
    expect(headers['x-amz-crc32']).toBe('1828866742')
    await refused(
      { authorization: 'AWS4-' },
      'IncompleteSignatureException',
      "Authorization header requires 'Credential' parameter. Authorization header requires 'Signature' parameter. " +
        "Authorization header requires 'SignedHeaders' parameter. Authorization header requires existence of either " +
        "a 'X-Amz-Date' or a 'Date' header. Authorization=AWS4-",
    )
  })

  it('a single missing part of an Authorization header is reported', async () => {
    const authorization = 'AWS4-HMAC-SHA256 Credential=a/b/c/d/e, SignedHeaders=host'
    await refused(
      { authorization, 'x-amz-date': 'any' },
      'IncompleteSignatureException',
      `Authorization header requires 'Signature' parameter. Authorization=${authorization}`,
    )
  })

  it('a Date header is accepted as the date of a signature', async () => {
    const { authorization } = SIGNED
    const headers = { ...LIST_TABLES, ...AMAZON_JSON, authorization, date: 'Sun, 15 Nov 2026 07:21:55 GMT' }
    expect((await send(url, { headers, body: '{}' })).status).toBe(200)
  })

  it('two signatures are rejected', async () => {
    await refused(
      SIGNED,
      'InvalidSignatureException',
      "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.",
      '/?X-Amz-Algorithm=AWS4-HMAC-SHA256',
    )
  })

  it('every missing part of a signature in the query is reported', async () => {
    await refused(
      {},
      'IncompleteSignatureException',
      "AWS query-string parameters must include 'X-Amz-Credential'. AWS query-string parameters must include " +
        "'X-Amz-Signature'. AWS query-string parameters must include 'X-Amz-SignedHeaders'. AWS query-string " +
        "parameters must include 'X-Amz-Date'. Re-examine the query-string parameters.",
      '/?X-Amz-Algorithm=AWS4-HMAC-SHA256',
    )
  })

  it('a signature in the query is accepted', async () => {
    const query = 'X-Amz-Algorithm=a&X-Amz-Credential=b/c/d/e/f&X-Amz-Signature=c&X-Amz-SignedHeaders=d&X-Amz-Date=e'
    const answer = await send(url, { path: `/?${query}`, headers: { ...LIST_TABLES, ...AMAZON_JSON }, body: '{}' })
    expect(answer.text).toBe('{"TableNames":[]}')
  })
})

describe('responses', () => {
  it('a response has a body unless its operation returns nothing', async () => {
    const TableName = 'tagged'
    const made = await call(url, 'CreateTable', {
      TableName,
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    })
    const ResourceArn = JSON.parse(made.text).TableDescription.TableArn
    const tagged = await call(url, 'TagResource', { ResourceArn, Tags: [{ Key: 'k', Value: 'v' }] })
    const untagged = await call(url, 'UntagResource', { ResourceArn, TagKeys: ['k'] })
    for (const { status, text, headers } of [tagged, untagged]) {
      expect({ status, text }).toEqual({ status: 200, text: '' })
      expect(headers).toMatchObject({ 'content-length': '0', 'x-amz-crc32': '0' })
    }
    const put = await call(url, 'PutItem', { TableName, Item: { pk: { S: 'a' } } })
    expect(put.text).toBe('{}')
    await call(url, 'DeleteTable', { TableName })
  })

  it('the endpoint names itself as the address of the service', async () => {
    const { text } = await call(url, 'DescribeEndpoints', {})
    expect(JSON.parse(text)).toEqual({ Endpoints: [{ Address: new URL(url).host, CachePeriodInMinutes: 1440 }] })
  })
})

describe('request identifiers', () => {
  it('every response has its own request identifier', async () => {
    const answers = await Promise.all(Array.from({ length: 300 }, () => send(url, { method: 'GET' })))
    expect(new Set(answers.map(({ headers }) => headers['x-amzn-requestid'])).size).toBe(300)
  })
})
