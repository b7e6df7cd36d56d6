import type { Item, Key } from '../attribute-value.js'
import type { ExportFormat } from '../operation-types.js'
import { FormatError } from './format-error.js'
import { ionToItem } from './ion-item.js'
import { type IonValue, parseIon } from './ion-reader.js'
import { itemToIon, numberToIon } from './ion-writer.js'
import { encodeBytes, parseJsonItem } from './json-item.js'

/** An item that changed in the period of an incremental export. */
export interface ExportedChange {
  readonly keys: Key
  readonly writtenMicros: number
  readonly oldImage?: Item | undefined
  /** Absent where the item was deleted. */
  readonly newImage?: Item | undefined
}

/** One line of a data file of an export. */
export type ExportedLine = { readonly item: Item } | { readonly change: ExportedChange }

/** The line of an item in a full export. Items without binary values are written faster. */
export function itemLine(item: Item, format: ExportFormat, hasBinary = true): string {
  if (format === 'ION') return `$ion_1_0 {Item:${itemToIon(item)}}\n`
  return `${hasBinary ? JSON.stringify({ Item: item }, encodeBytes) : JSON.stringify({ Item: item })}\n`
}

/** The line of a change in an incremental export. */
export function changeLine(change: ExportedChange, format: ExportFormat): string {
  const { keys, oldImage, newImage } = change
  const written = String(change.writtenMicros)
  if (format === 'ION') {
    const images = [
      ...(oldImage ? [`OldImage:${itemToIon(oldImage)}`] : []),
      ...(newImage ? [`NewImage:${itemToIon(newImage)}`] : []),
    ]
    const metadata = `Metadata:{WriteTimestampMicros:${numberToIon(written)}}`
    return `$ion_1_0 {Record:{${[metadata, `Keys:${itemToIon(keys)}`, ...images].join(',')}}}\n`
  }
  const record = {
    Metadata: { WriteTimestampMicros: { N: written } },
    Keys: keys,
    ...(oldImage && { OldImage: oldImage }),
    ...(newImage && { NewImage: newImage }),
  }
  return `${JSON.stringify(record, encodeBytes)}\n`
}

/** @throws {FormatError} */
export function parseLine(text: string, format: ExportFormat): ExportedLine {
  return format === 'ION' ? parseIonLine(text) : parseJsonLine(text)
}

function parseJsonLine(text: string): ExportedLine {
  const { Item, Keys, Metadata, OldImage, NewImage } = parseObject(text)
  if (Item !== undefined) return { item: parseJsonItem(Item, 'Item') }
  if (Keys === undefined) throw notALine()
  const written = parseJsonItem(Metadata ?? {}, 'Metadata').WriteTimestampMicros?.N
  return {
    change: {
      keys: parseJsonItem(Keys, 'Keys'),
      writtenMicros: Number(written ?? 0),
      ...(OldImage !== undefined && { oldImage: parseJsonItem(OldImage, 'OldImage') }),
      ...(NewImage !== undefined && { newImage: parseJsonItem(NewImage, 'NewImage') }),
    },
  }
}

function parseObject(text: string): Record<string, unknown> {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    throw new FormatError(`the line is not JSON: ${(error as Error).message}`)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw notALine()
  return parsed as Record<string, unknown>
}

function parseIonLine(text: string): ExportedLine {
  const line = fieldsOf(parseIon(text))
  const item = line.get('Item')
  if (item) return { item: ionToItem(item, 'Item') }
  const record = line.has('Record') ? fieldsOf(line.get('Record')) : line
  if (!record.has('Keys')) throw notALine()
  const written = record.has('Metadata') ? fieldsOf(record.get('Metadata')).get('WriteTimestampMicros') : undefined
  return {
    change: {
      keys: ionToItem(record.get('Keys'), 'Keys'),
      writtenMicros: written?.type === 'number' ? Number(written.value) : 0,
      ...(record.has('OldImage') && { oldImage: ionToItem(record.get('OldImage'), 'OldImage') }),
      ...(record.has('NewImage') && { newImage: ionToItem(record.get('NewImage'), 'NewImage') }),
    },
  }
}

function fieldsOf(value: IonValue | undefined): ReadonlyMap<string, IonValue> {
  if (value?.type !== 'struct') throw notALine()
  return new Map(value.fields)
}

const notALine = () => new FormatError('the line has no Item, and no Keys of a changed item')
