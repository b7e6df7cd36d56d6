/** A list in parts of no more than so many. */
export function chunksOf<T>(list: readonly T[], most: number): (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / most) }, (_, i) => list.slice(i * most, (i + 1) * most))
}
