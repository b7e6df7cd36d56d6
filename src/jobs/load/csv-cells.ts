import type { RecordSplitter } from './records.js'

const QUOTE = 34
const NEWLINE = 10
const RETURN = 13
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/**
 * Creates a splitter that ends records at newlines outside quotes. A quote is special only at the start of a cell; the
 * first cell of a file starts after the byte order mark.
 */
export function createCellSplitter(separator: string, offset: number): RecordSplitter {
  const between = separator.charCodeAt(0)
  let markBytes = offset === 0 ? 0 : BYTE_ORDER_MARK.length
  let state: 'begin' | 'plain' | 'quoted' | 'closed' = 'begin'
  let lines = 0
  let lastLineCount = 1
  const endRecord = (index: number) => {
    lastLineCount = lines + 1
    lines = 0
    state = 'begin'
    return index
  }
  return {
    findEnd(chunk, from) {
      for (let index = from; index < chunk.length; index++) {
        const byte = chunk[index]!
        if (byte === BYTE_ORDER_MARK[markBytes]) {
          markBytes++
          continue
        }
        markBytes = BYTE_ORDER_MARK.length
        if (state === 'quoted') {
          if (byte === QUOTE) state = 'closed'
          else if (byte === NEWLINE) lines++
        } else if (byte === NEWLINE) return endRecord(index)
        else if (byte === between) state = 'begin'
        else if (byte === QUOTE && state !== 'plain') state = 'quoted'
        else if (byte !== RETURN && state !== 'closed') state = 'plain'
      }
      return -1
    },
    lineCount: () => lastLineCount,
    findFault: () => (state === 'quoted' ? 'the file ends within a quoted cell' : undefined),
  }
}

/** The text of a cell. An empty cell is undefined; `""` is an empty string. */
export type Cell = string | undefined

/** Splits a record into cells. Returns undefined if a closing quote is not followed by a separator. */
export function splitCells(text: string, separator: string): Cell[] | undefined {
  if (!text.includes('"')) return text.split(separator).map(cell => (cell === '' ? undefined : cell))
  const cells: Cell[] = []
  for (let index = 0; ; index++) {
    if (text[index] === '"') {
      const end = findClosingQuote(text, index + 1)
      if (end < 0) return undefined
      cells.push(text.slice(index + 1, end).replaceAll('""', '"'))
      index = end + 1
      if (index < text.length && text[index] !== separator) return undefined
    } else {
      const end = text.indexOf(separator, index)
      const cell = text.slice(index, end < 0 ? text.length : end)
      cells.push(cell === '' ? undefined : cell)
      index += cell.length
    }
    if (index >= text.length) return cells
  }
}

function findClosingQuote(text: string, from: number): number {
  for (let index = text.indexOf('"', from); index >= 0; index = text.indexOf('"', index + 2))
    if (text[index + 1] !== '"') return index
  return -1
}
