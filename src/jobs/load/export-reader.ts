import type { Item } from '../../dynamodb/attribute-value.js'
import { FormatError } from '../../dynamodb/export/format-error.js'
import { parseLine } from '../../dynamodb/export/lines.js'
import type { Layout } from '../../layout/layout.js'
import { isLive } from '../../plan/row.js'
import { GraphError } from '../../schema/error.js'
import { itemFromJson } from '../rows/item-json.js'
import { rowOfItem } from '../rows/item-row.js'
import { parseJsonObject } from './json-reader.js'
import type { RowReader } from './row-reader.js'
import type { LoadSource } from './source.js'

function jsonItem(source: LoadSource, text: string): Item {
  const { Item, NewImage, OldImage, Keys } = parseJsonObject(source, text)
  if (NewImage || OldImage || (Keys && !Item)) throw incremental(source)
  return itemFromJson(Item)
}

function ionItem(source: LoadSource, text: string): Item {
  try {
    const parsed = parseLine(text, 'ION')
    if ('item' in parsed) return parsed.item
  } catch (error) {
    if (error instanceof FormatError) throw new GraphError('load.row', `row: ${error.message}; export the table again.`)
    throw error
  }
  throw incremental(source)
}

const incremental = ({ name }: LoadSource) =>
  new GraphError('load.input', `${name}: the file is of an incremental export; export the table in full.`)

/**
 * Creates a reader for lines such as `{"Item":{"PK":{"S":"movie#Big"},…}}`. Derived items are skipped, because writes
 * create them. Items that had expired at `nowMs` are skipped.
 */
export function createExportReader(layout: Layout, source: LoadSource, nowMs: number): RowReader {
  return text => {
    const item = source.format === 'ion' ? ionItem(source, text) : jsonItem(source, text)
    const parsed = rowOfItem(layout, item)
    // A node with a delete mark reads as absent, so skip it.
    if (parsed === 'derived' || !isLive(layout, item, undefined)) return undefined
    if (parsed === 'unknown')
      throw new GraphError(
        'load.row',
        'row: the item does not belong to a type of this graph; declare its type, or leave the item out.',
      )
    const { type, tenant, row } = parsed
    // A row with its own expiry date is loaded with it. A foreign time to live is not part of the row, so skip expired
    // items.
    const isDated = type.expires !== undefined && row[type.expires] !== undefined
    if (!isDated && !isLive(layout, item, nowMs)) return undefined
    return { type, row, ...(tenant !== undefined && { tenant }) }
  }
}
