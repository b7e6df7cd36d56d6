import { StringDecoder } from 'node:string_decoder'
import { FormatError } from '../../dynamodb/export/format-error.js'

/** An item of 400 KB is far shorter, in any format. */
const RECORD_CHARACTERS = 16 * 1024 * 1024

/** The lines of a text that comes in chunks, without their ends. */
export async function* textLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.write(chunk)).split('\n')
    rest = lines.pop()!
    checkLength(rest)
    if (lines.length > 0) yield lines
  }
  rest += decoder.end()
  if (rest !== '') yield [rest]
}

function checkLength(rest: string): void {
  if (rest.length > RECORD_CHARACTERS)
    throw new FormatError(`a line has more than ${RECORD_CHARACTERS} characters; give one item per line`)
}

/** The records of a CSV text that comes in chunks, each as its fields. A field in quotes may contain line breaks. */
export async function* csvRecords(chunks: AsyncIterable<Buffer>, delimiter: string): AsyncGenerator<string[][]> {
  let pending = ''
  for await (const lines of textLines(chunks)) {
    const records: string[][] = []
    for (const line of lines) {
      pending = pending === '' ? line : `${pending}\n${line}`
      if (isOpen(pending)) {
        checkLength(pending)
        continue
      }
      const record = pending.endsWith('\r') ? pending.slice(0, -1) : pending
      if (record.trim() !== '') records.push(fieldsOf(record, delimiter))
      pending = ''
    }
    if (records.length > 0) yield records
  }
  if (pending !== '') throw new FormatError('the last record has a quote without its end; close the quote')
}

/** Whether a quote is open: the number of quotes is odd. */
function isOpen(text: string): boolean {
  let isOdd = false
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) isOdd = !isOdd
  return isOdd
}

function fieldsOf(record: string, delimiter: string): string[] {
  if (!record.includes('"')) return record.split(delimiter)
  const fields: string[] = []
  let field = ''
  let isQuoted = false
  for (let at = 0; at < record.length; at++) {
    const character = record[at]!
    if (character === '"') {
      if (isQuoted && record[at + 1] === '"') {
        field += '"'
        at++
      } else isQuoted = !isQuoted
    } else if (character === delimiter && !isQuoted) {
      fields.push(field)
      field = ''
    } else field += character
  }
  fields.push(field)
  return fields
}
