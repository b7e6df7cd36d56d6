import type { AttributeValue, Item, Key } from '../dynamodb/attribute-value.js'
import { TRANSACT_ITEMS } from '../dynamodb/limits.js'
import type { Layout } from '../layout/layout.js'
import { GONE_NODE, GONE_OF, GONE_SPENT, tombstone as tombstoneOf } from '../layout/own-items.js'
import { keyOf, tenantOf } from '../plan/identity.js'
import { countedAsRead } from '../plan/kept-by-stream.js'
import { nodeAct } from './count.js'
import { addTo, countedOf } from './counted.js'
import { type Act, act, type Deriving, fresh, itemsAt, textOf, transact, untilSettled } from './deriving.js'
import { isPassing } from './follow/passing.js'
import { nodeOfSide, type Seen } from './sides.js'

/** How long a spent one is left for whoever looks for it: records may come again days later. */
const KEPT_SECONDS = 7 * 24 * 60 * 60
const SPENT_AT_ONCE = TRANSACT_ITEMS - 1
/** A tenant's is among the tenant's own. */
const GONE_PARTITION = /(^|#)\$gone#/

/** One of ours, and whole, whatever the attribute was called that marked types when it was written. */
export function isTombstone({ names }: Layout, item: Item): boolean {
  const { partition, sort } = names
  const isKey = (value: AttributeValue | undefined) => value?.M?.[partition]?.S && value.M[sort]?.S
  const isGone = GONE_PARTITION.test(item[partition]?.S ?? '')
  return Boolean(isGone && isKey(item[GONE_NODE]) && isKey(item[GONE_OF]))
}

export const nodeOfTombstone = (item: Item): Key => item[GONE_NODE]!.M as Key
export const sideOfTombstone = (item: Item): Key => item[GONE_OF]!.M as Key
export const isSpent = (item: Item): boolean => item[GONE_SPENT] !== undefined

/** Takes what deleted side items had of a node's counters out of them, once. */
export function spend(deriving: Deriving, node: Key, tombstones: readonly Key[]): Promise<void> {
  return deriving.turns.take(textOf(deriving, node), () =>
    untilSettled(async () => {
      const found = await itemsAt(deriving, [node, ...tombstones])
      const item = found.get(textOf(deriving, node))
      const unspent = tombstones.flatMap(key => {
        const tombstone = found.get(textOf(deriving, key))
        return tombstone && !isSpent(tombstone) ? [tombstone] : []
      })
      let settled = true
      for (let at = 0; at < unspent.length; at += SPENT_AT_ONCE) {
        const done = await spendAll(deriving, item, unspent.slice(at, at + SPENT_AT_ONCE))
        settled &&= done
      }
      return settled
    }),
  )
}

/** Spends tombstones at once, or in halves where what they had is together more than a number can hold. */
async function spendAll(deriving: Deriving, node: Item | undefined, some: readonly Item[]): Promise<boolean> {
  const { layout } = deriving.context
  const life = node?.[layout.names.life]?.S
  // What was counted in another life is in no counter.
  const isOwed = (tombstone: Item) => life !== undefined && countedOf(layout, tombstone)?.life === life
  try {
    const owed: Record<string, AttributeValue> = {}
    for (const tombstone of some.filter(isOwed)) addTo(owed, countedOf(layout, tombstone)!.of, -1)
    const acts = some.map(tombstone => spentAct(deriving, tombstone))
    const counters = some.some(isOwed) ? [nodeAct(layout, node!, owed, fresh(deriving))] : []
    return await transact(deriving, [...counters, ...acts])
  } catch (error) {
    if (isPassing(error) || some.length === 1) throw error
    const half = Math.ceil(some.length / 2)
    const isDone = await spendAll(deriving, node, some.slice(0, half))
    return (await spendAll(deriving, node, some.slice(half))) && isDone
  }
}

function spentAct({ context: { layout, surroundings } }: Deriving, tombstone: Item): Act {
  const { names } = layout
  const part = act('Update', keyOf(names, tombstone))
  const { expression } = part
  expression.where(expression.exists(names.partition)).where(expression.missing(GONE_SPENT))
  expression.where(countedAsRead(layout.names, expression, tombstone))
  expression.set(expression.name(GONE_SPENT), { BOOL: true })
  const until = Math.floor(surroundings.now() / 1000) + KEPT_SECONDS
  expression.set(expression.name(names.expires), { N: String(until) })
  return part
}

/** Takes a side item away as a writer does: if nobody counted it since it was read, and with what was counted of it. */
export function awayActs(deriving: Deriving, side: Seen): Act[] {
  const { layout } = deriving.context
  const { names } = layout
  const { item, values } = side
  const key = keyOf(names, item)
  const gone = act('Delete', key)
  gone.expression.where(gone.expression.exists(names.partition))
  gone.expression.where(countedAsRead(layout.names, gone.expression, item))
  const node = item[names.counted] && nodeOfSide(layout, side)
  if (!node) return [gone]
  const left = tombstoneOf(layout, node.key, item, fresh(deriving), tenantOf(layout, values))
  return [gone, { ...act('Put', keyOf(names, left)), item: left }]
}
