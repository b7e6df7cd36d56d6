import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { isObject } from '../../schema/checks/assertions.js'
import { GraphError } from '../../schema/error.js'
import { compareUtf8 } from '../keys/compare-utf8.js'
import { hexOf } from '../keys/hex.js'
import { toOrderedText } from '../keys/key-text-codec.js'
import type { Layout } from '../layout.js'
import { requireLayout } from '../require-layout.js'
import type { PhysicalItem } from './items.js'

/**
 * Formats items as a text table: keys first, sorted as DynamoDB sorts a partition.
 *
 * @param items - the result of `itemsOf`
 * @throws {call.argument} if the layout or the items are invalid
 *
 * @example
 * ```ts
 * import { graph, layout, node, string } from 'edgewise'
 * import { itemsOf, printItems } from 'edgewise/layout'
 *
 * const social = layout(graph('social', [node('user', { name: string() }, { id: 'name' })]))
 * console.log(printItems(social, itemsOf(social, { user: [{ name: 'ann' }] })))
 * ```
 */
export function printItems(layout: Layout, items: readonly PhysicalItem[]): string {
  const { names } = requireLayout(layout)
  checkItems(items)
  return printRows(
    sortByKeys(
      items.map(({ item }) => item),
      ...names.keys,
    ),
    columnsOf(layout, items),
  )
}

/**
 * Formats the entries of an index as a text table in the order of the index.
 *
 * @param items - the result of `itemsOf`
 * @throws {call.argument} if the layout has no index with this name
 *
 * @example
 * ```ts
 * import { graph, layout, node, string } from 'edgewise'
 * import { itemsOf, printIndex } from 'edgewise/layout'
 *
 * const movie = node('movie', { title: string(), genre: string() }, { id: 'title', by: { genre: { in: ['genre'] } } })
 * const cinema = layout(graph('cinema', [movie]))
 * console.log(printIndex(cinema, itemsOf(cinema, { movie: [{ title: 'Big', genre: 'comedy' }] }), 'GSI1'))
 * ```
 */
export function printIndex(layout: Layout, items: readonly PhysicalItem[], name: string): string {
  const { indexes } = requireLayout(layout).design
  checkItems(items)
  const design = indexes.find(index => index.name === name)
  if (!design)
    throw new GraphError(
      'call.argument',
      `printIndex: there is no index '${name}'; the layout has ${indexes.map(index => index.name).join(', ') || 'none'}.`,
    )
  const { partition, sort } = design
  const keys = [...partition, ...sort]
  const entries = items.filter(({ item }) => keys.every(key => item[key] !== undefined))
  const columns = [...keys, ...columnsOf(layout, entries).filter(column => !keys.includes(column))]
  return printRows(
    sortByKeys(
      entries.map(({ item }) => item),
      ...keys,
    ),
    columns,
  )
}

function checkItems(items: readonly PhysicalItem[]): void {
  if (!Array.isArray(items) || !items.every(entry => isObject(entry?.item)))
    throw new GraphError('call.argument', 'items: the value is not a list of items; give the result of itemsOf().')
}

function columnsOf({ names, design }: Layout, items: readonly PhysicalItem[]): string[] {
  const columns = new Set(items.flatMap(({ item }) => Object.keys(item)))
  const keys = design.indexes.flatMap(({ partition, sort }) => [...partition, ...sort])
  const first = [...names.keys, names.type].filter(column => columns.delete(column))
  const last = [...new Set(keys)].filter(column => columns.delete(column))
  return [...first, ...columns, ...last]
}

function sortByKeys(items: Item[], ...keys: string[]): Item[] {
  const text = (item: Item) => keys.map(key => item[key]!.S ?? toOrderedText(item[key]!.N!)).join('\0')
  return items.sort((a, b) => compareUtf8(text(a), text(b)))
}

function printRows(items: readonly Item[], columns: readonly string[]): string {
  const rows = [columns, ...items.map(item => columns.map(column => formatCell(item[column])))]
  const widths = columns.map((_, i) => Math.max(...rows.map(row => row[i]!.length)))
  const lines = rows.map(row => `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`)
  const rule = `|${widths.map(width => '-'.repeat(width + 2)).join('|')}|`
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}

function formatCell(value: AttributeValue | undefined): string {
  if (value === undefined) return ''
  if (value.M)
    return `{ ${Object.entries(value.M)
      .map(([name, member]) => `${name}: ${formatCell(member)}`)
      .join(', ')} }`
  if (value.L) return `[ ${value.L.map(formatCell).join(', ')} ]`
  if (value.B) return hexOf(value.B)
  const [content] = Object.values(value)
  return Array.isArray(content) ? `{ ${content.join(', ')} }` : String(content)
}
