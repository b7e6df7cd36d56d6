import type { PhysicalItem } from '../layout/items.js'
import { itemsOf } from '../layout/items.js'
import type { Layout } from '../layout/layout.js'
import { printIndex, printItems } from '../layout/print.js'
import { exampleRows } from './example-rows.js'
import { drawTable, readTable } from './item-table.js'
import type { SchemaOptions } from './options.js'
import { paint, print, printJson } from './output.js'
import { loadGraph } from './schema-file.js'

interface ItemsOptions extends SchemaOptions {
  readonly data?: string
  readonly tenant?: string
}

/** Prints the items and the index entries that example rows become. */
export async function itemsCommand(file: string, options: ItemsOptions): Promise<void> {
  const loaded = await loadGraph(file, options)
  const rows = await exampleRows(loaded, options.data, options.tenant)
  const { layout } = loaded
  const items = itemsOf(layout, rows, options.tenant)
  if (options.json) printJson(documentOf(layout, items))
  else print(...tablesOf(layout, items))
}

/** On a screen no wider than that; elsewhere in Markdown. */
function tablesOf(layout: Layout, items: readonly PhysicalItem[]): string[] {
  const { design } = layout
  const screen = process.stdout.isTTY ? process.stdout.columns : undefined
  const own = Object.values(design.keys)
  const shown = (text: string, keys: readonly string[]) =>
    screen === undefined ? text : drawTable(readTable(text), { width: screen, keys, kept: [...keys, ...own] })
  return [
    paint('bold', `The table ${design.name}:`),
    shown(printItems(layout, items), own),
    ...design.indexes.flatMap(({ name, partition, sort }) => [
      paint('bold', `The index ${name}:`),
      shown(printIndex(layout, items, name), [...partition, ...sort]),
    ]),
  ]
}

function documentOf({ design }: Layout, items: readonly PhysicalItem[]) {
  const within = (keys: readonly string[]) => items.filter(({ item }) => keys.every(key => item[key] !== undefined))
  const indexes = design.indexes.map(({ name, partition, sort }) => [name, within([...partition, ...sort])])
  return { table: design.name, items, indexes: Object.fromEntries(indexes) }
}
