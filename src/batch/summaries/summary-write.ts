import type { AttributeValue, Item, Key } from '../../dynamodb/attribute-value.js'
import { itemsOfStoredRow } from '../../layout/items/items.js'
import { stampName } from '../../layout/items/summary-stamps.js'
import { type Kind, tableKeySlots } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import { keyOfItem } from '../../plan/identity.js'
import { rowOf, valuesOf } from '../../plan/row.js'
import { isSameValue } from '../../plan/slot-values.js'
import { WriteExpression } from '../../plan/write/expression.js'
import type { SummaryTarget } from './result-query.js'
import { stampValue } from './stamp.js'

/** The time at which a job computed its values, and the moment of its data, in ISO 8601. */
export interface RunTimes {
  readonly moment: string
  readonly computed: string
  /** Whether summaries of the same data are replaced, because the SQL of the job changed. */
  readonly replacesSameData?: boolean
}

/** The values that a row of a result changes, by stored name. `undefined` removes a value. */
export type SummaryChanges = ReadonlyMap<string, AttributeValue | undefined>

/** The differences between the values of a result and those of an item. */
export function changesOf(
  item: Item,
  targets: readonly SummaryTarget[],
  computedValue: (target: SummaryTarget) => AttributeValue | undefined,
): SummaryChanges {
  const changes = new Map<string, AttributeValue | undefined>()
  for (const target of targets) {
    const value = computedValue(target)
    if (!isSameValue(item[target.storedName], value)) changes.set(target.storedName, value)
  }
  return changes
}

/** The item after the changes, for its price. */
export function itemAfter(item: Item, changes: SummaryChanges, times: RunTimes): Item {
  const after: Record<string, AttributeValue> = { ...item }
  for (const [name, value] of changes) {
    if (value) after[name] = value
    else delete after[name]
    after[stampName(name)] = stampValue(times.moment, times.computed)
  }
  return after
}

/** An item that holds a row. */
export interface RowItem {
  readonly kind: Kind
  readonly key: Key
  /** Of an edge: the stored values that the keys of its mirrors contain, and its own key does not. */
  readonly mirrorKeyValues: Readonly<Record<string, AttributeValue | undefined>>
}

/**
 * The update of one item. It sets nothing but summaries, so a live write is never lost; it holds only while the item
 * exists, is not being deleted, has the same mirrors, and has no summary of later data.
 */
export function summaryUpdate(
  { names, design }: Layout,
  { kind: { typeMark }, key, mirrorKeyValues }: RowItem,
  changes: SummaryChanges,
  times: RunTimes,
): Record<string, unknown> {
  const expression = new WriteExpression()
  for (const [name, value] of Object.entries(mirrorKeyValues)) expression.where(expression.equalsOrMissing(name, value))
  expression.where(expression.equals(names.type, { S: typeMark }))
  expression.where(expression.missing(names.deletionMark))
  const nowSeconds = Math.floor(Date.parse(times.computed) / 1000)
  expression.where(
    expression.missing(names.expires),
    `${expression.name(names.expires)} > ${expression.value({ N: String(nowSeconds) })}`,
  )
  for (const [name, value] of changes) {
    const stamp = stampName(name)
    const ownStamp = stampValue(times.moment, times.computed)
    const limit = times.replacesSameData ? ownStamp : { S: times.moment }
    expression.where(expression.missing(stamp), `${expression.name(stamp)} < ${expression.value(limit)}`)
    expression.set(expression.name(name), value)
    expression.set(expression.name(stamp), ownStamp)
  }
  return expression.addWriteTo({ TableName: design.name, Key: key })
}

/** The items that hold the same row: its own, and of an edge its mirrors. */
export function itemsOfRow(layout: Layout, kind: Kind, item: Item): RowItem[] {
  const { names } = layout
  const own = { kind, key: keyOfItem(names, item), mirrorKeyValues: {} }
  if (kind.role !== 'edge') return [own]
  // Throws where the row cannot be read.
  rowOf(layout, kind, item)
  const sides = itemsOfStoredRow(layout, kind.type, valuesOf(layout, kind, item)).slice(1)
  const mirrors = sides.filter(side => side.kind.role === 'mirror')
  const ownSlots = tableKeySlots(kind, names)
  const mirrorSlots = mirrors.flatMap(side => tableKeySlots(side.kind, names)).filter(slot => !ownSlots.includes(slot))
  const mirrorNames = mirrorSlots.map(slot => names.attributeOf(kind.type, slot))
  const mirrorKeyValues = Object.fromEntries(mirrorNames.map(name => [name, item[name]]))
  return [
    { ...own, mirrorKeyValues },
    ...mirrors.map(side => ({ kind: side.kind, key: keyOfItem(names, side.item), mirrorKeyValues: {} })),
  ]
}
