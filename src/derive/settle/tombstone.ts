import type { AttributeValue, Item, Key } from '../../dynamodb/attribute-value.js'
import { TRANSACT_ITEMS } from '../../dynamodb/limits.js'
import {
  TOMBSTONE_KEY,
  TOMBSTONE_NODE,
  TOMBSTONE_SPENT,
  createTombstone as tombstoneOf,
} from '../../layout/items/internal-items.js'
import type { Layout } from '../../layout/layout.js'
import { keyOfItem, tenantOf } from '../../plan/identity.js'
import { unchangedCountCondition } from '../../plan/write/effects/stream-counters.js'
import { createTransactionPart, type TransactionPart } from '../../plan/write/transaction-part.js'
import { isTransient } from '../follow/transient-errors.js'
import {
  type DerivationContext,
  generateToken,
  keyTextOf,
  readCurrentItems,
  retryUntilStable,
  tryTransaction,
} from './context.js'
import { addCounterAmounts, contributionOf } from './contribution.js'
import { createCounterUpdate } from './counters.js'
import { nodeOfSideItem, type ParsedItem } from './side-items.js'

/** Retention of spent tombstones. Stream records may be replayed days later and must still find them. */
const RETENTION_SECONDS = 7 * 24 * 60 * 60
const TOMBSTONES_PER_TRANSACTION = TRANSACT_ITEMS - 1
/** Tombstones of a tenant are stored under the tenant's prefix. */
const TOMBSTONE_PARTITION = /(^|#)\$gone#/

/** Whether an item is a complete tombstone. Does not use the type attribute, whose name may have changed since. */
export function isTombstone({ names }: Layout, item: Item): boolean {
  const { partition, sort } = names
  const hasTableKey = (value: AttributeValue | undefined) => value?.M?.[partition]?.S && value.M[sort]?.S
  const isTombstonePartition = TOMBSTONE_PARTITION.test(item[partition]?.S ?? '')
  return Boolean(isTombstonePartition && hasTableKey(item[TOMBSTONE_NODE]) && hasTableKey(item[TOMBSTONE_KEY]))
}

export const nodeOfTombstone = (item: Item): Key => item[TOMBSTONE_NODE]!.M as Key
export const sideOfTombstone = (item: Item): Key => item[TOMBSTONE_KEY]!.M as Key
export const isSpent = (item: Item): boolean => item[TOMBSTONE_SPENT] !== undefined

/** Subtracts the contributions of deleted side items from a node's counters, each exactly once. */
export function spendTombstones(derivation: DerivationContext, node: Key, tombstones: readonly Key[]): Promise<void> {
  return derivation.nodeMutex.runExclusive(keyTextOf(derivation, node), () =>
    retryUntilStable(async () => {
      const itemsByKey = await readCurrentItems(derivation, [node, ...tombstones])
      const nodeItem = itemsByKey.get(keyTextOf(derivation, node))
      const unspent = tombstones.flatMap(key => {
        const tombstone = itemsByKey.get(keyTextOf(derivation, key))
        return tombstone && !isSpent(tombstone) ? [tombstone] : []
      })
      let isStable = true
      for (let start = 0; start < unspent.length; start += TOMBSTONES_PER_TRANSACTION) {
        const done = await spendBatch(derivation, nodeItem, unspent.slice(start, start + TOMBSTONES_PER_TRANSACTION))
        isStable &&= done
      }
      return isStable
    }),
  )
}

/** Spends tombstones in one transaction, or in halves if their sum exceeds the digits of a number. */
async function spendBatch(
  derivation: DerivationContext,
  node: Item | undefined,
  batch: readonly Item[],
): Promise<boolean> {
  const { layout } = derivation.context
  const life = node?.[layout.names.incarnation]?.S
  // Contributions of another incarnation are not part of the counters.
  const isStillCounted = (tombstone: Item) => life !== undefined && contributionOf(layout, tombstone)?.life === life
  try {
    const amounts: Record<string, AttributeValue> = {}
    for (const tombstone of batch.filter(isStillCounted))
      addCounterAmounts(amounts, contributionOf(layout, tombstone)!.amounts, -1)
    const spendUpdates = batch.map(tombstone => createSpendUpdate(derivation, tombstone))
    const nodeUpdates = batch.some(isStillCounted)
      ? [createCounterUpdate(layout, node!, amounts, generateToken(derivation))]
      : []
    return await tryTransaction(derivation, [...nodeUpdates, ...spendUpdates])
  } catch (error) {
    if (isTransient(error) || batch.length === 1) throw error
    const middle = Math.ceil(batch.length / 2)
    const isDone = await spendBatch(derivation, node, batch.slice(0, middle))
    return (await spendBatch(derivation, node, batch.slice(middle))) && isDone
  }
}

function createSpendUpdate({ context: { layout, environment } }: DerivationContext, tombstone: Item): TransactionPart {
  const { names } = layout
  const update = createTransactionPart('Update', keyOfItem(names, tombstone))
  const { expression } = update
  expression.where(expression.exists(names.partition)).where(expression.missing(TOMBSTONE_SPENT))
  expression.where(unchangedCountCondition(layout.names, expression, tombstone))
  expression.set(expression.name(TOMBSTONE_SPENT), { BOOL: true })
  const expiresSeconds = Math.floor(environment.now() / 1000) + RETENTION_SECONDS
  expression.set(expression.name(names.expires), { N: String(expiresSeconds) })
  return update
}

/**
 * Plans the deletion of a side item: it must not have been counted since it was read, and a tombstone records its
 * contribution.
 */
export function planSideItemDeletion(derivation: DerivationContext, side: ParsedItem): TransactionPart[] {
  const { layout } = derivation.context
  const { names } = layout
  const { item, values } = side
  const key = keyOfItem(names, item)
  const deletePart = createTransactionPart('Delete', key)
  deletePart.expression.where(deletePart.expression.exists(names.partition))
  deletePart.expression.where(unchangedCountCondition(layout.names, deletePart.expression, item))
  const countingNode = item[names.countedState] && nodeOfSideItem(layout, side)
  if (!countingNode) return [deletePart]
  const tombstone = tombstoneOf(layout, countingNode.key, item, generateToken(derivation), tenantOf(layout, values))
  return [deletePart, createTransactionPart('Put', keyOfItem(names, tombstone), tombstone)]
}
