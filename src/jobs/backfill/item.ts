import type { AttributeValue, Item, Key } from '../../dynamodb/attribute-value.js'
import type { TransactWriteItem } from '../../dynamodb/operation-types.js'
import { rankingCountersOf } from '../../layout/items/derived-values.js'
import { itemsOfStoredRow } from '../../layout/items/items.js'
import type { KeySlotValues } from '../../layout/keys/encode-template.js'
import type { Layout } from '../../layout/layout.js'
import { type DeclaredType, normalizeEnds } from '../../layout/slots.js'
import { keyOfItem } from '../../plan/identity.js'
import { isLive } from '../../plan/row.js'
import { computeValues } from '../computed-values.js'
import { findOwnKind, findType, hasSwappedNames, isPlacedBy, parseOwnItem } from './own-items.js'
import { renameMembersInValues } from './rename-members.js'
import { isKnownAsNew, movedMarkOf, staleMarkNamesOf, typeRenamingOf } from './renames.js'
import { planSideWrites } from './side-writes.js'

type Values = Readonly<Record<string, AttributeValue>>

/** Whether an item of the new layout could be mistaken for one of the old layout and be migrated again. */
export const isMistakableForOld = (oldLayout: Layout, newLayout: Layout, item: Item): boolean =>
  isPlacedBy(newLayout, item, 'its own') === true &&
  (hasSwappedNames(oldLayout, newLayout, item) || shouldMove(oldLayout, newLayout, item))

/**
 * Returns the values of an item under the old layout, with the values that were written under the new names since.
 * Values unknown to the new layout are dropped.
 */
export function parseWithBoth(oldLayout: Layout, newLayout: Layout, item: Item): ReturnType<typeof parseOwnItem> {
  if (isKnownAsNew(oldLayout, newLayout, item)) return parseOwnItem(newLayout, item)
  const oldParsed = parseOwnItem(oldLayout, item)
  const type = oldParsed && findType(newLayout, oldParsed.type.name)
  if (!type) return oldParsed
  const { droppedSlots, newNames } = typeRenamingOf(oldLayout, newLayout, oldParsed.type, type)
  const keptValues = Object.fromEntries(
    Object.entries(oldParsed.values).filter(([slot]) => !droppedSlots.includes(slot)),
  )
  const values = renameMembersInValues(oldParsed.type, type, keptValues)
  for (const [slot, name] of newNames) if (item[name]) values[slot] = item[name]
  return { type: oldParsed.type, values: orderEnds(newLayout, type, values) }
}

/**
 * An undirected edge is stored under its lesser end. An edge that was directed may not be, and with a mirror it is
 * found under both.
 */
function orderEnds({ kinds }: Layout, type: DeclaredType, values: Record<string, AttributeValue>): Values {
  const hasMirror = kinds.some(kind => kind.type === type && kind.role === 'mirror')
  return hasMirror ? values : normalizeEnds(type, values)
}

/** Returns the computed values of an item under the new layout, including those computed from new copies. */
export function computeNewValues(
  oldLayout: Layout,
  newLayout: Layout,
  item: Item,
  newValues: KeySlotValues,
): KeySlotValues {
  const oldParsed = parseWithBoth(oldLayout, newLayout, item)
  const type = oldParsed && findType(newLayout, oldParsed.type.name)
  return type ? computeValues(newLayout, type, { ...oldParsed.values, ...newValues }) : {}
}

/** Returns the side items of an item under a layout: mirrors, facets and sentinels. */
export function expectedSideItems(oldLayout: Layout, newLayout: Layout, item: Item, newValues: KeySlotValues): Item[] {
  const oldParsed = parseWithBoth(oldLayout, newLayout, item)
  const type = oldParsed && findType(newLayout, oldParsed.type.name)
  return type
    ? itemsOfStoredRow(newLayout, type, { ...oldParsed.values, ...newValues })
        .slice(1)
        .map(sideItem => sideItem.item)
    : []
}

