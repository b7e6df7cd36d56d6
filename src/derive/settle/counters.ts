import type { AttributeValue, Item, Key } from '../../dynamodb/attribute-value.js'
import { TRANSACT_ITEMS } from '../../dynamodb/limits.js'
import type { Kind } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import { keyOfItem } from '../../plan/identity.js'
import {
  contributingNamesOf,
  counterContributionOf,
  unchangedCountCondition,
} from '../../plan/write/effects/stream-counters.js'
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
import {
  addCounterAmounts,
  type CounterAmounts,
  contributionOf,
  diffAmounts,
  toContributionValue,
} from './contribution.js'
import { ItemSizeError } from './item-size-error.js'
import { PermanentErrors } from './permanent-errors.js'
import { type DerivedPath, parseItem, readSideItems } from './side-items.js'

/** One write of each transaction updates the node. */
const SIDE_ITEMS_PER_TRANSACTION = TRANSACT_ITEMS - 1

/** A side item whose contribution to the node's counters is missing or outdated. */
interface PendingCount {
  readonly item: Item
  readonly kind: Kind
  readonly amounts: CounterAmounts
  readonly delta: CounterAmounts
  /** Whether this step only subtracts the old amounts, because the difference to the new ones exceeds 38 digits. */
  readonly isRemovalOnly: boolean
}

/**
 * Updates the counters of a node to match these side items. Continues past items that fail permanently, then throws
 * the first error.
 */
export async function countSideItems(
  derivation: DerivationContext,
  node: Key,
  sideKeys: readonly Key[],
): Promise<void> {
  const { layout } = derivation.context
  const failed = new Map<string, unknown>()
  await derivation.nodeMutex.runExclusive(keyTextOf(derivation, node), () =>
    retryUntilStable(async () => {
      const remainingKeys = sideKeys.filter(key => !failed.has(keyTextOf(derivation, key)))
      const itemsByKey = await readCurrentItems(derivation, [node, ...remainingKeys])
      const nodeItem = itemsByKey.get(keyTextOf(derivation, node))
      // A node that is created later counts all of its edges.
      if (!nodeItem) return true
      const pending = remainingKeys.flatMap(
        key => pendingCountOf(layout, nodeItem, itemsByKey.get(keyTextOf(derivation, key))) ?? [],
      )
      let isStable = !pending.some(({ isRemovalOnly }) => isRemovalOnly)
      for (let start = 0; start < pending.length; start += SIDE_ITEMS_PER_TRANSACTION) {
        // The first batch may set the node's incarnation, which the next batch needs, so read the node again.
        if (start > 0 && !nodeItem[layout.names.incarnation]) return false
        const done = await countBatch(
          derivation,
          nodeItem,
          pending.slice(start, start + SIDE_ITEMS_PER_TRANSACTION),
          failed,
        )
        isStable &&= done
      }
      return isStable
    }),
  )
  for (const error of failed.values()) throw error
}

/** Counts side items in one transaction. On a permanent error, halves the batch until the failing item is isolated. */
async function countBatch(
  derivation: DerivationContext,
  node: Item,
  pending: readonly PendingCount[],
  failed: Map<string, unknown>,
): Promise<boolean> {
  try {
    return await countInTransaction(derivation, node, pending)
  } catch (error) {
    const keyTexts = error instanceof ItemSizeError ? error.keys.map(key => keyTextOf(derivation, key)) : []
    if (isTransient(error) || keyTexts.includes(keyTextOf(derivation, node))) throw error
    if (keyTexts.length === 0 && pending.length > 1) {
      const middle = Math.ceil(pending.length / 2)
      const isDone = await countBatch(derivation, node, pending.slice(0, middle), failed)
      return (await countBatch(derivation, node, pending.slice(middle), failed)) && isDone
    }
    for (const failedKeyText of keyTexts.length > 0 ? keyTexts : [keyTextOf(derivation, pending[0]!.item)])
      failed.set(failedKeyText, error)
    return false
  }
}

/** Counts all edges of a node on a path. */
export async function countEdgesOnPath(derivation: DerivationContext, node: Item, path: DerivedPath): Promise<void> {
  const { names } = derivation.context.layout
  const permanentErrors = new PermanentErrors()
  for await (const sideItems of readSideItems(derivation, node, path)) {
    const keys = sideItems.map(({ item }) => keyOfItem(names, item))
    if (keys.length > 0) await permanentErrors.collectFrom(countSideItems(derivation, keyOfItem(names, node), keys))
  }
  permanentErrors.throwFirst()
}

function pendingCountOf(layout: Layout, node: Item, item: Item | undefined): PendingCount | undefined {
  const parsed = item && parseItem(layout, item)
  if (!parsed) return undefined
  const { kind } = parsed
  const amounts = counterContributionOf(layout, kind, parsed.values)
  const previous = contributionOf(layout, item)
  const life = node[layout.names.incarnation]?.S
  const countedAmounts = previous && previous.life === life ? previous.amounts : {}
  try {
    const delta = diffAmounts(countedAmounts, amounts)
    return delta && { item, kind, amounts, delta, isRemovalOnly: false }
  } catch {
    return { item, kind, amounts: {}, delta: diffAmounts(countedAmounts, {})!, isRemovalOnly: true }
  }
}

function countInTransaction(
  derivation: DerivationContext,
  node: Item,
  pending: readonly PendingCount[],
): Promise<boolean> {
  const { layout } = derivation.context
  const { names } = layout
  const tag = generateToken(derivation)
  const life = node[names.incarnation]?.S ?? tag
  const total: Record<string, AttributeValue> = {}
  for (const { delta } of pending) addCounterAmounts(total, delta)
  return tryTransaction(derivation, [
    createCounterUpdate(layout, node, total, tag, life),
    ...pending.map(({ item, kind, amounts }) => {
      const update = createTransactionPart('Update', keyOfItem(names, item))
      const { expression } = update
      expression
        .where(expression.exists(names.partition))
        .where(unchangedCountCondition(layout.names, expression, item))
      for (const name of contributingNamesOf(layout, kind))
        expression.where(expression.equalsOrMissing(name, item[name]))
      expression.set(expression.name(names.countedState), toContributionValue({ life, tag, amounts }))
      return update
    }),
  ])
}

/**
 * Creates the update that adds to a node's counters, if the node exists and has the same incarnation as when it was
 * read.
 */
export function createCounterUpdate(
  { names }: Layout,
  node: Item,
  delta: CounterAmounts,
  tag: string,
  life?: string,
): TransactionPart {
  const update = createTransactionPart('Update', keyOfItem(names, node))
  const { expression } = update
  expression
    .where(expression.exists(names.partition))
    .where(expression.equalsOrMissing(names.incarnation, node[names.incarnation]))
  for (const name in delta) if (delta[name]!.N !== '0') expression.add(expression.name(name), delta[name]!)
  expression.set(expression.name(names.countTag), { S: tag })
  // An incarnation that is not a string was not written by a consumer, so replace it.
  if (life !== undefined && node[names.incarnation]?.S === undefined)
    expression.set(expression.name(names.incarnation), { S: life })
  return update
}
