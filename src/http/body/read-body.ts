import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { gunzip } from './gunzip.js'

/** A body that is longer than is taken. */
export class BodyTooLargeError extends Error {}
/** A body that its encoding cannot be taken off, or that would be too long without it. */
export class UndecodableBodyError extends Error {}

/**
 * Calls back once with the bytes of a body, or not at all where the sender goes away. One that is too long is given up
 * on as soon as that shows, which is before it is read where its length is told.
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
 * Takes the encoding off a body, never making more of it than is taken of one without. The service answers to what would
 * be too long as to what cannot be read, since 2026.
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
