import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestIds } from './request-ids.js'

const KEPT_SECONDS = '172800'

/** Answers what a browser asks before it sends a request to another origin, where that is what was asked. */
export function answeredPreflight(request: IncomingMessage, response: ServerResponse, ids: RequestIds): boolean {
  if (request.method !== 'OPTIONS' || request.headers.origin === undefined) return false
  const { 'access-control-request-headers': names, 'access-control-request-method': method } = request.headers
  const headers = ['x-amzn-RequestId', ids.take(), 'Access-Control-Allow-Origin', '*']
  if (names !== undefined) headers.push('Access-Control-Allow-Headers', names)
  if (method !== undefined) headers.push('Access-Control-Allow-Methods', method)
  headers.push('Access-Control-Max-Age', KEPT_SECONDS, 'Content-Length', '0')
  response.writeHead(200, headers)
  response.end()
  return true
}
