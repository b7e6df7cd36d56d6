import { memory } from '../../../src/engine/memory.js'
import { counter, edge, graph, integer, node, open, string } from '../../../src/index.js'
import { type FailedRow, load } from '../../../src/jobs/load/load.js'
import type { LoadSource } from '../../../src/jobs/load/source.js'

export const movie = node('movie', { name: string(), year: integer(), cast: counter() }, { id: 'name' })
const actor = node('actor', { name: string(), born: integer().optional() }, { id: 'name' })
const role = edge('role', { movie, actor }, { character: string() }, { count: { movie: 'cast' } })
export const cinema = graph('cinema', [movie, actor, role])

/** A source of text, in chunks of this many bytes. */
export function source(
  name: string,
  format: LoadSource['format'],
  text: string | Uint8Array,
  more: Partial<LoadSource> & { readonly chunkBytes?: number } = {},
): LoadSource {
  const { chunkBytes = 7, ...rest } = more
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  return {
    name,
    format,
    async *open(start) {
      for (let at = start; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
    },
    ...rest,
  }
}

export const lines = (...rows: readonly object[]): string => rows.map(row => `${JSON.stringify(row)}\n`).join('')

/** Loads sources into a new store. Returns the graph, the counts and the rows that were not loaded. */
export async function loaded(sources: Parameters<typeof load>[1], options: Parameters<typeof load>[2] = {}) {
  const g = await open(cinema, memory())
  const failed: FailedRow[] = []
  const counts = await load(g, sources, { ...options, failed: rows => void failed.push(...rows) })
  return { g, counts, failed }
}
