import { parseItem } from '../../../src/derive/settle/side-items.js'
import { isSpent, isTombstone } from '../../../src/derive/settle/tombstone.js'
import type { AttributeValue, Item } from '../../../src/dynamodb/index.js'
import type { Store } from '../../../src/index.js'
import { itemsOf } from '../../../src/layout/items/items.js'
import type { Layout } from '../../../src/layout/layout.js'
import { TENANT_SLOT } from '../../../src/layout/slots.js'
import { uniqueKeyTextOf } from '../../../src/plan/identity.js'
import { rowOf, valuesOf } from '../../../src/plan/row.js'
import { canonicalText } from '../../../src/plan/slot-values.js'
import { endNodeOf } from '../../../src/plan/write/effects/item-write.js'
import { withoutSummaries } from './summaries.js'

/** Reads every item of a table. */
export async function itemsIn(store: Store, TableName: string): Promise<Item[]> {
  const all: Item[] = []
  let from: Item | undefined
  do {
    const page = await store.scan({ TableName, ConsistentRead: true, ...(from && { ExclusiveStartKey: from }) })
    all.push(...(page.Items ?? []))
    from = page.LastEvaluatedKey
  } while (from)
  return all
}

/**
 * Returns the faults of a settled table: exactly the items that its nodes and edges require must exist, with correct
 * copies, counters, mirrors and entries. Foreign items may lack an etag.
 */
export function faultOf(layout: Layout, items: readonly Item[], mayLackEtag = false): string | undefined {
  const { names } = layout
  const rows: Record<string, Record<string, unknown>[]> = {}
  let tenant: string | undefined
  const actual = new Map<string, Item>()
  for (const item of items) {
    if (isTombstone(layout, item)) {
      if (!isSpent(item)) return `a tombstone is not spent: ${JSON.stringify(item)}`
      continue
    }
    if (/^(.*#)?\$(edgewise|receipt#)/.test(item[names.partition]!.S!)) continue
    const kind = layout.kinds.find(({ typeMark }) => typeMark === item[names.type]?.S)
    if (!kind) return `nobody knows what this is: ${JSON.stringify(item)}`
    const isSide = kind.role === 'facet' || kind.role === 'unique'
    if (!isSide && !mayLackEtag && !item[names.etag]) return `a ghost: ${JSON.stringify(item)}`
    actual.set(uniqueKeyTextOf(layout, item), item)
    if (isSide || kind.role === 'mirror') continue
    rows[kind.type.name] ??= []
    rows[kind.type.name]!.push({ ...rowOf(layout, kind, item) })
    tenant = valuesOf(layout, kind, item)[TENANT_SLOT]?.S
  }
  const expected = new Map(
    itemsOf(layout, rows as never, tenant).map(({ item }) => [uniqueKeyTextOf(layout, item), item]),
  )
  for (const text of new Set([...actual.keys(), ...expected.keys()])) {
    const [is, should] = [actual.get(text), expected.get(text)]
    if (!is || !should) return `${is ? 'is there and should not be' : 'is missing'}: ${JSON.stringify(is ?? should)}`
    const [one, other] = [is, should].map(item => comparable(layout, item, actual))
    if (canonicalText(one) !== canonicalText(other))
      return `is ${JSON.stringify(one)}\n  and should be ${JSON.stringify(other)}`
  }
  return undefined
}

/** Removes the consumer's own attributes, summaries, and values that equal a missing attribute. */
function comparable(layout: Layout, item: Item, actual: ReadonlyMap<string, Item>): Item {
  const { names } = layout
  const { etag, countedState, lineage, incarnation, countTag, deletionMark } = names
  const own = new Set([etag, countedState, lineage, incarnation, countTag, deletionMark])
  const kept = new Set(keptOfGone(layout, item, actual))
  const isNothing = ({ N, M }: AttributeValue) => N === '0' || (M !== undefined && Object.keys(M).length === 0)
  return Object.fromEntries(
    Object.entries(withoutSummaries(layout, item)).filter(
      ([name, value]) => !own.has(name) && !kept.has(name) && !isNothing(value),
    ),
  )
}

/** Copies that remain when their source is deleted. Any earlier value of the source is correct. */
function keptOfGone(layout: Layout, item: Item, actual: ReadonlyMap<string, Item>): string[] {
  const found = parseItem(layout, item)
  if (!found) return []
  const { kind, values } = found
  const type = kind.type
  const { edges } = layout.graph.declared
  if (type.kind === 'node')
    return edges.flatMap(({ embed, carry, ends }) =>
      carry.some(({ deleted }) => deleted === 'keep')
        ? embed
            .filter(({ end }) => ends.find(({ name }) => name === end)?.node === type)
            .map(({ into }) => layout.names.attributeOf(type, into))
        : [],
    )
  return type.carry.flatMap(({ copyName, end, deleted }) => {
    const source = endNodeOf(layout, type.ends.find(({ name }) => name === end)!, values).key
    return deleted === 'keep' && !actual.has(uniqueKeyTextOf(layout, source))
      ? [layout.names.attributeOf(type, copyName)]
      : []
  })
}
