import type { Item } from '../dynamodb/attribute-value.js'
import { TRANSACT_ITEMS } from '../dynamodb/limits.js'
import type { TransactWriteItem } from '../dynamodb/operations/transactions.js'
import type { Layout } from '../layout/layout.js'
import { textOf } from '../layout/store-item.js'
import { chunksOf } from '../plan/chunks.js'
import { keyOf, keyText } from '../plan/identity.js'
import { GraphError } from '../schema/error.js'
import { asRead, placeOf } from './backfill-item.js'

/**
 * The transactions of the writes that bring items up. Where an item has so much beside it that what comes and what goes
 * are too many for one, they are several: first what comes, while the items are as they were read, and in the last one
 * the items themselves. Cut off in between, all of them are done again.
 */
export function transactionsOf(
  before: Layout,
  after: Layout,
  items: readonly Item[],
  parts: readonly TransactWriteItem[],
): TransactWriteItem[][] {
  if (parts.length === 0) return []
  if (parts.length <= TRANSACT_ITEMS) return [[...parts]]
  const ownKeys = new Set(
    items.flatMap(item => [item, placeOf(before, after, item) ?? item].map(each => keyText(after, each))),
  )
  const own = parts.filter(part => ownKeys.has(keyText(after, whereOf(part))))
  const beside = parts.filter(part => !own.includes(part))
  const come = beside.filter(part => !part.Delete)
  if (items.length === 1 && come.length >= TRANSACT_ITEMS) throw tooMany(after, items[0]!, come.length)
  const all = [...come, ...beside.filter(part => part.Delete)]
  const first = all.slice(0, Math.max(0, all.length + own.length - TRANSACT_ITEMS))
  const checks = items.map(item => ({
    ConditionCheck: { TableName: after.design.name, Key: keyOf(after.names, item), ...asRead(after, item) },
  }))
  return [
    ...chunksOf(first, TRANSACT_ITEMS - checks.length).map(chunk => [...checks, ...chunk]),
    [...own, ...all.slice(first.length)],
  ]
}

const whereOf = ({ Put, Delete, Update, ConditionCheck }: TransactWriteItem) =>
  (Put?.Item ?? (Delete ?? Update ?? ConditionCheck)!.Key)!

function tooMany({ names }: Layout, item: Item, count: number): GraphError {
  const key = names.keys.map(name => textOf(item[name])).join(' ')
  return new GraphError(
    'write.transaction',
    `the item ${key} cannot be brought up: ${count} items beside it and itself are more than the ${TRANSACT_ITEMS} of a transaction`,
  )
}
