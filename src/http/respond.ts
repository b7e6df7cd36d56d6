import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { constants, crc32, deflate, gzip } from 'node:zlib'
import { acceptedEncoding, type Encoding } from './accepted-encoding.js'
import type { Answer } from './answer.js'
import { ANY_ORIGIN } from './preflight.js'
import type { RequestIds } from './request-ids.js'

const ENCODERS = { gzip: promisify(gzip), deflate: promisify(deflate) }
/** The service compresses nothing below this. */
const COMPRESSED_FROM_CHARACTERS = 4096

/** Sends an answer, compressed where that is asked for and pays. */
export function respond(
  request: IncomingMessage,
  response: ServerResponse,
  ids: RequestIds,
  answer: Answer,
): Promise<void> | undefined {
  const { text } = answer
  const encoding = text.length >= COMPRESSED_FROM_CHARACTERS ? wantedEncoding(request) : undefined
  if (encoding !== undefined) return respondCompressed(request, response, ids, answer, encoding)
  response.writeHead(answer.status, headersOf(request, ids, answer, text, Buffer.byteLength(text)))
  response.end(text)
  return undefined
}

async function respondCompressed(
  request: IncomingMessage,
  response: ServerResponse,
  ids: RequestIds,
  answer: Answer,
  encoding: Encoding,
): Promise<void> {
  const body = await ENCODERS[encoding](answer.text, { level: constants.Z_BEST_SPEED })
  const headers = headersOf(request, ids, answer, body, body.length)
  headers.push('Content-Encoding', encoding)
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
  const headers = ['Server', 'Server', 'x-amzn-RequestId', ids.take()]
  headers.push('x-amz-crc32', `${crc32(body)}`, 'Content-Length', `${sizeBytes}`)
  if (contentType !== undefined) headers.push('Content-Type', contentType)
  if (request.headers.origin !== undefined) headers.push(...ANY_ORIGIN)
  return headers
}

/** Of several headers only the first counts. */
function wantedEncoding(request: IncomingMessage): Encoding | undefined {
  const [first] = request.headersDistinct['accept-encoding'] ?? []
  return first === undefined ? undefined : acceptedEncoding(first)
}
