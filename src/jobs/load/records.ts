import { GraphError } from '../../schema/error.js'
import type { SourcePosition } from './source.js'

/** A line, or a CSV record with one or more lines. */
export interface TextRecord {
  /** Number of its first line, from 1. */
  readonly line: number
  readonly text: string
  /** Position after the record in bytes. */
  readonly end: number
  readonly error?: GraphError
}

/** Finds the ends of records, which may span several chunks. */
export interface RecordSplitter {
  /**
   * Returns the position of the newline that ends the record, searching from `from`; -1 if the record does not end in
   * this chunk.
   */
  findEnd(chunk: Uint8Array, from: number): number
  /** Returns the number of lines of the record that has just ended. */
  lineCount(): number
  /** Describes the error of a last record that does not end. */
  findFault(): string | undefined
}

/** An item has at most 400 KB, so a longer record is not a row. */
const RECORD_BYTES_MAX = 4 * 1024 * 1024
const NEWLINE = 10
const UTF16_MARK = /^\u{fffd}{2}/u

export const createLineSplitter = (): RecordSplitter => ({
  findEnd: (chunk, from) => chunk.indexOf(NEWLINE, from),
  lineCount: () => 1,
  findFault: () => undefined,
})

/** Reads the records of a source, block by block. */
export async function* readTextRecords(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  splitter: RecordSplitter,
  from: SourcePosition,
): AsyncGenerator<TextRecord[]> {
  let { offset, lines } = from
  let partial: Uint8Array[] = []
  let partialBytes = 0
  const takeRecord = (rest: Uint8Array, count: number, fault?: string): TextRecord => {
    const bytes = partial.length > 0 ? concatBytes([...partial, rest]) : rest
    partial = []
    partialBytes = 0
    const record = toRecord(name, bytes, lines + 1, offset, fault)
    offset += bytes.length
    lines += count
    return { ...record, end: offset }
  }
  for await (const chunk of chunks) {
    const block: TextRecord[] = []
    let start = 0
    for (let end = splitter.findEnd(chunk, start); end >= 0; end = splitter.findEnd(chunk, start)) {
      block.push(takeRecord(chunk.subarray(start, end + 1), splitter.lineCount()))
      start = end + 1
    }
    if (start < chunk.length) {
      partial.push(chunk.slice(start))
      partialBytes += chunk.length - start
    }
    if (partialBytes > RECORD_BYTES_MAX)
      throw new GraphError(
        'load.input',
        `${name}: the record on line ${lines + 1} exceeds ${RECORD_BYTES_MAX / 1024 / 1024} MB; check for an unclosed quote, and write one row per line.`,
      )
    if (block.length > 0) yield block
  }
  if (partialBytes > 0) yield [takeRecord(new Uint8Array(), splitter.lineCount(), splitter.findFault())]
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })

function toRecord(name: string, bytes: Uint8Array, line: number, offset: number, fault: string | undefined) {
  let text: string
  let message = fault
  try {
    text = decoder.decode(bytes)
  } catch {
    text = lenient.decode(bytes)
    if (offset === 0 && UTF16_MARK.test(text))
      throw new GraphError('load.input', `${name}: the file is UTF-16; save it as UTF-8.`)
    message ??= 'the line is not UTF-8'
  }
  if (offset === 0 && text.startsWith('\u{feff}')) text = text.slice(1)
  text = text.replace(/\r?\n$/, '')
  return {
    line,
    text,
    ...(message !== undefined && { error: new GraphError('load.row', `row: ${message}; correct the file.`) }),
  }
}

function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joinedBytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    joinedBytes.set(part, offset)
    offset += part.length
  }
  return joinedBytes
}
