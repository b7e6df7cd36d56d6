import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestIds } from './request-ids.js'

const KEPT_SECONDS = '172800'

/** What lets a page of any origin read an answer, and of its headers those that the service lets it read. */
export const ANY_ORIGIN: readonly string[] = [
  ...['Access-Control-Allow-Origin', '*'],
  ...['Access-Control-Expose-Headers', 'x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date'],
]

/** Answers what a browser asks before it sends a request to another origin, where that is what was asked. */
export function answeredPreflight(request: IncomingMessage, response: ServerResponse, ids: RequestIds): boolean {
  if (request.method !== 'OPTIONS' || request.headers.origin === undefined) return false
  const { 'access-control-request-headers': names, 'access-control-request-method': method } = request.headers
  const headers = ['Server', 'Server', 'x-amzn-RequestId', ids.take(), ...ANY_ORIGIN]
  if (names !== undefined) headers.push('Access-Control-Allow-Headers', names)
  if (method !== undefined) headers.push('Access-Control-Allow-Methods', method)
  headers.push('Access-Control-Max-Age', KEPT_SECONDS, 'Content-Length', '0')
  response.writeHead(200, headers)
  response.end()
  return true
}
