import { Pool } from 'undici'
import type { ServiceOperation } from '../../../src/store/port.js'

const CONNECTIONS = 16

/** Sufficient for an endpoint that accepts all credentials. */
const SIGNED = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=anyone/20261115/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=any',
  'x-amz-date': '20261115T000000Z',
  'content-type': 'application/x-amz-json-1.0',
}

/** Creates a function that sends requests over HTTP unchanged. A client would correct or reject some of them. */
export function wireStore(url: string): (operation: ServiceOperation, request: unknown) => Promise<unknown> {
  const pool = new Pool(url, { connections: CONNECTIONS })
  return async (operation, request) => {
    const target = operation.charAt(0).toUpperCase() + operation.slice(1)
    const service = /Streams?$|Record|Shard/.test(operation) ? 'DynamoDBStreams_20120810' : 'DynamoDB_20120810'
    const { statusCode, body } = await pool.request({
      path: '/',
      method: 'POST',
      headers: { ...SIGNED, 'x-amz-target': `${service}.${target}` },
      body: JSON.stringify(request, asWire),
    })
    const answer = JSON.parse(await body.text(), asPort) as Record<string, unknown>
    if (statusCode === 200) return answer
    const { __type, message, Message, ...details } = answer
    const name = String(__type).split('#').at(-1)!
    throw Object.assign(new Error(String(message ?? Message ?? '')), { name }, details)
  }
}

function asWire(_: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
}

/** Only values have members with these names, because no attribute in these tests has one. */
function asPort(name: string, value: unknown): unknown {
  if (name === 'B' && typeof value === 'string') return bytes(value)
  if (name === 'BS' && Array.isArray(value)) return value.map(member => bytes(String(member)))
  return value
}

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))
