import { type Dispatcher, request } from 'undici'

export interface Raw {
  readonly method?: Dispatcher.HttpMethod
  readonly path?: string
  readonly target?: string
  readonly headers?: Record<string, string | string[]>
  /** Sent unchanged; values other than strings and bytes are sent as JSON. */
  readonly body?: unknown
}

export interface RawAnswer {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly bytes: Buffer
  readonly text: string
}

/** The headers of a request with an unverified signature, enough for an endpoint without credentials. */
export const SIGNED = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=anyone/20261115/eu-west-1/dynamodb/aws4_request, SignedHeaders=host, Signature=any',
  'x-amz-date': '20261115T000000Z',
}

/** Exactly one request over HTTP, with only the given headers. */
export async function send(url: string, { method = 'POST', path = '/', headers = {}, body }: Raw): Promise<RawAnswer> {
  const sent = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  const answer = await request(new URL(path, url), { method, headers, ...(sent === undefined ? {} : { body: sent }) })
  const bytes = Buffer.from(await answer.body.arrayBuffer())
  return { status: answer.statusCode, headers: answer.headers, bytes, text: bytes.toString() }
}

/** A signed request of one operation. */
export function call(url: string, operation: string, body: unknown, headers: Record<string, string> = {}) {
  const service = /Streams?$|Record|Shard/.test(operation) ? 'DynamoDBStreams_20120810' : 'DynamoDB_20120810'
  return send(url, {
    body,
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `${service}.${operation}`,
      ...SIGNED,
      ...headers,
    },
  })
}
