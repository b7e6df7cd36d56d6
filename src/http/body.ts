import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { gunzipped } from './gzip.js'

/** A body that is longer than is taken. */
export class TooLarge extends Error {}
/** A body that its encoding cannot be taken off, or that would be too long without it. */
export class Undecodable extends Error {}

/**
 * Calls back once with the bytes of a body, or not at all where the sender goes away. One that is too long is given up
 * on as soon as that shows, which is before it is read where its length is told.
 */
export function readBody(request: IncomingMessage, bytesMax: number, done: (body: Buffer | TooLarge) => void): void {
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) {
    done(new TooLarge())
    return
  }
  let first: Buffer | undefined
  let rest: Buffer[] | undefined
  let bytes = 0
  let over = false
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (over) return
    if (bytes > bytesMax) {
      over = true
      first = rest = undefined
      done(new TooLarge())
    } else if (first === undefined) first = chunk
    else if (rest === undefined) rest = [first, chunk]
    else rest.push(chunk)
  })
  request.on('end', () => {
    if (!over) done(rest === undefined ? (first ?? NOTHING) : Buffer.concat(rest, bytes))
  })
}

const NOTHING = Buffer.alloc(0)

const inflated = promisify(inflate)

/**
 * Takes the encoding off a body, never making more of it than is taken of one without. The service answers to what would
 * be too long as to what cannot be read, since 2026.
 */
export async function decompressed(body: Buffer, encoding: string, bytesMax: number): Promise<Buffer> {
  const decode = decoderOf(encoding.trim().toLowerCase())
  if (decode === undefined) throw new Undecodable()
  try {
    return await decode(body, { maxOutputLength: bytesMax })
  } catch {
    throw new Undecodable()
  }
}

function decoderOf(
  encoding: string,
): ((body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>) | undefined {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return gunzipped
    case 'deflate':
      return inflated
    case 'identity':
    case '':
      return async body => body
    default:
      return undefined
  }
}
