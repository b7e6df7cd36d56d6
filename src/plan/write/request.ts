import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { isCompleteTally, isTallyName } from '../../layout/items/tally.js'
import type { Layout } from '../../layout/layout.js'
import { assertTransactionSize } from '../chunks.js'
import type { RequestInput } from '../expression.js'
import { uniqueKeyTextOf } from '../identity.js'
import type { ConditionOutcome, PlannedChange, PlanStep, Receipt, RequestTemplate } from '../plan.js'
import { isLive } from '../row.js'
import { isSameValue } from '../slot-values.js'
import { aggregateSize } from './effects/aggregates.js'
import { itemWritesOf } from './effects/apply-changes.js'
import type { ItemWrite, ReadItems } from './effects/item-write.js'
import { isEmptyAggregate } from './intent/row-change.js'
import { buildReceiptWrite } from './receipt.js'
import { assertItemSizes } from './size-checks.js'
import { toTransactItem } from './transaction-part.js'

/** A write request that is ready to send. */
export interface WriteToSend {
  readonly request: RequestTemplate
  readonly itemWrites: readonly SentItemWrite[]
  /**
   * Of a single call: the row's own item before and after, as far as known before sending. With ReturnValues in the
   * request, the response's Attributes replace the requested one exactly. A call that returns a row always has it in
   * one of the two places.
   */
  readonly old: Item | undefined
  readonly new: Item | undefined
  /**
   * The proof, after a lost response, that the write was applied: the item with this key has the new etag. An
   * undefined etag means that the item was deleted.
   */
  readonly proof: Pick<ItemWrite, 'key' | 'newEtag'> | undefined
  /** Whether repeating the request would apply its change twice. A transaction never does. */
  readonly isAdditive: boolean
}

/**
 * The write of one item as plain data: the meaning of its failed condition (refined by `conditionOutcomeOf`), and the
 * facts by which it is recognized and priced.
 */
export type SentItemWrite = Omit<ItemWrite, 'expression' | 'mustBeEmpty' | 'rankedCounters' | 'isCascaded'>

/**
 * Builds the request of a write step from the items that earlier steps read; undefined when the write changes
 * nothing.
 */
export function completeWrite(
  layout: Layout,
  { changes = [], receipt }: Pick<PlanStep, 'changes' | 'receipt'>,
  readItems?: ReadItems,
): WriteToSend | undefined {
  return writeToSend(layout, collectItemWrites(layout, changes, receipt, readItems), changes)
}

/**
 * Builds the request for item writes; undefined when there are none. A single item is written without a transaction,
 * which halves its price.
 */
export function writeToSend(
  layout: Layout,
  itemWrites: readonly ItemWrite[],
  changes: readonly PlannedChange[],
): WriteToSend | undefined {
  if (itemWrites.length === 0) return undefined
  assertTransactionSize('write.transaction', itemWrites.length)
  assertItemSizes(layout, itemWrites)
  const request = requestTemplateOf(layout, itemWrites, changes)
  const sent = itemWrites.map(({ expression, mustBeEmpty, rankedCounters, isCascaded, ...write }) => write)
  const ownWrite = sent.find(each => each.isOwn)
  return {
    request,
    itemWrites: sent,
    old: ownWrite?.before,
    // Of an unread item, only the written attributes are known.
    new: ownWrite?.verb === 'Update' && !ownWrite.before ? undefined : ownWrite?.after,
    // A transaction is atomic, so any of its items can serve as proof.
    proof: sent.find(({ newEtag }) => newEtag) ?? ownWrite ?? sent.find(({ isCheck }) => isCheck),
    isAdditive: changes.length === 1 && changes[0]!.verb === 'update' && isAdditive(changes[0]!.patch),
  }
}

/**
 * Whether a patch is additive. A change at a list position is additive too, because the list may have shifted by
 * then.
 */
const isAdditive = (patch: PlannedChange['patch']): boolean =>
  Object.entries(patch).some(
    ([name, { kind, parts }]: [string, { kind: string; parts?: PlannedChange['patch'] }]) =>
      /^\d/.test(name) || /add|pend/.test(kind) || isAdditive(parts ?? {}),
  )

