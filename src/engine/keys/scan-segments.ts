import { HASH_BYTES } from './key-encoder.js'

const BUCKET_BITS = 12
const BUCKETS = 2 ** BUCKET_BITS
const BEYOND_ALL_KEYS = '\xff'.repeat(HASH_BYTES + 1)

/** Returns the key range of a segment of a parallel scan: a range of the first bits of the hash. */
export function segmentRangeOf(segment: number, totalSegments: number): { from: string; to: string | undefined } {
  return { from: boundaryOf(segment, totalSegments) ?? BEYOND_ALL_KEYS, to: boundaryOf(segment + 1, totalSegments) }
}

function boundaryOf(segment: number, totalSegments: number): string | undefined {
  if (segment === 0) return ''
  const bucket = Math.ceil((BUCKETS / totalSegments) * segment)
  if (bucket >= BUCKETS) return undefined
  return String.fromCharCode(bucket >>> 4, (bucket & 15) << 4)
}
