import type { AttributeValue, Item } from '../dynamodb/attribute-value.js'
import type { TransactWriteItem } from '../dynamodb/operations/transactions.js'
import type { Layout } from '../layout/layout.js'
import type { DeclaredType } from '../layout/slots.js'
import { keyOf, keyText } from '../plan/identity.js'
import { WriteExpression } from '../plan/write-expression.js'
import type { DeclaredEdge } from '../schema/declared.js'
import { keptByStream } from '../schema/kept-by-stream.js'

/** Mirrors, facets and sentinels: those that are no more go, the others are written. */
export function sideParts(
  layout: Layout,
  old: readonly Item[],
  now: readonly Item[],
  etag: AttributeValue | undefined,
  isAnew: boolean,
  nowMs: number | undefined,
): TransactWriteItem[] {
  const table = layout.design.name
  const kept = new Map(now.map(item => [keyText(layout, item), item]))
  const before = new Map(old.map(item => [keyText(layout, item), item]))
  const gone = [...before].filter(([key]) => !kept.has(key))
  const isThere = (key: string) => JSON.stringify(before.get(key)) === JSON.stringify(kept.get(key))
  const kindIn = (item: Item) => layout.kinds.find(kind => kind.mark === item[layout.names.type]?.S)!
  // Nobody who knows only the new layout has kept what lies beside an item that is not moved yet.
  const fresh = [...kept].filter(([key, item]) => (isAnew && kindIn(item).role !== 'unique') || !isThere(key))
  return [
    ...gone.map(([, item]) => ({ Delete: { TableName: table, Key: keyOf(layout.names, item) } })),
    ...fresh.map(([key, item]) => {
      const { role, type } = kindIn(item)
      const Item = role === 'mirror' && etag ? { ...item, [layout.names.etag]: etag } : item
      // In the place of another item, nothing of it stays.
      if (role === 'mirror' && type.kind === 'edge' && keptByStream(type) && (!isAnew || isThere(key)))
        return { Update: mirrorUpdate(layout, type, Item, before.get(key)) }
      if (role === 'unique') return sentinelPut(layout, type, item, before.get(key), nowMs)
      return { Put: { TableName: table, Item } }
    }),
  ]
}

/** The stored names of the copies of what never changes. */
export const fixedCopies = ({ names }: Layout, type: DeclaredType): string[] =>
  type.kind === 'edge' ? type.carry.filter(({ sync }) => !sync).map(({ as }) => names.of(type, as)) : []

/** The name of the time at which an item expires, where nobody else writes it. */
export const ownTimes = ({ names }: Layout): string[] => (names.timed ? [] : [names.expires])

/** What the stream keeps on a mirror stays: nobody would count it again under the same etag. */
function mirrorUpdate(
  layout: Layout,
  type: DeclaredEdge,
  item: Item,
  old: Item = {},
): NonNullable<TransactWriteItem['Update']> {
  const expression = new WriteExpression()
  const Key = keyOf(layout.names, item)
  for (const name in item) if (!(name in Key)) expression.set(expression.name(name), item[name]!)
  const left = new Set([...Object.keys(old), ...fixedCopies(layout, type), ...ownTimes(layout)])
  for (const name of left) if (!(name in item)) expression.set(expression.name(name), undefined)
  return expression.into({ TableName: layout.design.name, Key }) as unknown as NonNullable<TransactWriteItem['Update']>
}

/**
 * A sentinel is put where there is none, or where it is this one's already, by the names of either layout. One that has
 * expired is nobody's.
 */
function sentinelPut(
  layout: Layout,
  { expires }: DeclaredType,
  item: Item,
  old: Item | undefined,
  nowMs: number | undefined,
): TransactWriteItem {
  const { names, design } = layout
  const others = [...names.keys, names.type, names.expires]
  const ownerOf = (each: Item) => Object.entries(each).filter(([name]) => !others.includes(name))
  const owners = [item, ...(old ? [old] : [])].map(ownerOf)
  const expression = new WriteExpression()
  const sameAs = (owner: ReturnType<typeof ownerOf>) =>
    owner.length > 0 ? [`(${owner.map(([name, value]) => expression.equals(name, value)).join(' AND ')})`] : []
  const isTimed = expires !== undefined && nowMs !== undefined
  // One that does not say whose it is was this one's, by its key.
  if (!old || ownerOf(old).length > 0)
    expression.where(expression.free(names, isTimed, Math.floor((nowMs ?? 0) / 1000)), ...owners.flatMap(sameAs))
  const put = expression.into({ TableName: design.name, Item: item })
  return { Put: put as unknown as NonNullable<TransactWriteItem['Put']> }
}
