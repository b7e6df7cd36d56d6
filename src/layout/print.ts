import type { AttributeValue, Item } from '../dynamodb/attribute-value.js'
import { GraphError } from '../schema/error.js'
import { isObject } from '../schema/refusal.js'
import { givenLayout } from './given-layout.js'
import { hexOf } from './hex.js'
import type { PhysicalItem } from './items.js'
import { orderedText } from './key-text.js'
import type { Layout } from './layout.js'
import { compareUtf8 } from './template-order.js'

/** Items as a table of text, keys first, sorted as DynamoDB keeps them within a partition. */
export function printItems(layout: Layout, items: readonly PhysicalItem[]): string {
  const { names } = givenLayout(layout)
  checkItems(items)
  return printRows(
    sorted(
      items.map(({ item }) => item),
      ...names.keys,
    ),
    columnsOf(layout, items),
  )
}

/** The entries of an index, in its order. */
export function printIndex(layout: Layout, items: readonly PhysicalItem[], name: string): string {
  const { indexes } = givenLayout(layout).design
  checkItems(items)
  const found = indexes.find(index => index.name === name)
  if (!found)
    throw new GraphError(
      'call.given',
      `there is no index '${name}', only ${indexes.map(index => index.name).join(', ')}`,
    )
  const { partition, sort } = found
  const keys = [...partition, ...sort]
  const entries = items.filter(({ item }) => keys.every(key => item[key] !== undefined))
  const columns = [...keys, ...columnsOf(layout, entries).filter(column => !keys.includes(column))]
  return printRows(
    sorted(
      entries.map(({ item }) => item),
      ...keys,
    ),
    columns,
  )
}

function checkItems(items: readonly PhysicalItem[]): void {
  if (!Array.isArray(items) || !items.every(each => isObject(each?.item)))
    throw new GraphError('call.given', 'give the items that itemsOf() answered, as a list')
}

function columnsOf({ names, design }: Layout, items: readonly PhysicalItem[]): string[] {
  const found = new Set(items.flatMap(({ item }) => Object.keys(item)))
  const keys = design.indexes.flatMap(({ partition, sort }) => [...partition, ...sort])
  const first = [...names.keys, names.type].filter(column => found.delete(column))
  const last = [...new Set(keys)].filter(column => found.delete(column))
  return [...first, ...found, ...last]
}

function sorted(items: Item[], ...keys: string[]): Item[] {
  const text = (item: Item) => keys.map(key => item[key]!.S ?? orderedText(item[key]!.N!)).join('\0')
  return items.sort((a, b) => compareUtf8(text(a), text(b)))
}

function printRows(items: readonly Item[], columns: readonly string[]): string {
  const rows = [columns, ...items.map(item => columns.map(column => shown(item[column])))]
  const widths = columns.map((_, i) => Math.max(...rows.map(row => row[i]!.length)))
  const lines = rows.map(row => `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`)
  const rule = `|${widths.map(width => '-'.repeat(width + 2)).join('|')}|`
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}

function shown(value: AttributeValue | undefined): string {
  if (value === undefined) return ''
  if (value.M)
    return `{ ${Object.entries(value.M)
      .map(([name, member]) => `${name}: ${shown(member)}`)
      .join(', ')} }`
  if (value.L) return `[ ${value.L.map(shown).join(', ')} ]`
  if (value.B) return hexOf(value.B)
  const [held] = Object.values(value)
  return Array.isArray(held) ? `{ ${held.join(', ')} }` : String(held)
}
