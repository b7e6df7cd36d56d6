const SETS: ReadonlySet<string> = new Set(['SS', 'NS', 'BS'])

/** A value without the words of its messages, which DynamoDB Local has from years ago, and with its sets in one order. */
export function loosened(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || value instanceof Date) return value
  if (Array.isArray(value)) return value.map(loosened)
  const members = Object.entries(value).map(([name, member]) => {
    if (name === 'Message' && typeof member === 'string') return [name, '']
    return [name, SETS.has(name) && Array.isArray(member) ? sorted(member) : loosened(member)]
  })
  return Object.fromEntries(members)
}

const sorted = (members: readonly unknown[]) => members.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))
