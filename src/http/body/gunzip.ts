import { crc32, inflateRaw, type Zlib } from 'node:zlib'

/**
 * Exceeds the number of members that any client sends. Each member costs about 25 µs, and a body of 16 MB holds 800,000
 * empty members.
 */
const MEMBERS_MAX = 1000
const HEADER_BYTES = 10
const TRAILER_BYTES = 8
const MAGIC = Buffer.from([0x1f, 0x8b, 8])
const FLAGS_AT = 3
const FLAGS = { headerChecksum: 2, extra: 4, name: 8, comment: 16 }

/**
 * Decompresses gzip as the service does, which follows Java: consecutive members form one body, and trailing bytes that
 * do not begin a member are ignored. Node's own gunzip rejects trailing bytes.
 */
export async function gunzip(bytes: Buffer, { maxOutputLength }: { maxOutputLength: number }): Promise<Buffer> {
  const parts: Buffer[] = []
  let [offset, outputBytes] = [0, 0]
  for (let dataStart = headerEndOf(bytes, offset); dataStart !== undefined; dataStart = headerEndOf(bytes, offset)) {
    if (parts.length === MEMBERS_MAX) throw new Error(`The body has more than ${MEMBERS_MAX} gzip members.`)
    const member = await inflateMember(bytes.subarray(dataStart), maxOutputLength - outputBytes)
    offset = dataStart + member.engine.bytesWritten
    assertTrailer(bytes.subarray(offset, offset + TRAILER_BYTES), member.buffer)
    offset += TRAILER_BYTES
    outputBytes += member.buffer.length
    parts.push(member.buffer)
  }
  if (parts.length === 0) throw new Error('The body is not gzip.')
  return Buffer.concat(parts, outputBytes)
}

/** Returns the end of a member's header, or undefined if no member begins here. */
function headerEndOf(bytes: Buffer, start: number): number | undefined {
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

/** Node passes the engine with the result, and the engine knows how many bytes it consumed. */
interface InflatedMember {
  readonly buffer: Buffer
  readonly engine: Zlib
}

function inflateMember(bytes: Buffer, bytesMax: number): Promise<InflatedMember> {
  return new Promise((resolve, reject) => {
    inflateRaw(bytes, { info: true, maxOutputLength: Math.max(1, bytesMax) }, (error, result) => {
      if (error) reject(error)
      // Node's types do not describe the result of the `info` option.
      else resolve(result as unknown as InflatedMember)
    })
  })
}

function assertTrailer(trailer: Buffer, text: Buffer): void {
  const fits = trailer.length === TRAILER_BYTES && trailer.readUInt32LE(0) === crc32(text)
  if (!fits || trailer.readUInt32LE(4) !== text.length)
    throw new Error('The trailer of a gzip member does not match its data.')
}