/** An item to migrate, with the data that its migration needs. */
export interface ItemMove {
  readonly item: Item
  /** New copies and computed values. The value of a dropped attribute is undefined. */
  readonly newValues: KeySlotValues
  /** Existing side items, if the old layout is unknown. */
  readonly existingSides?: readonly Item[] | undefined
  /** A new etag, if other writers should notice the change. */
  readonly etag?: AttributeValue | undefined
  /** The current time, to detect expired items. Without it, no item counts as expired. */
  readonly nowMs?: number | undefined
}

/**
 * Plans the writes that migrate items and their side items. Items that move to each other's keys are migrated
 * together.
 */
export function planMoves(oldLayout: Layout, newLayout: Layout, items: readonly ItemMove[]): TransactWriteItem[] {
  const writes = items.flatMap(move => planMove(oldLayout, newLayout, move, items.length > 1))
  const puts = new Map(
    writes.flatMap(write => (write.Put ? [[keyJsonOf(newLayout, write.Put.Item), write.Put] as const] : [])),
  )
  const deletes = new Map(
    writes.flatMap(write => (write.Delete ? [[keyJsonOf(newLayout, write.Delete.Key), write.Delete]] : [])),
  )
  return writes.flatMap((write): TransactWriteItem[] => {
    if (write.Delete) return puts.has(keyJsonOf(newLayout, write.Delete.Key)) ? [] : [write]
    const replacedDelete = write.Put && deletes.get(keyJsonOf(newLayout, write.Put.Item))
    if (!replacedDelete) return [write]
    // A put over a deleted item needs the condition of the deletion.
    const { Key: _, ...held } = replacedDelete
    return [{ Put: { ...held, Item: write.Put!.Item } }]
  })
}

/** Whether an item of the old layout has another key in the new one. */
export function shouldMove(oldLayout: Layout, newLayout: Layout, item: Item): boolean {
  const newKey = newKeyOf(oldLayout, newLayout, item)
  return (
    newKey !== undefined &&
    keyJsonOf(oldLayout, item) !== keyJsonOf(newLayout, newKey) &&
    !isAlreadyMoved(oldLayout, newLayout, item)
  )
}

/** Returns the key in the new layout of an item of the old one. */
export function newKeyOf(oldLayout: Layout, newLayout: Layout, item: Item): Key | undefined {
  const oldParsed = parseWithBoth(oldLayout, newLayout, item)
  const type = oldParsed && findType(newLayout, oldParsed.type.name)
  return type && keyOfItem(newLayout.names, itemsOfStoredRow(newLayout, type, oldParsed.values)[0]!.item)
}

