import { findKindsByKeys, isAtExpectedKey } from '../../derive/settle/side-items.js'
import type { AttributeValue, Item, Key } from '../../dynamodb/attribute-value.js'
import type { TransactWriteItem } from '../../dynamodb/operations/transactions.js'
import { rankingCountersOf } from '../../layout/items/derived-values.js'
import { isInternalItem } from '../../layout/items/internal-items.js'
import { itemsOfStoredRow } from '../../layout/items/items.js'
import type { KeySlotValues } from '../../layout/keys/encode-template.js'
import type { Kind } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import { type DeclaredType, identitySlotsOf, idSlots, normalizeEnds, storedSlots } from '../../layout/slots.js'
import { keyOfItem, ownKindOf } from '../../plan/identity.js'
import { isLive, rowOf, valuesOf } from '../../plan/row.js'
import type { DeclaredAttribute, DeclaredNode } from '../../schema/declarations.js'
import { computeValues } from '../computed-values.js'
import { renameMembersInValues } from './rename-members.js'
import { isKnownAsNew, isTypedOnlyBy, movedMarkOf, staleMarkNamesOf, typeRenamingOf } from './renames.js'
import { planSideWrites } from './side-writes.js'

type Values = Readonly<Record<string, AttributeValue>>

/**
 * The kind of a node's or an edge's own item: by its mark, or where others wrote it without one that is a text, by its
 * keys, if no other kind has such and nothing of what it must have is missing.
 */
function findOwnKind(layout: Layout, item: Item): Kind | undefined {
  const { kinds, names } = layout
  const mark = item[names.type]?.S
  const isTyped = mark !== undefined
  const isMarked = isTyped || isInternalItem(layout, item)
  const [kind, secondKind] = isMarked
    ? kinds.filter(candidate => candidate.typeMark === mark)
    : findKindsByKeys(layout, kinds, item)
  if (!kind || secondKind || (kind.role !== 'node' && kind.role !== 'edge')) return undefined
  return isTyped || hasRequiredValues(layout, kind, item) ? kind : undefined
}

function hasRequiredValues(layout: Layout, kind: Kind, item: Item): boolean {
  const { type } = kind
  const values = valuesOf(layout, kind, item)
  const isOptional = ({ optional, derived }: DeclaredAttribute) => optional || derived
  return storedSlots(type).every(slot => values[slot] || (type.attributes[slot] && isOptional(type.attributes[slot])))
}

export function findType({ graph }: Layout, name: string): DeclaredType | undefined {
  const { nodes, edges } = graph.declared
  return [...nodes, ...edges].find(type => type.name === name)
}

/**
 * Whether an item has the mark of a kind, and lies where neither layout has what it says: raw keys tell nothing, and
 * others may keep another version of theirs under the same mark. It is not of this graph.
 */
export function isMisplaced(oldLayout: Layout, newLayout: Layout, item: Item): boolean {
  return isPlacedBy(oldLayout, item) === false && !isPlacedBy(newLayout, item)
}

/**
 * Whether an item lies where the new layout has it and the one before does not, or is known to be of the new one. Those
 * who know only the other do not find it, and may since have written or deleted what is the same to them, with what lies
 * beside both.
 */
export const isOnlyInNewLayout = (oldLayout: Layout, newLayout: Layout, item: Item): boolean =>
  isKnownAsNew(oldLayout, newLayout, item) ||
  (isPlacedBy(newLayout, item, 'its own') === true && !isPlacedBy(oldLayout, item, 'its own'))

function isPlacedBy(layout: Layout, item: Item, shard?: 'its own'): boolean | undefined {
  const kind = findOwnKind(layout, item)
  return kind && isAtExpectedKey(layout, kind, item, shard)
}

/**
 * What an item says under a layout; undefined where it is not of it, is there only for others, or does not tell who it is,
 * as where its key is written otherwise.
 */
export function parseOwnItem(
  layout: Layout,
  item: Item,
): { readonly type: DeclaredType; readonly values: Values } | undefined {
  const kind = findOwnKind(layout, item)
  if (!kind) return undefined
  try {
    const values = valuesOf(layout, kind, item)
    return identitySlotsOf(kind.type).every(slot => values[slot]) ? { type: kind.type, values } : undefined
  } catch {
    return undefined
  }
}

/**
 * Whether an item is a node or an edge of either. What lies beside one of the layout before may have the keys of one that
 * the new layout would have there: the mark that only that one has tells.
 */
export function isNodeOrEdge(oldLayout: Layout, newLayout: Layout, item: Item): boolean {
  return Boolean(
    parseOwnItem(oldLayout, item) ??
      (isTypedOnlyBy(oldLayout, newLayout, item) ? undefined : parseOwnItem(newLayout, item)),
  )
}

/** Whether an item is to be read by one of two layouts, where it could be by either. */
export const shouldParseWith = (
  [oldLayout, newLayout]: readonly [Layout, Layout],
  layout: Layout,
  item: Item,
): boolean =>
  !hasSwappedNames(oldLayout, newLayout, item) || isKnownAsNew(oldLayout, newLayout, item) === (layout === newLayout)

