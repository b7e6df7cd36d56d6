import type { Item, Key } from '../dynamodb/attribute-value.js'
import { write } from '../graph/writing.js'
import { entryName } from '../layout/derived.js'
import { itemsOfFact } from '../layout/items.js'
import type { Layout } from '../layout/layout.js'
import { type DeclaredType, TENANT_SLOT } from '../layout/slots.js'
import { asRead } from '../plan/change-own.js'
import { endOf } from '../plan/change-part.js'
import { sameValue } from '../plan/change-values.js'
import { keyOf, keyText, ownKind, tableKey, tenantOf } from '../plan/identity.js'
import type { Slots } from '../plan/plan.js'
import { isLive } from '../plan/row.js'
import { planCopies } from '../plan/write-copies.js'
import { traitsOf } from '../plan/write-traits.js'
import type { DeclaredEdge } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import { act, type Deriving, itemAt, sendingFor, textOf, transact, untilSettled } from './deriving.js'
import { isPassing } from './follow/passing.js'
import { Past } from './past.js'
import { type Seen, seen } from './sides.js'
import { awayActs } from './tombstone.js'

/** An edge of which a record told, by what tells it from all others. */
export interface EdgeAt {
  readonly type: DeclaredEdge
  readonly identity: Slots
}

export function edgeAt(layout: Layout, { kind, values }: Seen): EdgeAt {
  const type = kind.type as DeclaredEdge
  const slots = [
    ...traitsOf(layout, type.name).identity,
    ...(tenantOf(layout, values) === undefined ? [] : [TENANT_SLOT]),
  ]
  return { type, identity: Object.fromEntries(slots.map(slot => [slot, values[slot]!])) }
}

/** Refuses an edge that does not say all that tells it from others: the key of the one edge of a node lacks where it leads. */
function told(layout: Layout, { name }: DeclaredType, values: Slots): void {
  const slot = traitsOf(layout, name).identity.find(each => !values[each])
  if (slot)
    throw new GraphError(
      'key.missing',
      `an edge of ${name} does not say its ${slot}: bring it up by backfill() of edgewise/jobs where it is of the layout before, else put or delete it; then replay its record`,
      { path: `${name}.${slot}` },
    )
}

export const edgeKey = (layout: Layout, { type, identity }: EdgeAt): Key =>
  tableKey(layout, ownKind(layout, type), identity)

/**
 * Brings the mirror of an edge in line with it, and the copies on both with their sources. `mirrors`: where records have
 * shown a mirror, which may be left from an edge that is gone or was elsewhere. `others`: whether others may have changed
 * one and left its etag.
 */
export async function settleEdge(
  deriving: Deriving,
  edge: EdgeAt,
  mirrors: readonly Key[],
  others = false,
): Promise<void> {
  const { layout } = deriving.context
  await untilSettled(async () => {
    const own = await itemAt(deriving, edgeKey(layout, edge))
    // The one edge of a node may lead elsewhere by now: its mirrors are then those of another edge.
    const present = own && seen(layout, own)
    const expected = present ? mirrorsOf(layout, present) : new Map<string, Item>()
    let settled = true
    for (const key of mirrors)
      if (!expected.has(textOf(deriving, key)) && !(await orphaned(deriving, edge, own, key))) settled = false
    if (!settled) return false
    if (!(await unembedded(deriving, edge, own, present))) return false
    if (!present) return true
    for (const mirror of expected.values()) {
      const done = await mirrored(deriving, present, mirror, others)
      if (done === 'gone') return true
      if (!done) return false
    }
    return true
  })
  if (edge.type.carry.some(({ sync }) => sync)) await copy(deriving, [edge])
}

/** Brings the copies on edges up to their sources. */
export async function copy(deriving: Deriving, edges: readonly EdgeAt[]): Promise<void> {
  const { layout } = deriving.context
  try {
    for (const { type, identity } of edges) told(layout, type, identity)
    const plan = planCopies(
      layout,
      edges.map(({ type, identity }) => ({ type: type.name, identity })),
    )
    if (plan.steps.length === 0) return
    await write(sendingFor(deriving, tenantOf(layout, edges[0]!.identity)), plan)
  } catch (error) {
    // Large values of many edges are together more than a transaction takes, and one may fail by a fault of its own.
    if (isPassing(error) || edges.length === 1) throw error
    const half = Math.ceil(edges.length / 2)
    const past = new Past()
    for (const some of [edges.slice(0, half), edges.slice(half)]) await past.do(copy(deriving, some))
    past.tell()
  }
}

/** The keys of the mirrors of an edge as an item of it, or of a mirror, shows it. */
export const mirrorKeys = (layout: Layout, shown: Seen): Key[] =>
  [...mirrorsOf(layout, shown).values()].map(mirror => keyOf(layout.names, mirror))

/** The mirrors that an edge should have, with its etag, by the texts of their keys. */
function mirrorsOf(layout: Layout, { kind, item, values }: Seen): Map<string, Item> {
  const { etag } = layout.names
  const mirrors = itemsOfFact(layout, kind.type, values).filter(each => each.kind.role === 'mirror')
  return new Map(
    mirrors.map(({ item: mirror }) => [
      keyText(layout, mirror),
      item[etag] ? { ...mirror, [etag]: item[etag] } : mirror,
    ]),
  )
}