function planMove(
  oldLayout: Layout,
  newLayout: Layout,
  { item, newValues, existingSides, etag = item[newLayout.names.etag], nowMs }: ItemMove,
  isChained: boolean,
): TransactWriteItem[] {
  const oldParsed = parseWithBoth(oldLayout, newLayout, item)
  const type = oldParsed && findType(newLayout, oldParsed.type.name)
  if (!oldParsed || !type) return []
  const values = { ...oldParsed.values, ...newValues }
  const [newItem, ...newSides] = itemsOfStoredRow(newLayout, type, values).map(sideItem => sideItem.item)
  const hasNewKey = keyJsonOf(oldLayout, item) !== keyJsonOf(newLayout, newItem!)
  if (hasNewKey && isAlreadyMoved(oldLayout, newLayout, item)) return []
  // The sentinel of an expired item may belong to another node by now, and DynamoDB deletes it otherwise.
  const canBeExpired = type.expires && type.expires === oldParsed.type.expires && !isLive(oldLayout, item, nowMs)
  const shouldWriteSide = (side: Item) =>
    !canBeExpired || ![oldLayout, newLayout].some(layout => isSentinel(layout, side))
  const [oldSides, newSideItems] = [existingSides ?? expectedSideItems(oldLayout, oldLayout, item, {}), newSides].map(
    sideItem => sideItem.filter(shouldWriteSide),
  )
  const sideWrites = planSideWrites(newLayout, oldSides!, newSideItems!, etag, isChained || hasNewKey, nowMs)
  const renaming = typeRenamingOf(oldLayout, newLayout, oldParsed.type, type)
  const droppedSlots = Object.keys(newValues).filter(slot => !newValues[slot])
  const obsoleteNames = [
    ...[
      ...renaming.vacatedNames,
      ...droppedSlots.map(slot => newLayout.names.attributeOf(type, slot)),
      ...staleMarkNamesOf(newLayout, item),
    ],
    ...[oldLayout.names.type, ...staleExpiryNames(oldLayout, newLayout, oldParsed.type, type)],
  ]
  for (const slot of type.kind === 'node' ? rankingCountersOf(type) : []) {
    const name = newLayout.names.attributeOf(type, slot)
    // Keep contributions that were counted since, or by an earlier run.
    newItem![name] ??= item[name] ?? { N: '0' }
  }
  if (etag) newItem![newLayout.names.etag] = etag
  if (renaming.hasSwappedNames) Object.assign(newItem!, movedMarkOf(newLayout))
  const ownWrites = planOwnItemWrites(oldLayout, newLayout, item, newItem!, obsoleteNames)
  if (ownWrites.length > 0 || sideWrites.length === 0) return [...ownWrites, ...sideWrites]
  // Side items are derived from the item as it was read, so it must be unchanged.
  return [
    {
      ConditionCheck: {
        TableName: tableNameOf(newLayout),
        Key: keyOfItem(newLayout.names, item),
        ...conditionAsRead(newLayout, item),
      },
    },
    ...sideWrites,
  ]
}

/** Returns the names of times to live that the new layout does not declare. Foreign ones are kept. */
function staleExpiryNames(
  { names: { expires } }: Layout,
  { names }: Layout,
  oldType: DeclaredType,
  newType: DeclaredType,
): string[] {
  const isForeignExpiry = names.configuredExpires && (oldType.expires ?? newType.expires) === newType.expires
  return [
    ...(isForeignExpiry ? [] : [names.expires]),
    ...(oldType.expires && expires !== names.expires ? [expires] : []),
  ]
}

const isSentinel = ({ kinds, names }: Layout, side: Item): boolean =>
  kinds.some(({ role, typeMark }) => role === 'unique' && typeMark === side[names.type]?.S)

const tableNameOf = ({ design }: Layout) => design.name

const keyJsonOf = (layout: Layout, item: Item) => JSON.stringify(keyOfItem(layout.names, item))

/**
 * Adds the condition that an item is unchanged. Copies and embedded entries change without a new etag, so they are
 * compared if they are among `set`.
 */
export function conditionAsRead(layout: Layout, item: Item, changedNames: readonly string[] = []) {
  const { etag, partition } = layout.names
  const type = findOwnKind(layout, item)?.type
  const copies = type?.kind === 'edge' ? type.carry.filter(({ sync }) => sync) : []
  const entries = Object.keys(type?.attributes ?? {}).filter(slot => type!.attributes[slot]!.kind === 'embedded')
  const comparedNames = [
    ...[etag, ...copies.map(({ copyName }) => layout.names.attributeOf(type!, copyName))],
    ...entries
      .map(slot => layout.names.attributeOf(type!, slot))
      .filter(name => changedNames.includes(name) && item[name]),
  ]
  const conditions = comparedNames.map((name, i) => (item[name] ? `#e${i} = :e${i}` : `attribute_not_exists(#e${i})`))
  const values = comparedNames.flatMap((name, i) => (item[name] ? [[`:e${i}`, item[name]] as const] : []))
  return {
    ConditionExpression: ['attribute_exists(#p)', ...conditions].join(' AND '),
    ExpressionAttributeNames: {
      '#p': partition,
      ...Object.fromEntries(comparedNames.map((name, i) => [`#e${i}`, name])),
    },
    ...(values.length > 0 && { ExpressionAttributeValues: Object.fromEntries(values) }),
  }
}

