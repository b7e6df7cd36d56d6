import { isInPlace, kindsUnder } from '../derive/sides.js'
import type { AttributeValue, Item, Key } from '../dynamodb/attribute-value.js'
import type { TransactWriteItem } from '../dynamodb/operations/transactions.js'
import { rankedBy } from '../layout/derived.js'
import { itemsOfFact } from '../layout/items.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { isOwnItem } from '../layout/own-items.js'
import { type DeclaredType, endsInOrder, identityOf, idSlots, storedSlots } from '../layout/slots.js'
import type { KeyValues } from '../layout/template-encode.js'
import { keyOf, ownKind } from '../plan/identity.js'
import { isLive, rowOf, valuesOf } from '../plan/row.js'
import type { DeclaredAttribute, DeclaredNode } from '../schema/declared.js'
import { valuesRenamed } from './backfill-members.js'
import { isMarked, isTypedBy, markOf, renamingOf, staleMark } from './backfill-names.js'
import { sideParts } from './backfill-sides.js'
import { computedOf } from './computed.js'

type Values = Readonly<Record<string, AttributeValue>>

/**
 * The kind of a node's or an edge's own item: by its mark, or where others wrote it without one that is a text, by its
 * keys, if no other kind has such and nothing of what it must have is missing.
 */
function kindOf(layout: Layout, item: Item): Kind | undefined {
  const { kinds, names } = layout
  const mark = item[names.type]?.S
  const isTyped = mark !== undefined
  const isTold = isTyped || isOwnItem(layout, item)
  const [kind, other] = isTold ? kinds.filter(each => each.mark === mark) : kindsUnder(layout, kinds, item)
  if (!kind || other || (kind.role !== 'node' && kind.role !== 'edge')) return undefined
  return isTyped || isWhole(layout, kind, item) ? kind : undefined
}

function isWhole(layout: Layout, kind: Kind, item: Item): boolean {
  const { type } = kind
  const values = valuesOf(layout, kind, item)
  const isOptional = ({ optional, derived }: DeclaredAttribute) => optional || derived
  return storedSlots(type).every(slot => values[slot] || (type.attributes[slot] && isOptional(type.attributes[slot])))
}

export function typeIn({ graph }: Layout, name: string): DeclaredType | undefined {
  const { nodes, edges } = graph.declared
  return [...nodes, ...edges].find(type => type.name === name)
}

/**
 * Whether an item has the mark of a kind, and lies where neither layout has what it says: raw keys tell nothing, and
 * others may keep another version of theirs under the same mark. It is not of this graph.
 */
export function isStray(before: Layout, after: Layout, item: Item): boolean {
  return isFound(before, item) === false && !isFound(after, item)
}

/**
 * Whether an item lies where the new layout has it and the one before does not, or is known to be of the new one. Those
 * who know only the other do not find it, and may since have written or deleted what is the same to them, with what lies
 * beside both.
 */
export const isApart = (before: Layout, after: Layout, item: Item): boolean =>
  isMarked(before, after, item) || (isFound(after, item, 'its own') === true && !isFound(before, item, 'its own'))

function isFound(layout: Layout, item: Item, shard?: 'its own'): boolean | undefined {
  const kind = kindOf(layout, item)
  return kind && isInPlace(layout, kind, item, shard)
}

/**
 * What an item says under a layout; undefined where it is not of it, is there only for others, or does not tell who it is,
 * as where its key is written otherwise.
 */
export function read(layout: Layout, item: Item): { readonly type: DeclaredType; readonly values: Values } | undefined {
  const kind = kindOf(layout, item)
  if (!kind) return undefined
  try {
    const values = valuesOf(layout, kind, item)
    return identityOf(kind.type).every(slot => values[slot]) ? { type: kind.type, values } : undefined
  } catch {
    return undefined
  }
}

/**
 * Whether an item is a node or an edge of either. What lies beside one of the layout before may have the keys of one that
 * the new layout would have there: the mark that only that one has tells.
 */
export function isOwn(before: Layout, after: Layout, item: Item): boolean {
  return Boolean(read(before, item) ?? (isTypedBy(before, after, item) ? undefined : read(after, item)))
}

