import type { Layout } from '../../layout/layout.js'
import { isLive } from '../../plan/row.js'
import { GraphError } from '../../schema/error.js'
import { itemFromJson } from '../rows/item-json.js'
import { rowOfItem } from '../rows/item-row.js'
import { parseJsonObject } from './json-reader.js'
import type { RowReader } from './row-reader.js'
import type { LoadSource } from './source.js'

/**
 * Creates a reader for lines such as `{"Item":{"PK":{"S":"movie#Big"},…}}`. Derived items are skipped, because writes
 * create them. Items that had expired at `nowMs` are skipped.
 */
export function createExportReader(layout: Layout, source: LoadSource, nowMs: number): RowReader {
  return text => {
    const { Item, NewImage, OldImage, Keys } = parseJsonObject(source, text)
    if (NewImage || OldImage || (Keys && !Item))
      throw new GraphError('load.input', `${source.name} is an incremental export; export the full table`)
    const item = itemFromJson(Item)
    const parsed = rowOfItem(layout, item)
    // A node with a delete mark reads as absent, so skip it.
    if (parsed === 'derived' || !isLive(layout, item, undefined)) return undefined
    if (parsed === 'unknown') throw new GraphError('load.row', 'the item does not belong to a type of this graph')
    const { type, tenant, row } = parsed
    // A row with its own expiry date is loaded with it. A foreign time to live is not part of the row, so skip expired
    // items.
    const isDated = type.expires !== undefined && row[type.expires] !== undefined
    if (!isDated && !isLive(layout, item, nowMs)) return undefined
    return { type, row, ...(tenant !== undefined && { tenant }) }
  }
}
