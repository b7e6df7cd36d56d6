import { act, type Deriving, fresh, itemsAt, textOf, transact } from '../derive/deriving.js'
import { beyond, copy, edgeAt, settleEdge } from '../derive/edge.js'
import { settleNode } from '../derive/node.js'
import type { Seen } from '../derive/sides.js'
import type { AttributeValue, Item, Key } from '../dynamodb/attribute-value.js'
import { itemsOfFact, type KindItem } from '../layout/items.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { identityOf, referenceSlots, SHARD_SLOT } from '../layout/slots.js'
import { storeItem } from '../layout/store-item.js'
import { decode, encode, type KeyValues } from '../layout/template-encode.js'
import { asRead } from '../plan/change-own.js'
import { endOf } from '../plan/change-part.js'
import { sameValue } from '../plan/change-values.js'
import { keyOf, ownKind } from '../plan/identity.js'
import type { Slots } from '../plan/plan.js'
import { isLive, valuesOf } from '../plan/row.js'
import type { DeclaredEdge, DeclaredEnd } from '../schema/declared.js'
import { keptByStream } from '../schema/kept-by-stream.js'
import { moved, read } from './backfill-item.js'
import { ownTimes } from './backfill-sides.js'
import { computedOf } from './computed.js'
import { type Fault, rowIn } from './fault.js'
import { isFollowed, ownerOf } from './inspect-orphan.js'
import { isGraphError } from './rows/graph-error.js'
import { isOwned, isUnowned, takeSentinel } from './unowned.js'
import { unreadable } from './unreadable.js'

/** What is computed, where the item has something else: others wrote it, or it is computed otherwise since. */
export function staleComputed(deriving: Deriving, kind: Kind, item: Item): Fault[] {
  const { layout } = deriving.context
  const { type } = kind
  const about = () => ({ type: type.name, row: rowIn(layout, kind, item) })
  try {
    const expected = Object.entries(computedOf(layout, type, valuesOf(layout, kind, item)))
    const found = (name: string) => item[layout.names.of(type, name)]
    const stale = expected.filter(([name, value]) => !sameValue(value, found(name)))
    const mend = async () => {
      await setValues(deriving, item, Object.fromEntries(stale), { S: fresh(deriving) })
      if (type.kind === 'node') await settleNode(deriving, { item, type, copies: true, counts: false })
    }
    return stale.map(([name, value]) => ({
      ...about(),
      code: 'computed.stale',
      name,
      expected: value,
      found: found(name),
      mend,
    }))
  } catch (error) {
    if (!isGraphError(error)) throw error
    return [{ ...about(), code: 'item.unreadable', name: error.details.path, found: item }]
  }
}

/** The mark of its type, where others wrote it without, or as no text: what nothing but an item of this type can be gets it. */
export function missingMark(deriving: Deriving, kind: Kind, item: Item): Fault[] {
  const { layout } = deriving.context
  const { type: name } = layout.names
  if (item[name]?.S !== undefined || !read(layout, item)) return []
  const about = { type: kind.type.name, row: rowIn(layout, kind, item), name, expected: { S: kind.mark } }
  return [{ ...about, code: 'mark.missing', mend: () => setValues(deriving, item, {}) }]
}

/** Keys of indexes, and the time at which it expires, that are not what the item says. */
export function staleKeys(deriving: Deriving, { kind, item, values }: Seen): Fault[] {
  const { layout } = deriving.context
  const { names } = layout
  const expected = storeItem(kind, names, values)
  // Where others give times, it is theirs without a date of ours.
  const isOurs = !names.timed || (kind.type.expires !== undefined && expected[names.expires])
  // What an index has as it is, beside the key that tells it too, others may have left out.
  const others = [names.type, ...names.keys]
  const told = Object.keys(layout.design.attributes).filter(name => !others.includes(name) && expected[name])
  const keys = new Set([...Object.keys(kind.needs), ...told, ...(isOurs ? [names.expires] : [])])
  const stale = [...keys].filter(name => !isRight(kind, name, expected[name], item[name]))
  const mend = () => {
    const part = act('Update', keyOf(names, item))
    const { expression } = part
    asRead(names, expression, item)
    // Copies change without the etag, and keys may be made of them.
    for (const { as } of kind.type.kind === 'edge' ? kind.type.carry : []) {
      const name = names.of(kind.type, as)
      expression.where(expression.is(name, item[name]))
    }
    for (const name of stale) expression.set(expression.name(name), expected[name])
    return transact(deriving, [part])
  }
  return stale.slice(0, 1).map(name => ({
    code: 'index.stale',
    type: kind.type.name,
    row: rowIn(layout, kind, item),
    name,
    expected: expected[name],
    found: item[name],
    mend,
  }))
}

