import type { Round } from './round.js'

/** Renames the tables of a round, for a witness that remembers the stream of a deleted table. */
export function renamed({ tables, calls }: Round, suffix: string): Round {
  const names = new Map(tables.map(({ name }) => [name, `${name}_${suffix}`]))
  const rename = (value: unknown): unknown => {
    if (typeof value === 'string') return names.get(value) ?? value
    if (Array.isArray(value)) return value.map(rename)
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [rename(name), rename(member)]))
  }
  return {
    tables: tables.map(table => ({ ...table, name: names.get(table.name)! })),
    calls: calls.map(call => ({ ...call, request: rename(call.request) as Record<string, unknown> })),
  }
}
