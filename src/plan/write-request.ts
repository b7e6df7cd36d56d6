import type { Item, Key } from '../dynamodb/attribute-value.js'
import { TRANSACT_ITEMS } from '../dynamodb/limits.js'
import type { Layout } from '../layout/layout.js'
import { GraphError } from '../schema/error.js'
import { partsOf } from './change.js'
import { type Part, textOf } from './change-part.js'
import type { About, Change, Draft, Price, Receipt, Refused } from './plan.js'
import { writePrice } from './write-price.js'
import { receiptPart } from './write-receipt.js'

/** A write that can be sent. */
export interface WriteRequest {
  readonly request: Draft
  /** What the failed condition of each part means; `refusedAs` tells it more exactly. */
  readonly refused: readonly Refused[]
  /** What it means instead, where the caller's condition is not to blame. */
  readonly unless: readonly (Refused | undefined)[]
  /** The etags and the counts that parts had when they were read, and the etags that they set. */
  readonly expects: readonly (string | undefined)[]
  readonly counted: readonly (string | undefined)[]
  readonly sets: readonly (string | undefined)[]
  /** Which node or edge each part is of, and which call wrote it; of a receipt no call, -1. */
  readonly about: readonly About[]
  /**
   * The item of the node or the edge itself before and after, for each call, as far as known before it is sent. Where
   * the request asks for ReturnValues, the answer's Attributes are the one that it asks for, and exact. A call that
   * says what it returns has it in one of the two places.
   */
  readonly rows: readonly { readonly old: Item | undefined; readonly new: Item | undefined }[]
  /** Those of the first call. */
  readonly old: Item | undefined
  readonly new: Item | undefined
  /** How to tell, after a lost answer, that it was done: this item has this etag; undefined: it is gone. */
  readonly settle: { readonly key: Key; readonly etag: string | undefined } | undefined
  /** Whether it can be sent again without adding anything twice. */
  readonly repeatable: boolean
  /** What its receipt says was asked. */
  readonly asked?: string | undefined
  readonly price: Price
}

/**
 * The request of changes, given what was read; undefined where there is nothing to write. One part is sent alone, for
 * half of what a transaction takes.
 */
export function requestOf(
  layout: Layout,
  changes: readonly Change[],
  receipt: Receipt | undefined,
  read?: readonly Item[],
): WriteRequest | undefined {
  const { etag, expires } = layout.names
  const own = receipt && textOf(layout, receipt.item)
  const kept = read?.find(item => textOf(layout, item) === own)
  const parts = receipt ? [receiptPart(layout, receipt)] : []
  // What was done before is not looked at again: the receipt alone is refused.
  if (!kept || Number(kept[expires]!.N) <= receipt!.nowSeconds)
    parts.push(...partsOf(layout, changes, changes.length > 1 || receipt !== undefined, read))
  if (parts.length === 0) return undefined
  checkCount(parts.length)
  const rows = changes.map((_, call) => {
    const { before, after, partial } = parts.find(part => part.own && part.about.call === call) ?? {}
    return { old: before, new: partial ? undefined : after }
  })
  return {
    request: draftOf(layout, parts, changes),
    refused: parts.map(({ refused }) => refused),
    unless: parts.map(({ unless }) => unless),
    expects: parts.map(({ expects }) => expects),
    counted: parts.map(({ counted }) => counted),
    sets: parts.map(({ sets }) => sets),
    about: parts.map(({ about }) => about),
    rows,
    old: rows[0]?.old,
    new: rows[0]?.new,
    settle: settleOf(parts),
    repeatable: parts.some(({ again }) => again === 'refused') || parts.every(({ again }) => again === 'same'),
    asked: receipt?.item[etag]?.S,
    price: writePrice(layout, parts),
  }
}

/** A transaction is done as a whole, so that any item of it tells. */
function settleOf(parts: readonly Part[]): WriteRequest['settle'] {
  const part = parts.find(({ sets }) => sets) ?? parts.find(({ own }) => own)
  return part && { key: part.key, etag: part.sets }
}

const OPERATIONS = { Put: 'putItem', Update: 'updateItem', Delete: 'deleteItem' } as const

function draftOf({ design }: Layout, parts: readonly Part[], changes: readonly Change[]): Draft {
  const [{ verb }] = parts as [Part]
  const [input, ...more] = parts.map(({ verb, key, after, expression }) =>
    expression.into({ TableName: design.name, ...(verb === 'Put' ? { Item: after } : { Key: key }) }),
  )
  if (more.length > 0 || verb === 'ConditionCheck') {
    const TransactItems = [input, ...more].map((members, at) => ({ [parts[at]!.verb]: members }))
    return { operation: 'transactWriteItems', input: { TransactItems } }
  }
  const returns = changes[0]?.returns
  if (returns === 'old' || (returns && verb === 'Update'))
    input!.ReturnValues = returns === 'old' ? 'ALL_OLD' : 'ALL_NEW'
  return { operation: OPERATIONS[verb], input: input! }
}

export function checkCount(parts: number): void {
  if (parts > TRANSACT_ITEMS)
    throw new GraphError('write.transaction', `${parts} items are more than the ${TRANSACT_ITEMS} of a transaction`)
}

/** What the failed condition of a part means, given the item that the refusal showed: it tells more than the part alone. */
export function refusedAs({ names }: Layout, sent: WriteRequest, at: number, shown: Item | undefined): Refused {
  const code = sent.refused[at]!
  const unless = sent.unless[at]
  const expected = sent.expects[at]
  const etag = shown?.[names.etag]?.S
  // An answer was lost, and what was sent again met itself.
  if (etag !== undefined && etag === sent.sets[at]) return 'done'
  if (expected !== undefined && etag !== expected) return 'again'
  if (![undefined, shown?.[names.counted]?.M?.tag?.S ?? ''].includes(sent.counted[at])) return 'again'
  if (code === 'done') return etag === sent.asked ? code : 'write.token'
  if (shown?.[names.going] && code.startsWith('write.')) return 'node.going'
  return unless === (shown ? 'write.exists' : 'write.absent') ? unless : code
}