/** Whether a key, or another value, is as expected: reads look in all shards, so that an entry is right in any of them. */
function isRight(
  { keys, shards }: Kind,
  name: string,
  expected: AttributeValue | undefined,
  found: AttributeValue | undefined,
): boolean {
  if (sameValue(expected, found)) return true
  const template = keys[name]
  // Raw keys tell nothing.
  if (!shards[name] || !expected?.S || template?.mode !== 'encoded') return false
  const values = decode(template, expected.S)
  const inShard = (shard: number) => encode(template, { ...values, [SHARD_SLOT]: { S: String(shard) } })
  return Array.from({ length: shards[name] }, (_, shard) => inShard(shard)).includes(found?.S ?? '')
}

/** Mirrors, facets and sentinels that a node or an edge should have, and does not. */
export async function missingSides(deriving: Deriving, own: Seen): Promise<Fault[]> {
  const { layout, surroundings } = deriving.context
  const { kind, item, values } = own
  // What has expired goes item by item.
  const isLeft = isLive(layout, item, surroundings.now())
  const sides = itemsOfFact(layout, kind.type, values).slice(1)
  const expected = sides.filter(side => isLeft || isFollowed(side.kind))
  const found = await itemsAt(
    deriving,
    expected.map(side => keyOf(layout.names, side.item)),
  )
  const faults: Fault[] = []
  for (const { kind: sideKind, item: side } of expected) {
    const there = found.get(textOf(deriving, side))
    if (there && isAsExpected(layout, own, sideKind, side, there)) continue
    const row = rowIn(layout, kind, item)
    const about = { type: kind.type.name, row, name: sideKind.name, expected: side, found: there }
    const isTaken = sideKind.role === 'unique' && there
    const isOthers = isTaken && !isUnowned(layout, sideKind, side, there) && !isOwned(layout, sideKind, side, there)
    const other = isOthers ? await ownerOf(deriving, sideKind, there) : undefined
    // What another has no more is not given up first: who comes in between would have the value too.
    if (other && (other.hasIt || !other.key)) faults.push({ ...about, code: 'sentinel.taken' })
    else {
      const code = `${sideKind.role === 'unique' ? 'sentinel' : sideKind.role}.missing` as Fault['code']
      // One that was taken away meanwhile, as of nobody, is written anew.
      const mend = async () =>
        (isTaken && (await takeSentinel(deriving, sideKind, side, item, there, other))) ||
        writeSide(deriving, own, sideKind, side)
      faults.push({ ...about, code, mend })
    }
  }
  return faults
}

function isAsExpected(layout: Layout, own: Seen, kind: Kind, side: Item, there: Item): boolean {
  const { role, type } = kind
  const { etag } = layout.names
  if (role === 'mirror' && !sameValue(own.item[etag], there[etag])) return false
  // Copies are compared with their sources.
  const copies = type.kind === 'edge' ? type.carry.map(({ as }) => layout.names.of(type, as)) : []
  // A sentinel may have more, of others, but for a time at which it would go by itself.
  const more = role === 'mirror' ? beyond(layout, there, { ...side, [etag]: own.item[etag]! }) : ownTimes(layout)
  return [...Object.keys(side), ...more].every(
    name => copies.includes(name) || isRight(kind, name, side[name], there[name]),
  )
}

function writeSide(deriving: Deriving, own: Seen, { role, type }: Kind, side: Item): Promise<unknown> {
  const { layout } = deriving.context
  const { names } = layout
  if (role === 'mirror' && keptByStream(type as DeclaredEdge))
    return settleEdge(deriving, edgeAt(layout, own), [], true)
  const check = act('ConditionCheck', keyOf(names, own.item))
  asRead(names, check.expression, own.item)
  const etag = own.item[names.etag]
  const item = role === 'mirror' && etag ? { ...side, [names.etag]: etag } : side
  const put = { ...act('Put', keyOf(names, side)), item }
  if (role === 'unique') put.expression.where(put.expression.missing(names.partition))
  return transact(deriving, [check, put])
}

