import type { HttpRequest } from '../http-request.js'

/** A completely received request. */
export interface SimpleRequest extends HttpRequest {
  readonly body: Buffer
}

const REQUEST_LINE = 'POST / HTTP/1.1\r\n'
const HEAD_END = '\r\n\r\n'
/** The service's limit on the request line and headers. */
export const HEAD_BYTES_MAX = 16 * 1024
/**
 * One header line in strict HTTP syntax: no folding, no tabs, no control characters. The value includes the spaces
 * around it, because a second class of spaces would make the match quadratic.
 */
const HEADER = /([!#-'*+.0-9^-z|~-]+):([ -~\x80-\xff]*)\r\n/iy

/** Headers that require more than a direct response on a persistent connection. */
const SPECIAL_HEADERS: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'expect',
  'keep-alive',
  'origin',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * Parses bytes that are exactly one ordinary request of a DynamoDB client. Returns undefined for anything else, valid
 * or not.
 */
export function parseSimpleRequest(bytes: Buffer, bodyBytesMax: number): SimpleRequest | undefined {
  const end = bytes.indexOf(HEAD_END, 0, 'latin1')
  if (end < 0 || end > HEAD_BYTES_MAX) return undefined
  const head = bytes.toString('latin1', 0, end + 2)
  if (!head.startsWith(REQUEST_LINE)) return undefined
  const headers = parseHeaders(head)
  if (headers === undefined || headers.host === undefined) return undefined
  const { 'content-length': length = '' } = headers
  const body = bytes.subarray(end + HEAD_END.length)
  if (!/^\d{1,9}$/.test(length) || Number(length) !== body.length || body.length > bodyBytesMax) return undefined
  return { method: 'POST', url: '/', headers, body }
}

/** The headers that responses depend on. */
function createHeaders(): Record<string, string | undefined> {
  return {
    host: undefined,
    'content-length': undefined,
    'content-type': undefined,
    'x-amz-target': undefined,
    'x-amz-date': undefined,
    date: undefined,
    authorization: undefined,
  }
}

/** Returns undefined for a header that is malformed, demanding or repeated. */
function parseHeaders(head: string): Record<string, string | undefined> | undefined {
  const headers = createHeaders()
  HEADER.lastIndex = REQUEST_LINE.length
  while (HEADER.lastIndex < head.length) {
    const header = HEADER.exec(head)
    if (header === null) return undefined
    const name = header[1]!.toLowerCase()
    if (name in headers) {
      if (headers[name] !== undefined) return undefined
      headers[name] = trimSpaces(header[2]!)
    } else if (SPECIAL_HEADERS.has(name) && !isOrdinaryValue(name, trimSpaces(header[2]!))) return undefined
  }
  return headers
}

/** Removes the surrounding spaces. JavaScript's `trim` removes more characters than HTTP allows. */
function trimSpaces(value: string): string {
  let start = 0
  let end = value.length
  while (start < end && value.charCodeAt(start) === SPACE) start++
  while (end > start && value.charCodeAt(end - 1) === SPACE) end--
  return value.slice(start, end)
}

const SPACE = 0x20

function isOrdinaryValue(name: string, value: string): boolean {
  if (name === 'connection') return value.toLowerCase() === 'keep-alive'
  return name === 'accept-encoding' && value === 'identity'
}
