/** Sorts members and formats dates and sets, so that equal values have equal texts. */
export function plainly(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Set) return [...value].sort()
  if (Array.isArray(value)) return value.map(plainly)
  if (typeof value !== 'object' || value === null) return value ?? null
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => [name, plainly(each)]))
}
