const BUCKETS_FILLED = 0.75

/** Orders n keys as Java iterates over `new HashMap<>(n)`. The service shows the entries of a map in this order. */
export function javaMapOrder(keys: readonly string[]): string[] {
  let buckets = 2 ** Math.ceil(Math.log2(Math.max(1, keys.length)))
  while (keys.length > buckets * BUCKETS_FILLED) buckets *= 2
  const bucketOf = (key: string) => spread(javaHash(key)) & (buckets - 1)
  return [...keys].sort((a, b) => bucketOf(a) - bucketOf(b) || (a < b ? -1 : 1))
}

const spread = (hash: number) => hash ^ (hash >>> 16)

function javaHash(text: string): number {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
  return hash
}
