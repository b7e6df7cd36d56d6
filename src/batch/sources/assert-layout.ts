import { findLayoutChanges, storedShapeOf } from '../../graph/table-setup/drift.js'
import { describeDrift } from '../../graph/table-setup/drift-text.js'
import { keyAttributeText } from '../../layout/items/compose-item.js'
import { fingerprintKey } from '../../layout/items/internal-items.js'
import type { Layout } from '../../layout/layout.js'
import { sqlText } from '../sql-text.js'
import { ITEMS } from './item-table.js'
import { itemText, parseItemText } from './item-text.js'
import { countItems, type ItemReader } from './read-export.js'
import { sourceError } from './source-error.js'

/** A query of the item that records the layout of a table. */
export function storedLayoutQuery(layout: Layout): string {
  const { names } = layout
  const key = fingerprintKey(layout)
  const [pk, sk] = [names.partition, names.sort].map(name => sqlText(name ? keyAttributeText(key[name]) : ''))
  return `SELECT ${itemText()} FROM ${ITEMS} WHERE pk = ${pk} AND sk = ${sk} LIMIT 1`
}

/** A query that has a row if an item is of a type of the graph. */
export function ownItemQuery({ kinds }: Layout): string {
  const marks = [...new Set(kinds.map(({ typeMark }) => sqlText(typeMark)))]
  return `SELECT 1 AS one FROM ${ITEMS} WHERE mark IN (${marks.join(', ')}) LIMIT 1`
}

/**
 * Rejects items that were written under a layout with other keys or types, which would look like an empty graph.
 * `stored` is the text of the item that records it, and `path` names the source in errors.
 */
export function assertStoredLayout(layout: Layout, stored: unknown, path: string): void {
  const changes = findLayoutChanges(storedShapeOf(parseItemText(stored), layout.shape), layout.shape)
  if (changes.length === 0) return
  throw sourceError(
    path,
    `it was written under another layout (${describeDrift(layout, changes)})`,
    'give data of the table of this graph, or open it with the layout of that time',
  )
}

/** Rejects items of another layout. Resolves to whether they record their layout. */
export async function assertSameLayout({ database, layout }: ItemReader, path: string): Promise<boolean> {
  const [row] = await database.rows(storedLayoutQuery(layout))
  if (row) assertStoredLayout(layout, row.item, path)
  return row !== undefined
}

/** Rejects files of another table: they have no fingerprint, and no item of a type of the graph. */
export async function assertOwnItems(reader: ItemReader, path: string): Promise<void> {
  if (await assertSameLayout(reader, path)) return
  const { database, layout } = reader
  const items = await countItems(database)
  const [own] = await database.rows(ownItemQuery(layout))
  if (items > 0 && !own)
    throw sourceError(
      path,
      `none of its ${items} items has a type of the graph`,
      'give data of the table of this graph',
    )
}