/** Whether an item is to be read by one of two layouts, where it could be by either. */
export const isReadBy = ([before, after]: readonly [Layout, Layout], layout: Layout, item: Item): boolean =>
  !isTangled(before, after, item) || isMarked(before, after, item) === (layout === after)

function isTangled(before: Layout, after: Layout, item: Item): boolean {
  const was = read(before, item)
  const type = was && typeIn(after, was.type.name)
  return type !== undefined && renamingOf(before, after, was!.type, type).isTangled
}

/** Whether an item of the new layout would be taken for one of the layout before, and turned into another. */
export const isAlike = (before: Layout, after: Layout, item: Item): boolean =>
  isFound(after, item, 'its own') === true && (isTangled(before, after, item) || isToMove(before, after, item))

/** A node's id, as calls have it. */
export function idOf(layout: Layout, type: DeclaredNode, item: Item): unknown {
  const row = rowOf(layout, ownKind(layout, type), item)
  return idSlots(type).length === 1 ? row[type.id[0]!] : row
}

/**
 * What an item says under the layout before; where it was written under the new one since, what that says. What the new
 * one does not know of is left out.
 */
export function readBoth(before: Layout, after: Layout, item: Item): ReturnType<typeof read> {
  if (isMarked(before, after, item)) return read(after, item)
  const was = read(before, item)
  const type = was && typeIn(after, was.type.name)
  if (!type) return was
  const { dropped, free } = renamingOf(before, after, was.type, type)
  const known = Object.fromEntries(Object.entries(was.values).filter(([slot]) => !dropped.includes(slot)))
  const values = valuesRenamed(was.type, type, known)
  for (const [slot, name] of free) if (item[name]) values[slot] = item[name]
  return { type: was.type, values: inOrder(after, type, values) }
}

/** An undirected edge lies under the lesser of its ends, which one that was directed need not; beside a mirror it is found under either. */
function inOrder({ kinds }: Layout, type: DeclaredType, values: Record<string, AttributeValue>): Values {
  const hasMirror = kinds.some(kind => kind.type === type && kind.role === 'mirror')
  return hasMirror ? values : endsInOrder(type, values)
}

/** What is computed of an item and of what it is to copy from others, under the new layout. */
export function computedIn(before: Layout, after: Layout, item: Item, carried: KeyValues): KeyValues {
  const was = readBoth(before, after, item)
  const type = was && typeIn(after, was.type.name)
  return type ? computedOf(after, type, { ...was.values, ...carried }) : {}
}

/** What lies beside an item under a layout: mirrors, facets, sentinels. */
export function sidesOf(before: Layout, after: Layout, item: Item, carried: KeyValues): Item[] {
  const was = readBoth(before, after, item)
  const type = was && typeIn(after, was.type.name)
  return type
    ? itemsOfFact(after, type, { ...was.values, ...carried })
        .slice(1)
        .map(each => each.item)
    : []
}

/** What is known when an item is brought up. */
export interface Found {
  readonly item: Item
  /** What it is to copy from others, and what is computed of it; undefined what it is to have no more. */
  readonly carried: KeyValues
  /** What lies beside it already, where the layout before does not tell. */
  readonly there?: readonly Item[] | undefined
  /** What it is to have as its etag, where others are to see that it changed. */
  readonly etag?: AttributeValue | undefined
  /** The time, for what has expired; without it nothing has. */
  readonly nowMs?: number | undefined
}

/**
 * The writes that bring items, and all that lies beside them, from one layout to another. Where one belongs in the place
 * of another that is still to be moved, they are brought up together.
 */
export function moved(before: Layout, after: Layout, items: readonly Found[]): TransactWriteItem[] {
  const parts = items.flatMap(found => movedParts(before, after, found, items.length > 1))
  const puts = new Map(parts.flatMap(part => (part.Put ? [[keyText(after, part.Put.Item), part.Put] as const] : [])))
  const deletes = new Map(parts.flatMap(part => (part.Delete ? [[keyText(after, part.Delete.Key), part.Delete]] : [])))
  return parts.flatMap((part): TransactWriteItem[] => {
    if (part.Delete) return puts.has(keyText(after, part.Delete.Key)) ? [] : [part]
    const gone = part.Put && deletes.get(keyText(after, part.Put.Item))
    if (!gone) return [part]
    // What is put in the place of what goes is held to what that is held to.
    const { Key: _, ...held } = gone
    return [{ Put: { ...held, Item: part.Put!.Item } }]
  })
}

