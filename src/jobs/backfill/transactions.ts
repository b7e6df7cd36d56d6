import type { Item } from '../../dynamodb/attribute-value.js'
import { TRANSACT_ITEMS } from '../../dynamodb/limits.js'
import type { TransactWriteItem } from '../../dynamodb/operation-types.js'
import { keyAttributeText } from '../../layout/items/compose-item.js'
import type { Layout } from '../../layout/layout.js'
import { chunksOf } from '../../plan/chunks.js'
import { keyOfItem, uniqueKeyTextOf } from '../../plan/identity.js'
import { GraphError } from '../../schema/error.js'
import { conditionAsRead, newKeyOf } from './item.js'

/**
 * Splits the writes of a migration into transactions. If there are too many for one, new side items come first, under
 * the condition that the items are unchanged, and the items themselves come last. An interrupted sequence runs again
 * completely.
 */
export function splitIntoTransactions(
  oldLayout: Layout,
  newLayout: Layout,
  items: readonly Item[],
  writes: readonly TransactWriteItem[],
): TransactWriteItem[][] {
  if (writes.length === 0) return []
  if (writes.length <= TRANSACT_ITEMS) return [[...writes]]
  const ownKeys = new Set(
    items.flatMap(item =>
      [item, newKeyOf(oldLayout, newLayout, item) ?? item].map(key => uniqueKeyTextOf(newLayout, key)),
    ),
  )
  const ownWrites = writes.filter(write => ownKeys.has(uniqueKeyTextOf(newLayout, keyOfWrite(write))))
  const sideWrites = writes.filter(write => !ownWrites.includes(write))
  const additions = sideWrites.filter(write => !write.Delete)
  if (items.length === 1 && additions.length >= TRANSACT_ITEMS)
    throw toTooManyWritesError(newLayout, items[0]!, additions.length)
  const ordered = [...additions, ...sideWrites.filter(write => write.Delete)]
  const earlyWrites = ordered.slice(0, Math.max(0, ordered.length + ownWrites.length - TRANSACT_ITEMS))
  const checks = items.map(item => ({
    ConditionCheck: {
      TableName: newLayout.design.name,
      Key: keyOfItem(newLayout.names, item),
      ...conditionAsRead(newLayout, item),
    },
  }))
  return [
    ...chunksOf(earlyWrites, TRANSACT_ITEMS - checks.length).map(chunk => [...checks, ...chunk]),
    [...ownWrites, ...ordered.slice(earlyWrites.length)],
  ]
}

const keyOfWrite = ({ Put, Delete, Update, ConditionCheck }: TransactWriteItem) =>
  (Put?.Item ?? (Delete ?? Update ?? ConditionCheck)!.Key)!

function toTooManyWritesError({ names }: Layout, item: Item, count: number): GraphError {
  const key = names.keys.map(name => keyAttributeText(item[name])).join(' ')
  return new GraphError(
    'write.transaction',
    `item '${key}': this item and its ${count} side items exceed the ${TRANSACT_ITEMS} writes of a transaction; reduce the paths and facets of its type.`,
  )
}
