import type { LoadSource } from '../../../src/jobs/load/source.js'

/** A source of text, in chunks of so many bytes. */
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
