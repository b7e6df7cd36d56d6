import { GraphError } from '../../schema/error.js'
import type { Position } from './source.js'

/** A line, or a record of a table, which may have several. */
export interface TextRecord {
  /** The number of its first line, from 1. */
  readonly line: number
  readonly text: string
  /** The position after it, in bytes. */
  readonly end: number
  readonly error?: GraphError
}

/** Finds where records end, over as many chunks as they take. */
export interface Splitter {
  /** The position of the newline that ends a record, from there on; -1 where it does not end in this chunk. */
  endIn(chunk: Uint8Array, from: number): number
  /** How many lines the record had that has just ended. */
  lines(): number
  /** What is wrong with a last record that never ended. */
  fault(): string | undefined
}

/** An item is at most 400 KB: what goes on for longer is no row. */
const RECORD_BYTES_MAX = 4 * 1024 * 1024
const NEWLINE = 10
const UTF16_MARK = /^\u{fffd}{2}/u

export const lineSplitter = (): Splitter => ({
  endIn: (chunk, from) => chunk.indexOf(NEWLINE, from),
  lines: () => 1,
  fault: () => undefined,
})

/** The records of a source, in blocks as they come. */
export async function* recordsOf(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  splitter: Splitter,
  from: Position,
): AsyncGenerator<TextRecord[]> {
  let { offset, lines } = from
  let begun: Uint8Array[] = []
  let begunBytes = 0
  const take = (rest: Uint8Array, count: number, fault?: string): TextRecord => {
    const bytes = begun.length > 0 ? joined([...begun, rest]) : rest
    begun = []
    begunBytes = 0
    const record = recordOf(name, bytes, lines + 1, offset, fault)
    offset += bytes.length
    lines += count
    return { ...record, end: offset }
  }
  for await (const chunk of chunks) {
    const block: TextRecord[] = []
    let at = 0
    for (let end = splitter.endIn(chunk, at); end >= 0; end = splitter.endIn(chunk, at)) {
      block.push(take(chunk.subarray(at, end + 1), splitter.lines()))
      at = end + 1
    }
    if (at < chunk.length) {
      begun.push(chunk.slice(at))
      begunBytes += chunk.length - at
    }
    if (begunBytes > RECORD_BYTES_MAX)
      throw new GraphError(
        'load.input',
        `${name}: what begins on line ${lines + 1} goes on for over ${RECORD_BYTES_MAX / 1024 / 1024} MB: is its quote closed, is it one row a line?`,
      )
    if (block.length > 0) yield block
  }
  if (begunBytes > 0) yield [take(new Uint8Array(), splitter.lines(), splitter.fault())]
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })

function recordOf(name: string, bytes: Uint8Array, line: number, offset: number, fault: string | undefined) {
  let text: string
  let wrong = fault
  try {
    text = decoder.decode(bytes)
  } catch {
    text = lenient.decode(bytes)
    if (offset === 0 && UTF16_MARK.test(text))
      throw new GraphError('load.input', `${name}: the file is UTF-16: save it as UTF-8`)
    wrong ??= 'the line is not UTF-8'
  }
  if (offset === 0 && text.startsWith('\u{feff}')) text = text.slice(1)
  text = text.replace(/\r?\n$/, '')
  return { line, text, ...(wrong !== undefined && { error: new GraphError('load.row', wrong) }) }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
