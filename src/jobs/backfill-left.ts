import { untilSettled } from '../derive/deriving.js'
import { isReadable, kindOf } from '../derive/sides.js'
import type { Item, Key } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import { keyOf, keyText, ownKind, tableKey } from '../plan/identity.js'
import { valuesOf } from '../plan/row.js'
import type { Store } from '../store/port.js'
import { asRead, sidesOf, typeIn } from './backfill-item.js'

/**
 * Takes away a mirror, a facet or a sentinel that only the layout before knows, and whose edge or node is gone or has it
 * no more: those who know only the new layout delete the one without the other. Where one has it still, answers with that.
 */
export async function takeLeft(
  store: Store,
  before: Layout,
  after: Layout,
  item: Item,
): Promise<Item | 'taken' | undefined> {
  const { names } = after
  const TableName = after.design.name
  const itemAt = async (Key: Key) => (await store.getItem({ TableName, Key, ConsistentRead: true })).Item
  let found: Item | undefined = item
  let owner: Item | undefined
  let isLeft = false
  await untilSettled(async () => {
    const keys = found ? ownerKeys(before, after, found) : []
    const owners = await Promise.all(keys.map(itemAt))
    owner = owners.find(each => each && isOf(before, after, each, found!))
    isLeft = keys.length > 0 && !owner
    if (!isLeft) return true
    const checks = keys.map((Key, i) => ({ ConditionCheck: { TableName, Key, ...asRead(after, owners[i]) } }))
    const Delete = { TableName, Key: keyOf(names, found!), ...asRead(after, found) }
    try {
      await store.transactWriteItems({ TransactItems: [{ Delete }, ...checks] })
      return true
    } catch (error) {
      if ((error as Error).name !== 'TransactionCanceledException') throw error
      found = await itemAt(keyOf(names, item))
      return false
    }
  })
  return isLeft ? 'taken' : owner
}

/** Where the edge or the node lies, under either layout, beside which only the one before has an item like this. */
function ownerKeys(before: Layout, after: Layout, item: Item): Key[] {
  const kind = kindOf(before, item)
  const type = kind && typeIn(after, kind.type.name)
  const isSide = kind?.role !== 'node' && kind?.role !== 'edge' && isReadable(before, item)
  if (!type || !isSide || isReadable(after, item)) return []
  const values = valuesOf(before, kind, item)
  try {
    const keys = [tableKey(before, ownKind(before, kind.type), values), tableKey(after, ownKind(after, type), values)]
    const texts = new Map(keys.map(key => [keyText(after, key), key]))
    // Who belongs in its place comes with a write of its own.
    return texts.has(keyText(after, item)) ? [] : [...texts.values()]
  } catch {
    // It does not say whose it is.
    return []
  }
}

/** Whether an edge or a node has this beside it, or had it under the layout before: then it goes when that is brought up. */
function isOf(before: Layout, after: Layout, owner: Item, side: Item): boolean {
  const sides = [
    ...sidesOf(before, before, owner, {}),
    ...sidesOf(before, after, owner, {}),
    ...sidesOf(after, after, owner, {}),
  ]
  return sides.some(each => keyText(after, each) === keyText(after, side))
}
