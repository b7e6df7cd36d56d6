import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { gunzip } from './gunzip.js'

/** The reason for a body above the limit. */
export class BodyTooLargeError extends Error {}
/** The reason for a body that cannot be decompressed, or that exceeds the limit after decompression. */
export class UndecodableBodyError extends Error {}

/**
 * Calls back once with the bytes of a body, or never if the sender disconnects. A body above the limit is rejected as
 * early as possible: before reading if its length is declared.
 */
export function readBody(
  request: IncomingMessage,
  bytesMax: number,
  onBody: (body: Buffer | BodyTooLargeError) => void,
): void {
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) {
    onBody(new BodyTooLargeError())
    return
  }
  let first: Buffer | undefined
  let rest: Buffer[] | undefined
  let bytes = 0
  let isTooLarge = false
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (isTooLarge) return
    if (bytes > bytesMax) {
      isTooLarge = true
      first = rest = undefined
      onBody(new BodyTooLargeError())
    } else if (first === undefined) first = chunk
    else if (rest === undefined) rest = [first, chunk]
    else rest.push(chunk)
  })
  request.on('end', () => {
    if (!isTooLarge) onBody(rest === undefined ? (first ?? EMPTY_BODY) : Buffer.concat(rest, bytes))
  })
}

const EMPTY_BODY = Buffer.alloc(0)

const inflateAsync = promisify(inflate)

/**
 * Decompresses a body up to the size limit of an uncompressed one. Since 2026, the service answers a body that
 * decompresses to too much like one that it cannot decompress.
 */
export async function decompress(body: Buffer, encoding: string, bytesMax: number): Promise<Buffer> {
  const decode = decompressorOf(encoding.trim().toLowerCase())
  if (decode === undefined) throw new UndecodableBodyError()
  try {
    return await decode(body, { maxOutputLength: bytesMax })
  } catch {
    throw new UndecodableBodyError()
  }
}

function decompressorOf(
  encoding: string,
): ((body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>) | undefined {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return gunzip
    case 'deflate':
      return inflateAsync
    case 'identity':
    case '':
      return async body => body
    default:
      return undefined
  }
}