/** The item writes of a request, starting with the receipt. */
export function collectItemWrites(
  layout: Layout,
  changes: readonly PlannedChange[],
  receipt: Receipt | undefined,
  readItems?: ReadItems,
): ItemWrite[] {
  const storedReceipt = receipt && readItems?.get(uniqueKeyTextOf(layout, receipt.item))
  const itemWrites = receipt ? [buildReceiptWrite(layout, receipt)] : []
  // A completed call is not evaluated again, because the condition on the receipt alone rejects it.
  if (!storedReceipt || !isLive(layout, storedReceipt, receipt!.nowSeconds * 1000))
    itemWrites.push(...itemWritesOf(layout, changes, readItems))
  return itemWrites
}

function requestTemplateOf(
  layout: Layout,
  itemWrites: readonly ItemWrite[],
  changes: readonly PlannedChange[],
): RequestTemplate {
  const [{ verb, isOwn }] = itemWrites as [ItemWrite]
  const TransactItems = itemWrites.map(write => toTransactItem(layout, write))
  if (itemWrites.length > 1 || verb === 'ConditionCheck')
    return { operation: 'transactWriteItems', input: { TransactItems } }
  const input = TransactItems[0]![verb] as unknown as RequestInput
  // A request that only writes a receipt returns no row.
  const returns = isOwn && changes[0]?.returns
  if (returns === 'old' || (returns && verb === 'Update')) input.ReturnValues = `ALL_${returns.toUpperCase()}`
  return { operation: `${verb.toLowerCase()}Item` as RequestTemplate['operation'], input }
}

/** The meaning of an item's failed condition. The item that the error returns allows a more precise answer. */
export function conditionOutcomeOf(
  layout: Layout,
  write: WriteToSend,
  index: number,
  current: Item | undefined,
  nowMs: number,
): ConditionOutcome {
  const { names } = layout
  const {
    expectedDerived = {},
    onConditionFailed: outcome,
    withoutUserCondition,
    expectedEtag,
    expectedSummaries = [],
    newEtag,
    expectedCountTag,
    remainingLimits,
    after,
    before,
    aggregateChanges,
  } = write.itemWrites[index]!
  const etag = current?.[names.etag]?.S
  // The response was lost, and the retry met its own write.
  if (etag && etag === newEtag) return 'done'
  if (expectedEtag !== undefined && (current ? `${etag}` : '') !== expectedEtag) return 'retry'
  // A batch job writes summaries without a new etag.
  if (expectedSummaries.some(name => !isSameValue(before?.[name], current?.[name]))) return 'retry'
  if (expectedCountTag !== undefined && (current?.[names.countedState]?.M?.tag?.S ?? '') !== expectedCountTag)
    return 'retry'
  // Entries are written to the map that was read, and they change without a new etag.
  if (
    Object.keys(aggregateChanges).some(
      name => aggregateChanges[name]!.M && !isSameValue(before?.[name], current?.[name]),
    )
  )
    return 'retry'
  const isAsExpected = ([name, value]: [string, AttributeValue]) =>
    current?.[name] ? isSameValue(current[name], value) : isEmptyAggregate(value)
  if (!current?.[names.deletionMark] && !Object.entries(expectedDerived).every(isAsExpected)) return 'write.derived'
  if (outcome === 'done') return etag === after![names.etag]!.S ? outcome : 'write.token'
  const isTallyOff = ([name, N]: (typeof remainingLimits)[number]) =>
    current && isTallyName(name) && current[name]?.N !== N
  if (remainingLimits.some(each => isTallyOff(each) && !isCompleteTally(current![each[0]]))) return 'node.uncounted'
  if (
    remainingLimits.some(each =>
      isTallyName(each[0]) ? isTallyOff(each) : aggregateSize(current?.[each[0]]) !== each[1],
    )
  )
    return 'node.edges'
  if (current?.[names.deletionMark] && outcome.startsWith('write.')) return 'node.deleting'
  return withoutUserCondition === (current && isLive(layout, current, nowMs) ? 'write.exists' : 'write.absent')
    ? withoutUserCondition
    : outcome
}
