import type { Item } from '../../../dynamodb/attribute-value.js'
import { itemsOfStoredRow, type KindItem } from '../../../layout/items/items.js'
import type { Kind } from '../../../layout/kinds.js'
import type { Layout } from '../../../layout/layout.js'
import type { DeclaredType } from '../../../layout/slots.js'
import { keyOfItem, tableKeyOf, uniqueKeyTextOf } from '../../identity.js'
import type { PlannedChange, SlotValues, WriteSubject } from '../../plan.js'
import { isLive } from '../../row.js'
import { isSameValue } from '../../slot-values.js'
import type { TypeTraits } from '../../type-traits.js'
import type { WriteExpression } from '../expression.js'
import { type ItemWrites, itemWrite } from './item-write.js'
import { requireUnchanged, setChangedAttributes } from './own-item.js'
import { deleteCounted } from './tombstones.js'

/** Updates the side items of a node or an edge (mirrors, facets, sentinels) from the old values to the new ones. */
export function writeSideItems(
  writes: ItemWrites,
  traits: TypeTraits,
  { identity, etag, nowSeconds }: PlannedChange,
  subject: WriteSubject,
  before: SlotValues | undefined,
  after: SlotValues | undefined,
): void {
  const { layout } = writes
  const { names } = layout
  const { type, countedMirrors, storedNames } = traits
  const [old, now] = [sideItemsByKey(layout, type, before), sideItemsByKey(layout, type, after)]
  for (const [text, { item, kind }] of old) {
    if (now.has(text)) continue
    const key = keyOfItem(names, item)
    if (countedMirrors.includes(kind)) {
      // The stream may have counted the mirror, so its deletion requires the mirror to be as it was read, or
      // still missing.
      const existing = writes.priorItem(key)
      const write = writes.add(itemWrite(existing ? 'Delete' : 'ConditionCheck', key, subject, 'retry'))
      if (existing) deleteCounted(writes, kind, write, existing, before!, etag)
      else requireUnchanged(names, write.expression, existing)
    } else if (isLive(layout, item, nowSeconds * 1000)) {
      // DynamoDB removes expired sentinels; one may already belong to another owner. A sentinel is deleted
      // only if it belongs to this owner.
      const { expression } = writes.add({ ...itemWrite('Delete', key, subject, 'retry'), before: item })
      if (kind.role === 'unique')
        expression.where(expression.missing(names.partition), sameOwnerCondition(storedNames, expression, item))
    }
  }
  for (const [text, { item, kind }] of now) {
    if (kind.role === 'mirror') item[names.etag] = { S: etag }
    if (kind.role === 'mirror') giveSummaries(writes, traits, identity, item)
    writeSideItem(writes, traits, kind, subject, item, old.get(text)?.item, nowSeconds)
  }
}

/**
 * Gives a mirror the summaries of its edge, which must not change meanwhile: a job writes them without a new etag. A
 * mirror of an edge that was not read keeps its own.
 */
function giveSummaries(
  writes: ItemWrites,
  { ownKind, summaryNames }: TypeTraits,
  identity: SlotValues,
  mirror: Item,
): void {
  if (summaryNames.length === 0) return
  for (const name of summaryNames) delete mirror[name]
  const own = writes.writeOf(tableKeyOf(writes.layout, ownKind, identity))
  if (!own?.before) return
  own.expectedSummaries = summaryNames
  for (const name of summaryNames) {
    const value = own.before[name]
    if (value) mirror[name] = value
    own.expression.where(own.expression.equalsOrMissing(name, value))
  }
}

/** The side items of a node or an edge, by the texts of their keys. */
export function sideItemsByKey(
  layout: Layout,
  type: DeclaredType,
  values: SlotValues | undefined,
): Map<string, KindItem> {
  const items = values ? itemsOfStoredRow(layout, type, values).slice(1) : []
  return new Map(items.map(each => [uniqueKeyTextOf(layout, each.item), each]))
}

/** The condition that a sentinel belongs to the owner of the given item. */
function sameOwnerCondition(stored: TypeTraits['storedNames'], expression: WriteExpression, item: Item): string {
  const same = stored.flatMap(([, name]) => (item[name] ? [expression.equals(name, item[name])] : []))
  return `(${same.join(' AND ')})`
}

/**
 * Writes a mirror, facet or sentinel. A mirror duplicates the edge, and keeps attributes that the stream and batch jobs
 * maintain even when they were not read.
 */
function writeSideItem(
  writes: ItemWrites,
  { expiryName, storedNames, managedNames, countedMirrors, summaryNames }: TypeTraits,
  kind: Kind,
  subject: WriteSubject,
  item: Item,
  old: Item | undefined,
  nowSeconds: number,
): void {
  if (old && isSameValue({ M: old }, { M: item })) return
  const { names } = writes.layout
  const isUnique = kind.role === 'unique'
  const uniqueAttribute = isUnique ? kind.memberName : undefined
  const onConditionFailed = uniqueAttribute ? 'unique.taken' : isUnique ? 'edge.one' : 'retry'
  const isCountedMirror = countedMirrors.includes(kind) || (summaryNames.length > 0 && kind.role === 'mirror')
  const write = itemWrite(
    isCountedMirror ? 'Update' : 'Put',
    keyOfItem(names, item),
    { ...subject, uniqueAttribute },
    onConditionFailed,
  )
  write.after = item
  if (isCountedMirror) {
    write.before = writes.priorItem(write.key) ?? undefined
    setChangedAttributes(write, item, [...managedNames, ...Object.keys(kind.keys)])
  }
  write.before ??= old
  const { expression } = write
  if (isUnique)
    expression.where(
      expression.absentOrExpired(names, expiryName, nowSeconds),
      old && sameOwnerCondition(storedNames, expression, old),
    )
  writes.add(write)
}