/** Whether an item of the layout before belongs elsewhere. */
export function isToMove(before: Layout, after: Layout, item: Item): boolean {
  const place = placeOf(before, after, item)
  return place !== undefined && keyText(before, item) !== keyText(after, place) && !isMoved(before, after, item)
}

/** The key under which an item of the layout before belongs. */
export function placeOf(before: Layout, after: Layout, item: Item): Key | undefined {
  const was = readBoth(before, after, item)
  const type = was && typeIn(after, was.type.name)
  return type && keyOf(after.names, itemsOfFact(after, type, was.values)[0]!.item)
}

function movedParts(
  before: Layout,
  after: Layout,
  { item, carried, there, etag = item[after.names.etag], nowMs }: Found,
  isCrowded: boolean,
): TransactWriteItem[] {
  const was = readBoth(before, after, item)
  const type = was && typeIn(after, was.type.name)
  if (!was || !type) return []
  const values = { ...was.values, ...carried }
  const [own, ...all] = itemsOfFact(after, type, values).map(each => each.item)
  const isElsewhere = keyText(before, item) !== keyText(after, own!)
  if (isElsewhere && isMoved(before, after, item)) return []
  // The sentinel of what has expired may be another's by now, and goes by itself.
  const isOver = type.expires && type.expires === was.type.expires && !isLive(before, item, nowMs)
  const isIts = (side: Item) => !isOver || ![before, after].some(layout => isSentinel(layout, side))
  const [old, sides] = [there ?? sidesOf(before, before, item, {}), all].map(each => each.filter(isIts))
  const beside = sideParts(after, old!, sides!, etag, isCrowded || isElsewhere, nowMs)
  const renaming = renamingOf(before, after, was.type, type)
  const uncarried = Object.keys(carried).filter(slot => !carried[slot])
  const left = [
    ...[...renaming.left, ...uncarried.map(slot => after.names.of(type, slot)), ...staleMark(after, item)],
    ...[before.names.type, ...timesLeft(before, after, was.type, type)],
  ]
  for (const slot of type.kind === 'node' ? rankedBy(type) : []) {
    const name = after.names.of(type, slot)
    // What was counted since, or by the same call before, stays.
    own![name] ??= item[name] ?? { N: '0' }
  }
  if (etag) own![after.names.etag] = etag
  if (renaming.isTangled) Object.assign(own!, markOf(after))
  const parts = ownParts(before, after, item, own!, left)
  if (parts.length > 0 || beside.length === 0) return [...parts, ...beside]
  // What lies beside follows from the item as it was read: it must still be so.
  return [
    { ConditionCheck: { TableName: TableName(after), Key: keyOf(after.names, item), ...asRead(after, item) } },
    ...beside,
  ]
}

/** Where there may be a time to expire that is not of the new layout. One that others may have written stays. */
function timesLeft({ names: { expires } }: Layout, { names }: Layout, was: DeclaredType, is: DeclaredType): string[] {
  const isOthers = names.timed && (was.expires ?? is.expires) === is.expires
  return [...(isOthers ? [] : [names.expires]), ...(was.expires && expires !== names.expires ? [expires] : [])]
}

const isSentinel = ({ kinds, names }: Layout, side: Item): boolean =>
  kinds.some(({ role, mark }) => role === 'unique' && mark === side[names.type]?.S)

const TableName = ({ design }: Layout) => design.name

const keyText = (layout: Layout, item: Item) => JSON.stringify(keyOf(layout.names, item))

/**
 * The condition that an item is as it was read. What the stream has copied to an edge changes without its etag, and so do
 * the entries of a node, which matter where they are among what is to be `set`.
 */
