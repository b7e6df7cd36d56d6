import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestIds } from '../request-ids.js'
import type { AllowedOrigins } from './allowed-origins.js'

/** The responses to a preflight, by the name of the header that asks. */
const ALLOWED_BY_REQUESTED = [
  ['access-control-request-headers', 'Access-Control-Allow-Headers'],
  ['access-control-request-method', 'Access-Control-Allow-Methods'],
  // Chromium sends this header before a page of a public address calls this machine.
  ['access-control-request-private-network', 'Access-Control-Allow-Private-Network'],
] as const

/** Two days, the same as the service. */
const MAX_AGE_SECONDS = '172800'

/** Returns whether a request is the preflight that a browser sends before a cross-origin request. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined
}

/** Answers the preflight of a page whose origin was allowed. */
export function respondToPreflight(response: ServerResponse, ids: RequestIds, origins: AllowedOrigins): void {
  const { headers: requestHeaders } = response.req
  const headers = ['Server', 'Server', 'x-amzn-RequestId', ids.take(), ...origins.headersFor(requestHeaders.origin)]
  for (const [requested, allowed] of ALLOWED_BY_REQUESTED) {
    const value = requestHeaders[requested]
    if (typeof value === 'string') headers.push(allowed, value)
  }
  headers.push('Access-Control-Max-Age', MAX_AGE_SECONDS, 'Content-Length', '0')
  response.writeHead(200, headers)
  response.end()
}