/** The node at an end of an edge; without a key where that does not take the id, so that there is no such node. */
function nodeAt(layout: Layout, end: DeclaredEnd, values: Slots): { identity: Slots; key?: Key } {
  try {
    return endOf(layout, end, values)
  } catch (error) {
    if (!isGraphError(error)) throw error
    const references = referenceSlots(end)
    return { identity: Object.fromEntries(identityOf(end.node).map((slot, i) => [slot, values[references[i]!]!])) }
  }
}

/** Copies that are not what their sources have, and ends that lead nowhere. */
export async function endFaults(deriving: Deriving, own: Seen): Promise<Fault[]> {
  const { layout } = deriving.context
  const { names } = layout
  const { kind, item, values } = own
  const edge = kind.type as DeclaredEdge
  const ends = edge.ends.map(end => ({ end, ...nodeAt(layout, end, values) }))
  const sides = edge.carry.length > 0 ? itemsOfFact(layout, edge, values).slice(1) : []
  const mirrors = sides.filter(side => side.kind.role === 'mirror')
  const keys = [...ends.flatMap(({ key }) => (key ? [key] : [])), ...mirrors.map(mirror => keyOf(names, mirror.item))]
  const nodes = await itemsAt(deriving, keys)
  const lost = ends.filter(({ key }) => !key || !nodes.has(textOf(deriving, key)))
  const stale = edge.carry.flatMap(({ as, end: name, attribute, deleted, sync }) => {
    const { end, key, identity } = ends.find(each => each.end.name === name)!
    const node = key && nodes.get(textOf(deriving, key))
    if (node && unreadable(layout, ownKind(layout, end.node), node)) return []
    const found = item[names.of(edge, as)]
    const expected: AttributeValue | undefined = identity[attribute] ?? node?.[names.of(end.node, attribute)]
    if (sameValue(found, expected) || (!node && !identity[attribute] && deleted !== 'remove')) return []
    return [{ name: as, expected, found, sync }]
  })
  const fixed = stale.filter(({ sync }) => !sync).map(({ name, expected }) => [name, expected] as const)
  const mendFixed = () => setValues(deriving, item, Object.fromEntries(fixed))
  const mendSynced = () => copy(deriving, [edgeAt(layout, own)])
  const about = () => ({ type: edge.name, row: rowIn(layout, kind, item) })
  return [
    ...lost.map(({ end }): Fault => ({ code: 'edge.dangling', ...about(), name: end.name })),
    ...stale.map(
      ({ sync, ...each }): Fault => ({ code: 'copy.stale', ...about(), ...each, mend: sync ? mendSynced : mendFixed }),
    ),
    ...mirrors.flatMap(mirror =>
      otherCopies(deriving, own, mirror, nodes.get(textOf(deriving, mirror.item)))
        .filter(({ name }) => !stale.some(each => each.name === name))
        .map((each): Fault => ({ code: 'copy.stale', ...about(), ...each })),
    ),
  ]
}

/** Copies that a mirror of an edge has otherwise than the edge itself. One that is not as expected is written anew. */
function otherCopies(deriving: Deriving, own: Seen, expected: KindItem, mirror: Item | undefined) {
  const { kind, item } = own
  const { layout } = deriving.context
  const { names } = layout
  const copies = (kind.type as DeclaredEdge).carry.map(({ as }) => ({ name: as, stored: names.of(kind.type, as) }))
  const isIts = mirror && isAsExpected(layout, own, expected.kind, expected.item, mirror)
  const other = isIts ? copies.filter(({ stored }) => !sameValue(item[stored], mirror[stored])) : []
  const mend = () => {
    const check = act('ConditionCheck', keyOf(names, item))
    asRead(names, check.expression, item)
    const part = act('Update', keyOf(names, mirror!))
    part.expression.where(part.expression.exists(names.partition))
    for (const { stored } of other) {
      // Copies change without the etag.
      check.expression.where(check.expression.is(stored, item[stored]))
      part.expression.set(part.expression.name(stored), item[stored])
    }
    return transact(deriving, [check, part])
  }
  return other.map(({ name, stored }) => ({ name, expected: item[stored], found: mirror![stored], mend }))
}

/** Values that follow from others, on a node or an edge and on all that lies beside it. */
async function setValues(deriving: Deriving, item: Item, carried: KeyValues, etag?: AttributeValue): Promise<void> {
  const { store, layout } = deriving.context
  const TransactItems = moved(layout, layout, [{ item, carried, etag }])
  try {
    await store.transactWriteItems({ TransactItems, ClientRequestToken: fresh(deriving) })
  } catch (error) {
    // Others changed it: whether it is right now is looked at next.
    if ((error as Error).name !== 'TransactionCanceledException') throw error
  }
}
