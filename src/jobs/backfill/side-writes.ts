import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import type { TransactWriteItem } from '../../dynamodb/operation-types.js'
import type { Layout } from '../../layout/layout.js'
import type { DeclaredType } from '../../layout/slots.js'
import { keyOfItem, uniqueKeyTextOf } from '../../plan/identity.js'
import { createTransactionPart, toTransactItem } from '../../plan/write/transaction-part.js'
import type { DeclaredEdge } from '../../schema/declarations.js'
import { hasStreamDerivedData } from '../../schema/edge/stream-derived-data.js'

/** Plans the writes of side items: deletes old ones and writes new ones. */
export function planSideWrites(
  layout: Layout,
  oldSides: readonly Item[],
  newSides: readonly Item[],
  etag: AttributeValue | undefined,
  writesAll: boolean,
  nowMs: number | undefined,
): TransactWriteItem[] {
  const table = layout.design.name
  const newByKey = new Map(newSides.map(item => [uniqueKeyTextOf(layout, item), item]))
  const oldByKey = new Map(oldSides.map(item => [uniqueKeyTextOf(layout, item), item]))
  const removed = [...oldByKey].filter(([key]) => !newByKey.has(key))
  const isUnchanged = (key: string) => JSON.stringify(oldByKey.get(key)) === JSON.stringify(newByKey.get(key))
  const kindIn = (item: Item) => layout.kinds.find(kind => kind.typeMark === item[layout.names.type]?.S)!
  // Before the item is moved, no writer with the new layout has maintained its side items.
  const toWrite = [...newByKey].filter(
    ([key, item]) => (writesAll && kindIn(item).role !== 'unique') || !isUnchanged(key),
  )
  return [
    ...removed.map(([, item]) => ({ Delete: { TableName: table, Key: keyOfItem(layout.names, item) } })),
    ...toWrite.map(([key, item]) => {
      const { role, type } = kindIn(item)
      const Item = role === 'mirror' && etag ? { ...item, [layout.names.etag]: etag } : item
      // A put replaces the whole item at this key.
      if (role === 'mirror' && type.kind === 'edge' && hasStreamDerivedData(type) && (!writesAll || isUnchanged(key)))
        return createMirrorUpdate(layout, type, Item, oldByKey.get(key))
      if (role === 'unique') return createSentinelPut(layout, type, item, oldByKey.get(key), nowMs)
      return { Put: { TableName: table, Item } }
    }),
  ]
}

/** Returns the stored names of copies that do not follow their sources. */
export const fixedCopyNamesOf = ({ names }: Layout, type: DeclaredType): string[] =>
  type.kind === 'edge'
    ? type.carry.filter(({ sync }) => !sync).map(({ copyName }) => names.attributeOf(type, copyName))
    : []

/** Returns the name of the time to live, if only edgewise writes it. */
export const managedExpiryNamesOf = ({ names }: Layout): string[] => (names.configuredExpires ? [] : [names.expires])

/**
 * Updates a mirror in place and keeps its stream-derived attributes: under the same etag, nothing would count it
 * again.
 */
function createMirrorUpdate(layout: Layout, type: DeclaredEdge, item: Item, oldItem: Item = {}): TransactWriteItem {
  const update = createTransactionPart('Update', keyOfItem(layout.names, item))
  const { expression, key } = update
  for (const name in item) if (!(name in key)) expression.set(expression.name(name), item[name]!)
  const obsoleteNames = new Set([
    ...Object.keys(oldItem),
    ...fixedCopyNamesOf(layout, type),
    ...managedExpiryNamesOf(layout),
  ])
  for (const name of obsoleteNames) if (!(name in item)) expression.set(expression.name(name), undefined)
  return toTransactItem(layout, update)
}

/**
 * Adds the condition to put a sentinel: it does not exist, has expired, or belongs to this item under either layout.
 */
function createSentinelPut(
  layout: Layout,
  { expires }: DeclaredType,
  item: Item,
  oldItem: Item | undefined,
  nowMs: number | undefined,
): TransactWriteItem {
  const { names } = layout
  const unrelatedNames = [...names.keys, names.type, names.expires]
  const ownerOf = (each: Item) => Object.entries(each).filter(([name]) => !unrelatedNames.includes(name))
  const owners = [item, ...(oldItem ? [oldItem] : [])].map(ownerOf)
  const put = createTransactionPart('Put', keyOfItem(names, item), item)
  const { expression } = put
  const ownerCondition = (owner: ReturnType<typeof ownerOf>) =>
    owner.length > 0 ? [`(${owner.map(([name, value]) => expression.equals(name, value)).join(' AND ')})`] : []
  const canExpire = expires !== undefined && nowMs !== undefined
  // A sentinel without an owner belongs to this item by its key.
  if (!oldItem || ownerOf(oldItem).length > 0)
    expression.where(
      expression.absentOrExpired(names, canExpire, Math.floor((nowMs ?? 0) / 1000)),
      ...owners.flatMap(ownerCondition),
    )
  return toTransactItem(layout, put)
}