/** Deletes a mirror that is of no edge, if there is one and the edge is still as it was read. */
async function orphaned(deriving: Deriving, edge: EdgeAt, own: Item | undefined, key: Key): Promise<boolean> {
  const { layout } = deriving.context
  const mirror = await itemAt(deriving, key)
  const side = mirror && seen(layout, mirror)
  // An edge itself may lie there: the one the other way round, by which it is known since edges are undirected.
  if (side?.kind.role !== 'mirror') return true
  const check = act('ConditionCheck', edgeKey(layout, edge))
  asRead(layout.names, check.expression, own)
  return transact(deriving, [check, ...awayActs(deriving, side)])
}

/** Takes the entry of an edge that is gone out of the node that held it, where whoever deleted the edge did not. */
async function unembedded(
  deriving: Deriving,
  edge: EdgeAt,
  own: Item | undefined,
  present: Seen | undefined,
): Promise<boolean> {
  const { layout } = deriving.context
  const { type, identity } = edge
  let settled = true
  for (const { end: name, into } of type.embed) {
    for (const values of [identity, present?.values ?? identity]) told(layout, type, values)
    const end = type.ends.find(each => each.name === name)!
    const { key } = endOf(layout, end, identity)
    const stored = layout.names.of(end.node, into)
    const entry = entryName(type, end, identity)
    // Where keys are folded, one and the same edge may be told in other words.
    const isItsOwn = (values: Slots) =>
      entryName(type, end, values) === entry &&
      textOf(deriving, endOf(layout, end, values).key) === textOf(deriving, key)
    if (present && isItsOwn(present.values)) continue
    // Any object has a member by the names of some ids, such as `constructor`.
    if (!Object.hasOwn((await itemAt(deriving, key))?.[stored]?.M ?? {}, entry)) continue
    const part = act('Update', key)
    const path = `${part.expression.name(stored)}.${part.expression.name(entry)}`
    part.expression.where(`attribute_exists(${path})`)
    part.expression.set(path, undefined)
    const check = act('ConditionCheck', edgeKey(layout, edge))
    asRead(layout.names, check.expression, own)
    const done = await transact(deriving, [check, part])
    settled &&= done
  }
  return settled
}

/** Writes a mirror that is not as its edge is; an edge that has expired, and whose mirror is gone, goes too. */
async function mirrored(deriving: Deriving, own: Seen, mirror: Item, others: boolean): Promise<boolean | 'gone'> {
  const { layout, surroundings } = deriving.context
  const { names } = layout
  const key = keyOf(names, mirror)
  const found = await itemAt(deriving, key)
  if (found && isSame(layout, own.kind.type as DeclaredEdge, found, mirror, others)) return true
  if (!found && !isLive(layout, own.item, surroundings.now())) {
    const [gone, ...rest] = awayActs(deriving, own)
    asRead(layout.names, gone!.expression, own.item)
    const check = act('ConditionCheck', key)
    asRead(layout.names, check.expression, undefined)
    return (await transact(deriving, [gone!, ...rest, check])) && 'gone'
  }
  const check = act('ConditionCheck', keyOf(names, own.item))
  asRead(layout.names, check.expression, own.item)
  const part = act('Update', key)
  const { expression } = part
  expression.where(found ? expression.exists(names.partition) : expression.missing(names.partition))
  const copies = followed(layout, own.kind.type as DeclaredEdge)
  for (const name in mirror)
    if (!(name in key) && !copies.includes(name)) expression.set(expression.name(name), mirror[name]!)
  for (const name of found ? beyond(layout, found, mirror) : [])
    if (!copies.includes(name)) expression.set(expression.name(name), undefined)
  return transact(deriving, [check, part])
}

/** The names of what a mirror has and its edge does not give it. */
export function beyond(layout: Layout, found: Item, mirror: Item): string[] {
  const { type, keys } = seen(layout, mirror)!.kind
  // One that others put in the place of ours has no etag, and its mirror may have keys of its own in an index.
  const { etag, expires } = layout.names
  const known = new Set([...traitsOf(layout, type.name).managed, ...Object.keys(keys), etag, expires])
  return [...known].filter(name => found[name] && !(name in mirror))
}

/** An item without an etag is none of our writers', and one with the same may be changed by others: then all of it is compared. */
function isSame(layout: Layout, type: DeclaredEdge, found: Item, mirror: Item, others: boolean): boolean {
  const { etag } = layout.names
  const isTagged = sameValue(found[etag], mirror[etag])
  if ((found[etag] || mirror[etag]) && !(others && isTagged)) return isTagged
  const copies = followed(layout, type)
  return [...Object.keys(mirror), ...(others ? beyond(layout, found, mirror) : [])].every(
    name => copies.includes(name) || sameValue(found[name], mirror[name]),
  )
}

/** The stored names of the copies that follow their sources, which are compared with them and not with each other. */
const followed = ({ names }: Layout, type: DeclaredEdge): string[] =>
  type.carry.filter(({ sync }) => sync !== undefined).map(({ as }) => names.of(type, as))