export function asRead(layout: Layout, item: Item, set: readonly string[] = []) {
  const { etag, partition } = layout.names
  const type = kindOf(layout, item)?.type
  const copies = type?.kind === 'edge' ? type.carry.filter(({ sync }) => sync) : []
  const entries = Object.keys(type?.attributes ?? {}).filter(slot => type!.attributes[slot]!.kind === 'embedded')
  const held = [
    ...[etag, ...copies.map(({ as }) => layout.names.of(type!, as))],
    ...entries.map(slot => layout.names.of(type!, slot)).filter(name => set.includes(name) && item[name]),
  ]
  const conditions = held.map((name, i) => (item[name] ? `#e${i} = :e${i}` : `attribute_not_exists(#e${i})`))
  const values = held.flatMap((name, i) => (item[name] ? [[`:e${i}`, item[name]] as const] : []))
  return {
    ConditionExpression: ['attribute_exists(#p)', ...conditions].join(' AND '),
    ExpressionAttributeNames: { '#p': partition, ...Object.fromEntries(held.map((name, i) => [`#e${i}`, name])) },
    ...(values.length > 0 && { ExpressionAttributeValues: Object.fromEntries(values) }),
  }
}

/** Whether an item is where a layout has it, with all its keys. One of other keys may not say of which tenant it is. */
function isAt(layout: Layout, item: Item): boolean {
  const found = isFound(layout, item, 'its own') ? read(layout, item) : undefined
  if (!found) return false
  const [own] = itemsOfFact(layout, found.type, found.values)
  return Object.keys(layout.design.attributes).every(name => item[name]?.S === own!.item[name]?.S)
}

/** Whether it was met again after it was moved, or was written by those who know the new layout. */
export const isMoved = (before: Layout, after: Layout, item: Item): boolean =>
  isMarked(before, after, item) || (isAt(after, item) && !isAt(before, item))

/** The own item: changed where it is, or moved to its new key. What the layout does not know of stays. */
function ownParts(before: Layout, after: Layout, item: Item, own: Item, left: readonly string[]): TransactWriteItem[] {
  const table = TableName(after)
  const gone = [...new Set(left)].filter(name => name in item && !(name in own))
  if (keyText(before, item) !== keyText(after, own)) {
    const rest = Object.fromEntries(Object.entries(item).filter(([name]) => !left.includes(name)))
    const put = { ...rest, ...own }
    return [
      {
        Delete: {
          TableName: table,
          Key: keyOf(before.names, item),
          ...asRead(after, item),
        },
      },
      {
        Put: {
          TableName: table,
          // Read under the layout before, it could be taken for another that is still to be moved.
          Item: { ...put, ...(isFound(before, put, 'its own') && markOf(after)) },
          ConditionExpression: 'attribute_not_exists(#p)',
          ExpressionAttributeNames: { '#p': after.names.partition },
        },
      },
    ]
  }
  const set = Object.entries(own).filter(([name, value]) => JSON.stringify(item[name]) !== JSON.stringify(value))
  if (set.length + gone.length === 0) return []
  const { ExpressionAttributeNames, ExpressionAttributeValues, ConditionExpression } = asRead(
    after,
    item,
    set.map(([name]) => name),
  )
  const names = Object.fromEntries([...set.map(([name]) => name), ...gone].map((name, i) => [`#n${i}`, name]))
  const values = Object.fromEntries(set.map(([, value], i) => [`:v${i}`, value]))
  // What came to an item under the same etag is derived, and newer than this.
  const valueText = (name: string, i: number) => (name in item ? `:v${i}` : `if_not_exists(#n${i}, :v${i})`)
  const setText = set.map(([name], i) => `#n${i} = ${valueText(name, i)}`).join(', ')
  const removeText = gone.map((_, i) => `#n${set.length + i}`).join(', ')
  return [
    {
      Update: {
        TableName: table,
        Key: keyOf(after.names, item),
        UpdateExpression: `${setText && `SET ${setText}`} ${removeText && `REMOVE ${removeText}`}`.trim(),
        ConditionExpression,
        ExpressionAttributeNames: { ...ExpressionAttributeNames, ...names },
        ...((ExpressionAttributeValues || set.length > 0) && {
          ExpressionAttributeValues: { ...ExpressionAttributeValues, ...values },
        }),
      },
    },
  ]
}
