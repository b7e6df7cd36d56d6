import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { isCompleteTally, isTallyName } from '../../layout/items/tally.js'
import type { Layout } from '../../layout/layout.js'
import { assertTransactionSize } from '../chunks.js'
import { uniqueKeyTextOf } from '../identity.js'
import type { ConditionOutcome, PlannedChange, Price, Receipt, RequestTemplate } from '../plan.js'
import { writePrice } from '../price/write-price.js'
import { isLive } from '../row.js'
import { isSameValue } from '../slot-values.js'
import { aggregateSize } from './effects/aggregates.js'
import { itemWritesOf } from './effects/apply-changes.js'
import type { ItemWrite, ReadItems } from './effects/item-write.js'
import { isEmptyAggregate } from './intent/row-change.js'
import { buildReceiptWrite } from './receipt.js'

/** A write that can be sent. */
export interface WriteToSend {
  readonly request: RequestTemplate
  /**
   * Of each item that it writes: what its failed condition means, which `conditionOutcomeOf` tells more exactly; the etag and the
   * count that it had when it was read, and the etag that it gets; which node or edge it is of, and which call wrote it,
   * of a receipt -1.
   */
  readonly itemWrites: readonly Pick<
    ItemWrite,
    | 'onConditionFailed'
    | 'withoutUserCondition'
    | 'expectedDerived'
    | 'expectedEtag'
    | 'expectedCountTag'
    | 'remainingLimits'
    | 'newEtag'
    | 'subject'
    | 'after'
    | 'before'
    | 'aggregateChanges'
  >[]
  /**
   * Of a single call: the item of the node or the edge itself before and after, as far as known before it is sent. Where
   * the request asks for ReturnValues, the answer's Attributes are the one that it asks for, and exact. A call that
   * says what it returns has it in one of the two places.
   */
  readonly old: Item | undefined
  readonly new: Item | undefined
  /** How to tell, after a lost answer, that it was done: this item has the etag that is set; undefined: it is gone. */
  readonly proof: Pick<ItemWrite, 'key' | 'newEtag'> | undefined
  /** Whether it comes to something else where it is done twice, as a transaction never is. */
  readonly isAdditive: boolean
  readonly price: Price
}

/**
 * The request of changes, given what was read; undefined where there is nothing to write. One part is sent alone, for
 * half of what a transaction takes.
 */
export function writeToSend(
  layout: Layout,
  changes: readonly PlannedChange[],
  receipt: Receipt | undefined,
  readItems?: ReadItems,
): WriteToSend | undefined {
  const itemWrites = collectItemWrites(layout, changes, receipt, readItems)
  if (!itemWrites[0]) return undefined
  assertTransactionSize('write.transaction', itemWrites.length)
  const ownWrite = itemWrites.find(each => each.isOwn)
  return {
    request: requestTemplateOf(layout, itemWrites, changes),
    itemWrites,
    old: ownWrite?.before,
    // Of what is changed unread, only what is written is known.
    new: ownWrite?.verb === 'Update' && !ownWrite.before ? undefined : ownWrite?.after,
    // A transaction is done as a whole, so that any item of it tells.
    proof: itemWrites.find(({ newEtag }) => newEtag) ?? ownWrite ?? itemWrites.find(({ isCheck }) => isCheck),
    isAdditive: changes.length === 1 && isAdditive(changes[0]!.patch),
    price: writePrice(layout, itemWrites),
  }
}

/** Whether a patch adds something; at a place of a list there may be another element by then, or one more. */
const isAdditive = (patch: PlannedChange['patch']): boolean =>
  Object.entries(patch).some(
    ([name, { kind, parts }]: [string, { kind: string; parts?: PlannedChange['patch'] }]) =>
      /^\d/.test(name) || /add|pend/.test(kind) || isAdditive(parts ?? {}),
  )

/** The parts of a request, the receipt's first. */
export function collectItemWrites(
  layout: Layout,
  changes: readonly PlannedChange[],
  receipt: Receipt | undefined,
  readItems?: ReadItems,
): ItemWrite[] {
  const storedReceipt = receipt && readItems?.get(uniqueKeyTextOf(layout, receipt.item))
  const itemWrites = receipt ? [buildReceiptWrite(layout, receipt)] : []
  // What was done before is not looked at again: the receipt alone is refused.
  if (!storedReceipt || !isLive(layout, storedReceipt, receipt!.nowSeconds * 1000))
    itemWrites.push(...itemWritesOf(layout, changes, readItems))
  return itemWrites
}

function requestTemplateOf(
  { design }: Layout,
  itemWrites: readonly ItemWrite[],
  changes: readonly PlannedChange[],
): RequestTemplate {
  const [{ verb, isOwn }] = itemWrites as [ItemWrite]
  const TransactItems = itemWrites.map(({ verb, key, after, expression }) => ({
    [verb]: expression.addWriteTo({ TableName: design.name, ...(verb === 'Put' ? { Item: after } : { Key: key }) }),
  }))
  if (itemWrites.length > 1 || verb === 'ConditionCheck')
    return { operation: 'transactWriteItems', input: { TransactItems } }
  const input = TransactItems[0]![verb]!
  // Where a receipt is all that is written, what was in its place is no row.
  const returns = isOwn && changes[0]?.returns
  if (returns === 'old' || (returns && verb === 'Update')) input.ReturnValues = `ALL_${returns.toUpperCase()}`
  return { operation: `${verb.toLowerCase()}Item` as RequestTemplate['operation'], input }
}

/** What the failed condition of a part means, given the item that the refusal showed: it tells more than the part alone. */
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
    newEtag,
    expectedCountTag,
    remainingLimits,
    after,
    before,
    aggregateChanges,
  } = write.itemWrites[index]!
  const etag = current?.[names.etag]?.S
  // An answer was lost, and what was sent again met itself.
  if (etag && etag === newEtag) return 'done'
  if (expectedEtag !== undefined && (current ? `${etag}` : '') !== expectedEtag) return 'retry'
  if (expectedCountTag !== undefined && (current?.[names.countedState]?.M?.tag?.S ?? '') !== expectedCountTag)
    return 'retry'
  // Entries are written to the map as it was read, and change under the same etag.
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
  if (current?.[names.deletionMark] && outcome.startsWith('write.')) return 'node.going'
  return withoutUserCondition === (current && isLive(layout, current, nowMs) ? 'write.exists' : 'write.absent')
    ? withoutUserCondition
    : outcome
}
