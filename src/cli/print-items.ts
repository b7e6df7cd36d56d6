import type { PhysicalItem } from '../layout/items/items.js'
import { itemsOf } from '../layout/items/items.js'
import { printIndex, printItems } from '../layout/items/print.js'
import type { Layout } from '../layout/layout.js'
import { loadExampleRows } from './graph-file/example-rows.js'
import { loadGraph } from './graph-file/load-graph.js'
import type { SchemaOptions } from './options.js'
import { paint, print, printJson } from './terminal/output.js'
import { drawTable, parseTable } from './terminal/text-table.js'

interface ItemsOptions extends SchemaOptions {
  readonly data?: string
  readonly tenant?: string
}

/** Prints the items and the index entries of example rows. */
export async function itemsCommand(file: string, options: ItemsOptions): Promise<void> {
  const loaded = await loadGraph(file, options)
  const rows = await loadExampleRows(loaded, options.data, options.tenant)
  const { layout } = loaded
  const items = itemsOf(layout, rows, options.tenant)
  if (options.json) printJson(toItemsDocument(layout, items))
  else print(...formatTables(layout, items))
}

/** Fits the terminal width; output that is not a terminal is Markdown. */
function formatTables(layout: Layout, items: readonly PhysicalItem[]): string[] {
  const { design } = layout
  const screen = process.stdout.isTTY ? process.stdout.columns : undefined
  const tableKeys = Object.values(design.keys)
  const formatTable = (text: string, keyColumns: readonly string[]) =>
    screen === undefined
      ? text
      : drawTable(parseTable(text), { width: screen, keyColumns, keptColumns: [...keyColumns, ...tableKeys] })
  return [
    paint('bold', `The table ${design.name}:`),
    formatTable(printItems(layout, items), tableKeys),
    ...design.indexes.flatMap(({ name, partition, sort }) => [
      paint('bold', `The index ${name}:`),
      formatTable(printIndex(layout, items, name), [...partition, ...sort]),
    ]),
  ]
}

function toItemsDocument({ design }: Layout, items: readonly PhysicalItem[]) {
  const itemsWithKeys = (keys: readonly string[]) =>
    items.filter(({ item }) => keys.every(key => item[key] !== undefined))
  const indexes = design.indexes.map(({ name, partition, sort }) => [name, itemsWithKeys([...partition, ...sort])])
  return { table: design.name, items, indexes: Object.fromEntries(indexes) }
}
