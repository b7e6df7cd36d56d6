const DEFAULT_BUCKETS = 16

/**
 * Names without repeats, in the order in which a Java hash table of them iterates. The service lists attribute names so
 * in its messages. A table is made either for a number of names or with Java's default size, and doubles when it is more
 * than three quarters full; names of one bucket stay in the order they came in.
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
