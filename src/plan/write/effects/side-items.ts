import type { Item } from '../../../dynamodb/attribute-value.js'
import { itemsOfStoredRow, type KindItem } from '../../../layout/items/items.js'
import type { Kind } from '../../../layout/kinds.js'
import type { Layout } from '../../../layout/layout.js'
import type { DeclaredType } from '../../../layout/slots.js'
import { keyOfItem, uniqueKeyTextOf } from '../../identity.js'
import type { PlannedChange, SlotValues, WriteSubject } from '../../plan.js'
import { isLive } from '../../row.js'
import { isSameValue } from '../../slot-values.js'
import type { TypeTraits } from '../../type-traits.js'
import type { WriteExpression } from '../expression.js'
import { type ItemWrites, itemWrite } from './item-write.js'
import { requireUnchanged, setChangedAttributes } from './own-item.js'
import { deleteCounted } from './tombstones.js'

/** Brings the items beside a node's or an edge's own from what they were to what they are: mirrors, facets, sentinels. */
export function writeSideItems(
  writes: ItemWrites,
  traits: TypeTraits,
  { etag, nowSeconds }: PlannedChange,
  subject: WriteSubject,
  before: SlotValues | undefined,
  after: SlotValues | undefined,
): void {
  const { layout } = writes
  const { names } = layout
  const { type, sideKinds, countedMirrors, storedNames } = traits
  if (!sideKinds[0]) return
  const [old, now] = [sideItemsByKey(layout, type, before), sideItemsByKey(layout, type, after)]
  for (const [text, { item, kind }] of old) {
    if (now.has(text)) continue
    const key = keyOfItem(names, item)
    if (countedMirrors.includes(kind)) {
      // A mirror that the stream may have counted goes as it was read, or is still not there.
      const existing = writes.priorItem(key)
      const write = writes.add(itemWrite(existing ? 'Delete' : 'ConditionCheck', key, subject, 'retry'))
      if (existing) deleteCounted(writes, kind, write, existing, before!, etag)
      else requireUnchanged(names, write.expression, existing)
    } else if (isLive(layout, item, nowSeconds * 1000)) {
      // What has expired goes by itself, since its sentinel may be another's by now; one goes only where it is this owner's.
      const { expression } = writes.add({ ...itemWrite('Delete', key, subject, 'retry'), before: item })
      if (kind.role === 'unique')
        expression.where(expression.missing(names.partition), sameOwnerCondition(storedNames, expression, item))
    }
  }
  for (const [text, { item, kind }] of now) {
    if (kind.role === 'mirror') item[names.etag] = { S: etag }
    writeSideItem(writes, traits, kind, subject, item, old.get(text)?.item, nowSeconds)
  }
}

/** The items beside a node's or an edge's own, by the texts of their keys. */
export function sideItemsByKey(
  layout: Layout,
  type: DeclaredType,
  values: SlotValues | undefined,
): Map<string, KindItem> {
  const items = values ? itemsOfStoredRow(layout, type, values).slice(1) : []
  return new Map(items.map(each => [uniqueKeyTextOf(layout, each.item), each]))
}

/** That a sentinel is of the owner that this one is of. */
function sameOwnerCondition(stored: TypeTraits['storedNames'], expression: WriteExpression, item: Item): string {
  const same = stored.flatMap(([, name]) => (item[name] ? [expression.equals(name, item[name])] : []))
  return `(${same.join(' AND ')})`
}

/** A mirror is the edge again; what the stream keeps on it stays, also where nobody knew of it. */
function writeSideItem(
  writes: ItemWrites,
  { expiryName, storedNames, managedNames, countedMirrors }: TypeTraits,
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
  const isCountedMirror = countedMirrors.includes(kind)
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
