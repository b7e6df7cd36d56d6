import type { Splitter } from './records.js'

const QUOTE = 34
const NEWLINE = 10
const RETURN = 13
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/**
 * Ends records at newlines that are not within quotes. A quote opens a cell only where the cell begins, which in the first
 * of a file, at byte 0, is behind its byte order mark.
 */
export function cellSplitter(separator: string, offset: number): Splitter {
  const between = separator.charCodeAt(0)
  let marked = offset === 0 ? 0 : BYTE_ORDER_MARK.length
  let state: 'begin' | 'plain' | 'quoted' | 'closed' = 'begin'
  let lines = 0
  let ended = 1
  const end = (at: number) => {
    ended = lines + 1
    lines = 0
    state = 'begin'
    return at
  }
  return {
    endIn(chunk, from) {
      for (let at = from; at < chunk.length; at++) {
        const byte = chunk[at]!
        if (byte === BYTE_ORDER_MARK[marked]) {
          marked++
          continue
        }
        marked = BYTE_ORDER_MARK.length
        if (state === 'quoted') {
          if (byte === QUOTE) state = 'closed'
          else if (byte === NEWLINE) lines++
        } else if (byte === NEWLINE) return end(at)
        else if (byte === between) state = 'begin'
        else if (byte === QUOTE && state !== 'plain') state = 'quoted'
        else if (byte !== RETURN && state !== 'closed') state = 'plain'
      }
      return -1
    },
    lines: () => ended,
    fault: () => (state === 'quoted' ? 'the file ends within a quoted cell: is it whole?' : undefined),
  }
}

/** A cell that is left out is undefined, where '""' is an empty text. */
export type Cell = string | undefined

/** The cells of a record; undefined where something stands after a closing quote. */
export function cellsOf(text: string, separator: string): Cell[] | undefined {
  if (!text.includes('"')) return text.split(separator).map(cell => (cell === '' ? undefined : cell))
  const cells: Cell[] = []
  for (let at = 0; ; at++) {
    if (text[at] === '"') {
      const end = closingQuote(text, at + 1)
      if (end < 0) return undefined
      cells.push(text.slice(at + 1, end).replaceAll('""', '"'))
      at = end + 1
      if (at < text.length && text[at] !== separator) return undefined
    } else {
      const end = text.indexOf(separator, at)
      const cell = text.slice(at, end < 0 ? text.length : end)
      cells.push(cell === '' ? undefined : cell)
      at += cell.length
    }
    if (at >= text.length) return cells
  }
}

function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) if (text[at + 1] !== '"') return at
  return -1
}
