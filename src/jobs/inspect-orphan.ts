import { act, type Deriving, itemAt, textOf, transact } from '../derive/deriving.js'
import { edgeAt, settleEdge } from '../derive/edge.js'
import { tombstonesOf } from '../derive/recount.js'
import { nodeOfSide, type Seen, seen } from '../derive/sides.js'
import { isSpent, nodeOfTombstone, spend } from '../derive/tombstone.js'
import type { Item, Key } from '../dynamodb/attribute-value.js'
import { itemsOfFact } from '../layout/items.js'
import type { Kind } from '../layout/kinds.js'
import { asRead } from '../plan/change-own.js'
import { keyOf, ownKind, tableKey, tenantOf } from '../plan/identity.js'
import type { Slots } from '../plan/plan.js'
import { isLive, valuesOf } from '../plan/row.js'
import type { DeclaredEdge } from '../schema/declared.js'
import { keptByStream } from '../schema/kept-by-stream.js'
import { type Fault, keyRow } from './fault.js'
import { goneSide } from './gone-side.js'
import { unreadable } from './unreadable.js'

/** Whether a mirror, a facet or a sentinel is of nobody, or of one that should have none there. */
export async function orphanFaults(deriving: Deriving, kind: Kind, item: Item): Promise<Fault[]> {
  const { layout, surroundings } = deriving.context
  if (!isFollowed(kind) && !isLive(layout, item, surroundings.now())) return []
  const { key, own, hasIt, values } = await ownerOf(deriving, kind, item)
  if (hasIt) return []
  const code = `${kind.role === 'unique' ? 'sentinel' : kind.role}.orphan` as Fault['code']
  const mend = key && (() => removeSide(deriving, { kind, item, values }, key, own))
  return [{ code, type: kind.type.name, row: keyRow(layout, item), name: kind.name, found: item, mend }]
}

/** Whether these are mirrors that the stream brings in line with their edges: any others that have expired go by themselves. */
export const isFollowed = ({ role, type }: Kind): boolean => role === 'mirror' && keptByStream(type as DeclaredEdge)

/** Whose a mirror, a facet or a sentinel says that it is, and whether it should have that there, or may. */
export async function ownerOf(deriving: Deriving, kind: Kind, item: Item) {
  const { layout } = deriving.context
  const values = valuesOf(layout, kind, item)
  const key = ownerKey(deriving, kind, values)
  const own = key && (await itemAt(deriving, key))
  const owner = own && seen(layout, own)
  const hasIt =
    owner !== undefined &&
    (unreadable(layout, owner.kind, own!) !== undefined ||
      (owner.kind.type === kind.type &&
        itemsOfFact(layout, kind.type, owner.values).some(
          ({ item: each }) => textOf(deriving, each) === textOf(deriving, item),
        )))
  return { key, own, hasIt, values }
}

/** Where the edge or the node lies that a mirror, a facet or a sentinel says it is of. */
export function ownerKey({ context: { layout } }: Deriving, { type }: Kind, values: Slots): Key | undefined {
  try {
    return tableKey(layout, ownKind(layout, type), values)
  } catch {
    // It does not say whose it is.
    return undefined
  }
}

async function removeSide(deriving: Deriving, side: Seen, ownKey: Key, own: Item | undefined): Promise<void> {
  const { layout } = deriving.context
  const { kind, item } = side
  const key = keyOf(layout.names, item)
  if (isFollowed(kind)) {
    await settleEdge(deriving, edgeAt(layout, side), [key])
    const node = nodeOfSide(layout, side)
    const left = node ? await tombstonesOf(deriving, node.key, tenantOf(layout, side.values), key) : []
    if (left.length > 0)
      await spend(
        deriving,
        node!.key,
        left.map(each => keyOf(layout.names, each)),
      )
    return
  }
  const check = act('ConditionCheck', ownKey)
  asRead(layout.names, check.expression, own)
  await transact(deriving, [check, goneSide(layout, item)])
}

/** A tombstone that was not spent: the record of it may have been lost. */
export function tombstoneFaults(deriving: Deriving, item: Item): Fault[] {
  if (isSpent(item)) return []
  const { layout } = deriving.context
  const node = nodeOfTombstone(item)
  const mend = () => spend(deriving, node, [keyOf(layout.names, item)])
  return [{ code: 'tombstone.unspent', type: '', row: keyRow(layout, node), found: item, mend }]
}