/** Whether all keys of an item are those of a layout. An item with other keys may not identify its tenant. */
function isFullyPlacedBy(layout: Layout, item: Item): boolean {
  const parsed = isPlacedBy(layout, item, 'its own') ? parseOwnItem(layout, item) : undefined
  if (!parsed) return false
  const [expected] = itemsOfStoredRow(layout, parsed.type, parsed.values)
  return Object.keys(layout.design.attributes).every(name => item[name]?.S === expected!.item[name]?.S)
}

/** Whether an item was already migrated, or written with the new layout. */
export const isAlreadyMoved = (oldLayout: Layout, newLayout: Layout, item: Item): boolean =>
  isKnownAsNew(oldLayout, newLayout, item) || (isFullyPlacedBy(newLayout, item) && !isFullyPlacedBy(oldLayout, item))

/** Plans the write of the own item, in place or at its new key. Attributes unknown to the layout are kept. */
function planOwnItemWrites(
  oldLayout: Layout,
  newLayout: Layout,
  item: Item,
  newItem: Item,
  obsoleteNames: readonly string[],
): TransactWriteItem[] {
  const table = tableNameOf(newLayout)
  const removedNames = [...new Set(obsoleteNames)].filter(name => name in item && !(name in newItem))
  if (keyJsonOf(oldLayout, item) !== keyJsonOf(newLayout, newItem)) {
    const remaining = Object.fromEntries(Object.entries(item).filter(([name]) => !obsoleteNames.includes(name)))
    const movedItem = { ...remaining, ...newItem }
    return [
      {
        Delete: {
          TableName: table,
          Key: keyOfItem(oldLayout.names, item),
          ...conditionAsRead(newLayout, item),
        },
      },
      {
        Put: {
          TableName: table,
          // Under the old layout, the item could be mistaken for another one that is still to be moved.
          Item: { ...movedItem, ...(isPlacedBy(oldLayout, movedItem, 'its own') && movedMarkOf(newLayout)) },
          ConditionExpression: 'attribute_not_exists(#p)',
          ExpressionAttributeNames: { '#p': newLayout.names.partition },
        },
      },
    ]
  }
  const changedEntries = Object.entries(newItem).filter(
    ([name, value]) => JSON.stringify(item[name]) !== JSON.stringify(value),
  )
  if (changedEntries.length + removedNames.length === 0) return []
  const { ExpressionAttributeNames, ExpressionAttributeValues, ConditionExpression } = conditionAsRead(
    newLayout,
    item,
    changedEntries.map(([name]) => name),
  )
  const names = Object.fromEntries(
    [...changedEntries.map(([name]) => name), ...removedNames].map((name, i) => [`#n${i}`, name]),
  )
  const values = Object.fromEntries(changedEntries.map(([, value], i) => [`:v${i}`, value]))
  // An attribute that was added under the same etag is derived and newer, so keep it.
  const valueText = (name: string, i: number) => (name in item ? `:v${i}` : `if_not_exists(#n${i}, :v${i})`)
  const setText = changedEntries.map(([name], i) => `#n${i} = ${valueText(name, i)}`).join(', ')
  const removeText = removedNames.map((_, i) => `#n${changedEntries.length + i}`).join(', ')
  return [
    {
      Update: {
        TableName: table,
        Key: keyOfItem(newLayout.names, item),
        UpdateExpression: `${setText && `SET ${setText}`} ${removeText && `REMOVE ${removeText}`}`.trim(),
        ConditionExpression,
        ExpressionAttributeNames: { ...ExpressionAttributeNames, ...names },
        ...((ExpressionAttributeValues || changedEntries.length > 0) && {
          ExpressionAttributeValues: { ...ExpressionAttributeValues, ...values },
        }),
      },
    },
  ]
}
