import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { constants, crc32, gzip } from 'node:zlib'
import type { Answer } from './answer.js'
import type { RequestIds } from './request-ids.js'

const compress = promisify(gzip)
/** Below this a packet is not saved, and the time is. */
const COMPRESSED_FROM_CHARACTERS = 1024

/** Sends an answer, compressed where that is asked for and pays. */
export function respond(
  request: IncomingMessage,
  response: ServerResponse,
  ids: RequestIds,
  answer: Answer,
): Promise<void> | undefined {
  const { text } = answer
  const wanted = request.headers['accept-encoding']
  if (wanted !== undefined && text.length >= COMPRESSED_FROM_CHARACTERS && acceptsGzip(String(wanted)))
    return respondCompressed(request, response, ids, answer)
  response.writeHead(answer.status, headersOf(request, ids, answer, text, Buffer.byteLength(text)))
  response.end(text)
  return undefined
}

async function respondCompressed(
  request: IncomingMessage,
  response: ServerResponse,
  ids: RequestIds,
  answer: Answer,
): Promise<void> {
  const body = await compress(answer.text, { level: constants.Z_BEST_SPEED })
  const headers = headersOf(request, ids, answer, body, body.length)
  headers.push('Content-Encoding', 'gzip')
  response.writeHead(answer.status, headers)
  response.end(body)
}

/** The checksum is that of the bytes on the wire, compressed ones too. */
function headersOf(
  request: IncomingMessage,
  ids: RequestIds,
  { contentType }: Answer,
  body: string | Buffer,
  sizeBytes: number,
): string[] {
  const headers = ['x-amzn-RequestId', ids.take(), 'x-amz-crc32', `${crc32(body)}`, 'Content-Length', `${sizeBytes}`]
  if (contentType !== undefined) headers.push('Content-Type', contentType)
  if (request.headers.origin !== undefined) headers.push('Access-Control-Allow-Origin', '*')
  return headers
}

/** Whether gzip is among the encodings, and not with a weight of nothing. */
function acceptsGzip(encodings: string): boolean {
  return encodings
    .toLowerCase()
    .split(',')
    .map(encoding => encoding.replaceAll(' ', ''))
    .some(encoding => /^(?:x-)?gzip(?:;|$)/.test(encoding) && !/;q=0(?:\.0*)?$/.test(encoding))
}
