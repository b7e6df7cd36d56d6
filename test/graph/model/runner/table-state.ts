import type { Item } from '../../../../src/dynamodb/attribute-value.js'
import { itemsOf } from '../../../../src/layout/items/items.js'
import type { Layout } from '../../../../src/layout/layout.js'
import type { Store } from '../../../../src/store/port.js'
import type { Model } from '../reference/model.js'

/** The contents of the table, one text for each item, without fingerprints, receipts and tombstones. */
export async function tableState(store: Store, layout: Layout): Promise<string[]> {
  const items: Item[] = []
  let ExclusiveStartKey: Item | undefined
  do {
    const page = await store.scan({
      TableName: layout.design.name,
      ConsistentRead: true,
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    })
    items.push(...page.Items!)
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey)
  return texts(
    layout,
    items.filter(item => !isOurs(layout, item)),
  )
}

/** Whether an item is a fingerprint, a receipt or a tombstone. */
export const isOurs = (layout: Layout, item: Item): boolean =>
  /(^|#)\$(edgewise$|receipt#|gone#)/.test(item[layout.names.partition]!.S!)

/** The expected contents of the table for these rows. */
export function expectedState(layout: Layout, model: Model, tenant: string | undefined): string[] {
  return texts(
    layout,
    itemsOf(layout, model.example(), tenant).map(({ item }) => item),
  )
}

/** Items in canonical form: without etags, consumer data, zero counters and empty maps, and with sorted sets. */
export function texts(layout: Layout, items: readonly Item[]): string[] {
  const derived = layout.graph.declared.nodes.flatMap(node =>
    Object.entries(node.attributes).flatMap(([name, { derived }]) =>
      derived ? [layout.names.attributeOf(node, name)] : [],
    ),
  )
  const { etag, countedState, incarnation, countTag } = layout.names
  const ours = [etag, countedState, incarnation, countTag]
  return items
    .map(item => {
      const entries = Object.entries(item).filter(([name, value]) => {
        if (ours.includes(name)) return false
        return !derived.includes(name) || (value.M ? Object.keys(value.M).length > 0 : value.N !== '0')
      })
      return JSON.stringify(ordered(Object.fromEntries(entries)))
    })
    .sort()
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered).sort()
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, part]) => [name, ordered(part)]))
}

/** The differences between two lists, for the failure message. */
export function difference(found: readonly string[], expected: readonly string[]): string {
  const stray = found.filter(text => !expected.includes(text)).map(text => `  stray   ${text}`)
  const missing = expected.filter(text => !found.includes(text)).map(text => `  missing ${text}`)
  return [...stray, ...missing].join('\n')
}
