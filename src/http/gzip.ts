import { crc32, inflateRaw, type Zlib } from 'node:zlib'

/** More than any client makes. Each member costs about 25 µs however short it is, and 16 MB hold 800,000 empty ones. */
const MEMBERS_MAX = 1000
const HEADER_BYTES = 10
const TRAILER_BYTES = 8
const MAGIC = Buffer.from([0x1f, 0x8b, 8])
const FLAGS_AT = 3
const FLAGS = { headerChecksum: 2, extra: 4, name: 8, comment: 16 }

/**
 * Takes gzip off as the service does, which is how Java does it: members one after another make one body, and what
 * follows them and does not begin as one is passed over. Node refuses what follows.
 */
export async function gunzipped(bytes: Buffer, { maxOutputLength }: { maxOutputLength: number }): Promise<Buffer> {
  const parts: Buffer[] = []
  let [at, taken] = [0, 0]
  for (let data = headerEnd(bytes, at); data !== undefined; data = headerEnd(bytes, at)) {
    if (parts.length === MEMBERS_MAX) throw new Error(`The body has more than ${MEMBERS_MAX} gzip members.`)
    const part = await inflated(bytes.subarray(data), maxOutputLength - taken)
    at = data + part.engine.bytesWritten
    checkTrailer(bytes.subarray(at, at + TRAILER_BYTES), part.buffer)
    at += TRAILER_BYTES
    taken += part.buffer.length
    parts.push(part.buffer)
  }
  if (parts.length === 0) throw new Error('The body is not gzip.')
  return Buffer.concat(parts, taken)
}

/** Where the header of a member ends, or nothing where none begins. */
function headerEnd(bytes: Buffer, start: number): number | undefined {
  if (!bytes.subarray(start, start + MAGIC.length).equals(MAGIC)) return undefined
  const flags = bytes[start + FLAGS_AT] ?? 0
  let at = start + HEADER_BYTES
  if (flags & FLAGS.extra) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0)
  for (const flag of [FLAGS.name, FLAGS.comment]) {
    if (!(flags & flag)) continue
    const end = bytes.indexOf(0, at)
    if (end < 0) return undefined
    at = end + 1
  }
  if (flags & FLAGS.headerChecksum) at += 2
  return at < bytes.length ? at : undefined
}

/** Told with what it was made by, which knows how many bytes it took. */
interface Inflated {
  readonly buffer: Buffer
  readonly engine: Zlib
}

function inflated(bytes: Buffer, bytesMax: number): Promise<Inflated> {
  return new Promise((resolve, reject) => {
    inflateRaw(bytes, { info: true, maxOutputLength: Math.max(1, bytesMax) }, (error, result) => {
      if (error) reject(error)
      // The types of Node do not know what `info` makes of the result.
      else resolve(result as unknown as Inflated)
    })
  })
}

function checkTrailer(trailer: Buffer, text: Buffer): void {
  const fits = trailer.length === TRAILER_BYTES && trailer.readUInt32LE(0) === crc32(text)
  if (!fits || trailer.readUInt32LE(4) !== text.length)
    throw new Error('The trailer of a gzip member does not match its data.')
}
