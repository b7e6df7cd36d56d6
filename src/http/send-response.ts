import type { ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { constants, crc32, deflate, gzip } from 'node:zlib'
import { type ContentEncoding, chooseEncoding } from './body/content-encoding.js'
import type { HttpResponse } from './http-response.js'

const ENCODERS = { gzip: promisify(gzip), deflate: promisify(deflate) }
/** The service does not compress shorter responses. */
const COMPRESSED_FROM_CHARACTERS = 4096

/** Sends a response, compressed if the client accepts that and the response is long. */
export function sendResponse(
  response: ServerResponse,
  answer: HttpResponse,
  requestId: string,
  corsHeaders: readonly string[],
): Promise<void> | undefined {
  const { text } = answer
  const firstHeaders = ['Server', 'Server', 'x-amzn-RequestId', requestId, ...corsHeaders]
  const encoding = text.length >= COMPRESSED_FROM_CHARACTERS ? encodingFor(response.req) : undefined
  if (encoding !== undefined) return sendCompressed(response, answer, firstHeaders, encoding)
  response.writeHead(answer.status, [...firstHeaders, ...bodyHeaders(answer, text, Buffer.byteLength(text))])
  response.end(text)
  return undefined
}

async function sendCompressed(
  response: ServerResponse,
  answer: HttpResponse,
  firstHeaders: readonly string[],
  encoding: ContentEncoding,
): Promise<void> {
  const body = await ENCODERS[encoding](answer.text, { level: constants.Z_BEST_SPEED })
  const headers = [...firstHeaders, ...bodyHeaders(answer, body, body.length), 'Content-Encoding', encoding]
  response.writeHead(answer.status, headers)
  response.end(body)
}

/** The checksum covers the transmitted bytes, after compression. */
function bodyHeaders({ contentType }: HttpResponse, body: string | Buffer, sizeBytes: number): string[] {
  const headers = ['x-amz-crc32', `${crc32(body)}`, 'Content-Length', `${sizeBytes}`]
  if (contentType !== undefined) headers.push('Content-Type', contentType)
  return headers
}

/** Only the first of duplicate headers counts. */
function encodingFor(request: ServerResponse['req']): ContentEncoding | undefined {
  const [first] = request.headersDistinct['accept-encoding'] ?? []
  return first === undefined ? undefined : chooseEncoding(first)
}
