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

/** Where the header of a member ends, or nothing where none begins. */
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

/** Told with what it was made by, which knows how many bytes it took. */
interface InflatedMember {
  readonly buffer: Buffer
  readonly engine: Zlib
}

function inflateMember(bytes: Buffer, bytesMax: number): Promise<InflatedMember> {
  return new Promise((resolve, reject) => {
    inflateRaw(bytes, { info: true, maxOutputLength: Math.max(1, bytesMax) }, (error, result) => {
      if (error) reject(error)
      // The types of Node do not know what `info` makes of the result.
      else resolve(result as unknown as InflatedMember)
    })
  })
}

function assertTrailer(trailer: Buffer, text: Buffer): void {
  const fits = trailer.length === TRAILER_BYTES && trailer.readUInt32LE(0) === crc32(text)
  if (!fits || trailer.readUInt32LE(4) !== text.length)
    throw new Error('The trailer of a gzip member does not match its data.')
}
