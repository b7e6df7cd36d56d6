import type { Item, Key } from '../dynamodb/attribute-value.js'
import { TRANSACT_ITEMS } from '../dynamodb/limits.js'
import type { Layout } from '../layout/layout.js'
import { GraphError } from '../schema/error.js'
import { partsOf } from './change.js'
import type { Part } from './change-part.js'
import { keyText } from './identity.js'
import type { Change, Draft, Price, Receipt, Refused } from './plan.js'
import { writePrice } from './write-price.js'
import { receiptPart } from './write-receipt.js'

/** A write that can be sent. */
export interface WriteRequest {
  readonly request: Draft
  /**
   * Of each item that it writes: what its failed condition means, which `refusedAs` tells more exactly; the etag and the
   * count that it had when it was read, and the etag that it gets; which node or edge it is of, and which call wrote it,
   * of a receipt -1.
   */
  readonly parts: readonly Pick<Part, 'refused' | 'unless' | 'expects' | 'counted' | 'sets' | 'about'>[]
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
  const { etag } = layout.names
  const parts = sentParts(layout, changes, receipt, read)
  if (parts.length === 0) return undefined
  checkCount(parts.length)
  const rows = changes.map((_, call) => {
    const { before, after, partial } = parts.find(part => part.own && part.about.call === call) ?? {}
    return { old: before, new: partial ? undefined : after }
  })
  return {
    request: draftOf(layout, parts, changes),
    parts,
    rows,
    old: rows[0]?.old,
    new: rows[0]?.new,
    settle: settleOf(parts),
    repeatable: parts.some(({ again }) => again === 'refused') || parts.every(({ again }) => again === 'same'),
    asked: receipt?.item[etag]?.S,
    price: writePrice(layout, parts),
  }
}

/** The parts of a request, the receipt's first. */
export function sentParts(
  layout: Layout,
  changes: readonly Change[],
  receipt: Receipt | undefined,
  read?: readonly Item[],
): Part[] {
  const own = receipt && keyText(layout, receipt.item)
  const kept = read?.find(item => keyText(layout, item) === own)
  const parts = receipt ? [receiptPart(layout, receipt)] : []
  // What was done before is not looked at again: the receipt alone is refused.
  if (!kept || Number(kept[layout.names.expires]!.N) <= receipt!.nowSeconds)
    parts.push(...partsOf(layout, changes, changes.length > 1 || receipt !== undefined, read))
  return parts
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
  const { refused: code, unless, expects, sets, counted } = sent.parts[at]!
  const etag = shown?.[names.etag]?.S
  // An answer was lost, and what was sent again met itself.
  if (etag !== undefined && etag === sets) return 'done'
  if (expects !== undefined && (shown ? etag : '') !== expects) return 'again'
  if (![undefined, shown?.[names.counted]?.M?.tag?.S ?? ''].includes(counted)) return 'again'
  if (code === 'done') return etag === sent.asked ? code : 'write.token'
  if (shown?.[names.going] && code.startsWith('write.')) return 'node.going'
  return unless === (shown ? 'write.exists' : 'write.absent') ? unless : code
}
