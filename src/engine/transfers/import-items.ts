import type { Item, KeyAttributeType } from '../../dynamodb/attribute-value.js'
import { fromBase64 } from '../../dynamodb/export/base64.js'
import { FormatError } from '../../dynamodb/export/format-error.js'
import { setAttribute } from '../../dynamodb/export/json-item.js'
import { parseLine } from '../../dynamodb/export/lines.js'
import type { ExportFormat } from '../../dynamodb/operation-types.js'
import type { TableImport } from './table-import.js'
import { csvRecords, textLines } from './text-records.js'

/** An item of an object, or why the object cannot be read from there on. */
export type ReadItem = { readonly item: Item } | { readonly error: FormatError }

/** The items of an object. The first line that is not an item ends it, as on DynamoDB. */
export async function* readItems(of: TableImport, chunks: AsyncIterable<Buffer>): AsyncGenerator<ReadItem[]> {
  const parsed = of.format === 'CSV' ? csvItems(of, chunks) : lineItems(of.format, chunks)
  try {
    yield* parsed
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    yield [{ error }]
  }
}

async function* lineItems(format: ExportFormat, chunks: AsyncIterable<Buffer>): AsyncGenerator<ReadItem[]> {
  for await (const lines of textLines(chunks)) {
    const items: ReadItem[] = []
    let failure: unknown
    for (const line of lines) {
      if (line.trim() === '') continue
      try {
        items.push({ item: itemOf(line, format) })
      } catch (error) {
        failure = error
        break
      }
    }
    if (items.length > 0) yield items
    if (failure) throw failure
  }
}

function itemOf(line: string, format: ExportFormat): Item {
  const parsed = parseLine(line, format)
  if ('item' in parsed) return parsed.item
  throw new FormatError('the line is of an incremental export; import a full export')
}

async function* csvItems(of: TableImport, chunks: AsyncIterable<Buffer>): AsyncGenerator<ReadItem[]> {
  const { Delimiter = ',', HeaderList } = of.formatOptions?.Csv ?? {}
  const types = keyTypesOf(of)
  let header = HeaderList
  for await (const records of csvRecords(chunks, Delimiter)) {
    const items: ReadItem[] = []
    for (const fields of records) {
      if (header) items.push({ item: csvItem(header, fields, types) })
      else header = fields
    }
    yield items
  }
}

/** Attributes of keys have the types of their definitions. Any other attribute is a string. */
function keyTypesOf({ parameters }: TableImport): ReadonlyMap<string, KeyAttributeType> {
  return new Map(parameters.AttributeDefinitions.map(each => [each.AttributeName!, each.AttributeType!]))
}

function csvItem(
  header: readonly string[],
  fields: readonly string[],
  types: ReadonlyMap<string, KeyAttributeType>,
): Item {
  if (fields.length > header.length)
    throw new FormatError(`the record has ${fields.length} fields, and the header has ${header.length}`)
  const item: Item = {}
  for (const [at, field] of fields.entries()) {
    const name = header[at]!
    const type = types.get(name) ?? 'S'
    // An empty field of a key leaves the item out of an index; as a key of the table it is an error.
    if (field === '' && types.has(name)) continue
    setAttribute(item, name, type === 'B' ? { B: bytesOf(name, field) } : type === 'N' ? { N: field } : { S: field })
  }
  return item
}

function bytesOf(name: string, text: string): Uint8Array {
  const bytes = fromBase64(text)
  if (!bytes) throw new FormatError(`the field '${name}' is not base64`)
  return bytes
}