function hasSwappedNames(oldLayout: Layout, newLayout: Layout, item: Item): boolean {
  const oldParsed = parseOwnItem(oldLayout, item)
  const type = oldParsed && findType(newLayout, oldParsed.type.name)
  return type !== undefined && typeRenamingOf(oldLayout, newLayout, oldParsed!.type, type).hasSwappedNames
}

/** Whether an item of the new layout would be taken for one of the layout before, and turned into another. */
export const isMistakableForOld = (oldLayout: Layout, newLayout: Layout, item: Item): boolean =>
  isPlacedBy(newLayout, item, 'its own') === true &&
  (hasSwappedNames(oldLayout, newLayout, item) || shouldMove(oldLayout, newLayout, item))

/** A node's id, as calls have it. */
export function nodeIdOf(layout: Layout, type: DeclaredNode, item: Item): unknown {
  const row = rowOf(layout, ownKindOf(layout, type), item)
  return idSlots(type).length === 1 ? row[type.id[0]!] : row
}

/**
 * What an item says under the layout before; where it was written under the new one since, what that says. What the new
 * one does not know of is left out.
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

/** An undirected edge lies under the lesser of its ends, which one that was directed need not; beside a mirror it is found under either. */
function orderEnds({ kinds }: Layout, type: DeclaredType, values: Record<string, AttributeValue>): Values {
  const hasMirror = kinds.some(kind => kind.type === type && kind.role === 'mirror')
  return hasMirror ? values : normalizeEnds(type, values)
}

/** What is computed of an item and of what it is to copy from others, under the new layout. */
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

/** What lies beside an item under a layout: mirrors, facets, sentinels. */
export function expectedSideItems(oldLayout: Layout, newLayout: Layout, item: Item, newValues: KeySlotValues): Item[] {
  const oldParsed = parseWithBoth(oldLayout, newLayout, item)
  const type = oldParsed && findType(newLayout, oldParsed.type.name)
  return type
    ? itemsOfStoredRow(newLayout, type, { ...oldParsed.values, ...newValues })
        .slice(1)
        .map(sideItem => sideItem.item)
    : []
}

/** What is known when an item is brought up. */
export interface ItemMove {
  readonly item: Item
  /** What it is to copy from others, and what is computed of it; undefined what it is to have no more. */
  readonly newValues: KeySlotValues
  /** What lies beside it already, where the layout before does not tell. */
  readonly existingSides?: readonly Item[] | undefined
  /** What it is to have as its etag, where others are to see that it changed. */
  readonly etag?: AttributeValue | undefined
  /** The time, for what has expired; without it nothing has. */
  readonly nowMs?: number | undefined
}

/**
 * The writes that bring items, and all that lies beside them, from one layout to another. Where one belongs in the place
 * of another that is still to be moved, they are brought up together.
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
    // What is put in the place of what goes is held to what that is held to.
    const { Key: _, ...held } = replacedDelete
    return [{ Put: { ...held, Item: write.Put!.Item } }]
  })
}

/** Whether an item of the layout before belongs elsewhere. */
export function shouldMove(oldLayout: Layout, newLayout: Layout, item: Item): boolean {
  const newKey = newKeyOf(oldLayout, newLayout, item)
  return (
    newKey !== undefined &&
    keyJsonOf(oldLayout, item) !== keyJsonOf(newLayout, newKey) &&
    !isAlreadyMoved(oldLayout, newLayout, item)
  )
}

/** The key under which an item of the layout before belongs. */
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
  // The sentinel of what has expired may be another's by now, and goes by itself.
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
    // What was counted since, or by the same call before, stays.
    newItem![name] ??= item[name] ?? { N: '0' }
  }
  if (etag) newItem![newLayout.names.etag] = etag
  if (renaming.hasSwappedNames) Object.assign(newItem!, movedMarkOf(newLayout))
  const ownWrites = planOwnItemWrites(oldLayout, newLayout, item, newItem!, obsoleteNames)
  if (ownWrites.length > 0 || sideWrites.length === 0) return [...ownWrites, ...sideWrites]
  // What lies beside follows from the item as it was read: it must still be so.
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

/** Where there may be a time to expire that is not of the new layout. One that others may have written stays. */
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
 * The condition that an item is as it was read. What the stream has copied to an edge changes without its etag, and so do
 * the entries of a node, which matter where they are among what is to be `set`.
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

/** Whether an item is where a layout has it, with all its keys. One of other keys may not say of which tenant it is. */
function isFullyPlacedBy(layout: Layout, item: Item): boolean {
  const parsed = isPlacedBy(layout, item, 'its own') ? parseOwnItem(layout, item) : undefined
  if (!parsed) return false
  const [expected] = itemsOfStoredRow(layout, parsed.type, parsed.values)
  return Object.keys(layout.design.attributes).every(name => item[name]?.S === expected!.item[name]?.S)
}

/** Whether it was met again after it was moved, or was written by those who know the new layout. */
export const isAlreadyMoved = (oldLayout: Layout, newLayout: Layout, item: Item): boolean =>
  isKnownAsNew(oldLayout, newLayout, item) || (isFullyPlacedBy(newLayout, item) && !isFullyPlacedBy(oldLayout, item))

/** The own item: changed where it is, or moved to its new key. What the layout does not know of stays. */
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
          // Read under the layout before, it could be taken for another that is still to be moved.
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
  // What came to an item under the same etag is derived, and newer than this.
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
