import type { Layout } from '../../layout/layout.js'
import { isLive } from '../../plan/row.js'
import { GraphError } from '../../schema/error.js'
import { itemFromJson } from '../rows/item-json.js'
import { rowOfItem } from '../rows/item-row.js'
import { parseJsonObject } from './json-reader.js'
import type { RowReader } from './row-reader.js'
import type { LoadSource } from './source.js'

/**
 * Reads `{"Item":{"PK":{"S":"movie#Big"},…}}`. What follows from other items is made again by their writes. `nowMs`: what
 * had expired by then is gone.
 */
export function createExportReader(layout: Layout, source: LoadSource, nowMs: number): RowReader {
  return text => {
    const { Item, NewImage, OldImage, Keys } = parseJsonObject(source, text)
    if (NewImage || OldImage || (Keys && !Item))
      throw new GraphError('load.input', `${source.name} is of an incremental export: export the table in full`)
    const item = itemFromJson(Item)
    const parsed = rowOfItem(layout, item)
    // A node that was being deleted was gone for all who read it.
    if (parsed === 'beside' || !isLive(layout, item, undefined)) return undefined
    if (parsed === 'unknown') throw new GraphError('load.row', 'the item is of no type of this graph')
    const { type, tenant, row } = parsed
    // By a date of its own it is gone where it is loaded too. A time that others gave is nothing of the row.
    const isDated = type.expires !== undefined && row[type.expires] !== undefined
    if (!isDated && !isLive(layout, item, nowMs)) return undefined
    return { type, row, ...(tenant !== undefined && { tenant }) }
  }
}
