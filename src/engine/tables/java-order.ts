const DEFAULT_BUCKETS = 16

/**
 * Sorts distinct names in the iteration order of a Java hash table, in which the service lists attribute names in
 * messages. The table is created for a number of names or with Java's default capacity, and doubles when it is more
 * than three quarters full. Names in the same bucket keep their order.
 */
export function sortInJavaOrder(names: readonly string[], capacity: 'count' | 'default'): string[] {
  const unique = [...new Set(names)]
  let buckets = DEFAULT_BUCKETS
  if (capacity === 'count') for (buckets = 1; buckets < unique.length; ) buckets *= 2
  while (unique.length > buckets * 0.75) buckets *= 2
  const bucket = (name: string) => spread(hashCode(name)) & (buckets - 1)
  return unique.sort((a, b) => bucket(a) - bucket(b))
}

/** Java's String.hashCode. */
function hashCode(text: string): number {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
  return hash
}

function spread(hash: number): number {
  return hash ^ (hash >>> 16)
}
