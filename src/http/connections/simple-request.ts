import type { HttpRequest } from '../http-request.js'

/** A request that came whole. */
export interface SimpleRequest extends HttpRequest {
  readonly body: Buffer
}

const REQUEST_LINE = 'POST / HTTP/1.1\r\n'
const HEAD_END = '\r\n\r\n'
/** The service takes no longer request line and headers. */
export const HEAD_BYTES_MAX = 16 * 1024
/**
 * A header on a line of its own, by the letter of HTTP: no folding, no tabs, no control characters. The value has the
 * spaces around it, since a second class of spaces would make the time quadratic.
 */
const HEADER = /([!#-'*+.0-9^-z|~-]+):([ -~\x80-\xff]*)\r\n/iy

/** Headers that ask for more than an answer right after the request on a connection that is kept. */
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
 * Reads bytes that are exactly one request as clients of DynamoDB send it, with nothing unusual about it. Anything else
 * is not for this reader, whether it is right or wrong.
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

/** The headers that answers depend on. */
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

/** Nothing where a header is malformed, demanding, or there twice. */
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

/** Without the spaces around it. JavaScript's own `trim` takes away more than HTTP allows. */
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
