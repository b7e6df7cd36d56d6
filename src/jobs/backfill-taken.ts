import { type Deriving, itemsAt, transact } from '../derive/deriving.js'
import { mirrorKeys } from '../derive/edge.js'
import { kindOf, seen } from '../derive/sides.js'
import { awayActs } from '../derive/tombstone.js'
import type { Item } from '../dynamodb/attribute-value.js'
import type { TransactWriteItem } from '../dynamodb/operations/transactions.js'
import type { Layout } from '../layout/layout.js'
import { asRead } from '../plan/change-own.js'
import { keyOf, keyText } from '../plan/identity.js'
import { isLive } from '../plan/row.js'
import { leftAmong, takeLeft } from './backfill-left.js'
import { isUnowned, takeSentinel } from './unowned.js'

/**
 * Takes away what nobody has any more from where something is to be put: a sentinel keeps a value from all others. Where
 * one does not say whose it is, it is given to this one, which the answer tells.
 */
export async function takeFrom(
  deriving: Deriving,
  before: Layout,
  own: Item,
  parts: readonly TransactWriteItem[],
): Promise<boolean> {
  const { layout } = deriving.context
  const puts = parts.flatMap(({ Put }) => (Put ? [Put.Item] : []))
  const found = await itemsAt(
    deriving,
    puts.map(put => keyOf(layout.names, put)),
  )
  for (const item of await leftAmong(deriving, before, [...found.values()])) await takeLeft(deriving, before, item)
  let isTaken = false
  for (const put of puts) {
    const there = found.get(keyText(layout, put))
    const kind = kindOf(layout, put)
    if (there && kind && isUnowned(layout, kind, put, there))
      isTaken = (await takeSentinel(deriving, kind, put, own, there)) || isTaken
  }
  return isTaken
}

/** Whether an edge is there only since nobody has taken it away: another of the same node may have been made meanwhile. */
export function isOver({ context }: Deriving, layout: Layout, item: Item): boolean {
  const type = kindOf(layout, item)?.type
  return type?.kind === 'edge' && type.expires !== undefined && !isLive(layout, item, context.surroundings.now())
}

/** Takes away an edge that is over, with its mirror, from where another belongs, unless it was written anew since it was read. */
export async function takeOver(deriving: Deriving, item: Item): Promise<void> {
  const { layout } = deriving.context
  const own = seen(layout, item)!
  const [gone, ...rest] = awayActs(deriving, own)
  asRead(layout.names, gone!.expression, item)
  const mirrors = await itemsAt(deriving, mirrorKeys(layout, own))
  const sides = [...mirrors.values()].flatMap(mirror => seen(layout, mirror) ?? [])
  const left = sides.filter(({ kind }) => kind.role === 'mirror')
  await transact(deriving, [gone!, ...rest, ...left.flatMap(side => awayActs(deriving, side))])
}
