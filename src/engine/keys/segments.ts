import { HASH_BYTES } from './encoder.js'

const BUCKET_BITS = 12
const BUCKETS = 2 ** BUCKET_BITS
const NOTHING = '\xff'.repeat(HASH_BYTES + 1)

/** The keys that a segment of a parallel scan covers: a range of the hash's first bits. */
export function segmentRange(segment: number, totalSegments: number): { from: string; to: string | undefined } {
  return { from: boundary(segment, totalSegments) ?? NOTHING, to: boundary(segment + 1, totalSegments) }
}

function boundary(segment: number, totalSegments: number): string | undefined {
  if (segment === 0) return ''
  const bucket = Math.ceil((BUCKETS / totalSegments) * segment)
  if (bucket >= BUCKETS) return undefined
  return String.fromCharCode(bucket >>> 4, (bucket & 15) << 4)
}
