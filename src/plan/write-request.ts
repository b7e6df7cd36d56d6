import type { AttributeValue, Item } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import { isProvenTally, isTallyName } from '../layout/tally.js'
import { partsOf } from './change.js'
import { keptCount } from './change-kept.js'
import type { Known, Part } from './change-part.js'
import { sameValue } from './change-values.js'
import { checkCount } from './chunks.js'
import { keyText } from './identity.js'
import type { Change, Draft, Price, Receipt, Refused } from './plan.js'
import { isLive } from './row.js'
import { isNothing } from './write-given.js'
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
  readonly parts: readonly Pick<
    Part,
    'refused' | 'unless' | 'derived' | 'expects' | 'counted' | 'left' | 'sets' | 'about' | 'after' | 'before' | 'kept'
  >[]
  /**
   * Of a single call: the item of the node or the edge itself before and after, as far as known before it is sent. Where
   * the request asks for ReturnValues, the answer's Attributes are the one that it asks for, and exact. A call that
   * says what it returns has it in one of the two places.
   */
  readonly old: Item | undefined
  readonly new: Item | undefined
  /** How to tell, after a lost answer, that it was done: this item has the etag that is set; undefined: it is gone. */
  readonly settle: Pick<Part, 'key' | 'sets'> | undefined
  /** Whether it comes to something else where it is done twice, as a transaction never is. */
  readonly adds: boolean
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
  known?: Known,
): WriteRequest | undefined {
  const parts = sentParts(layout, changes, receipt, known)
  if (!parts[0]) return undefined
  checkCount('write.transaction', parts.length)
  const own = parts.find(part => part.own)
  return {
    request: draftOf(layout, parts, changes),
    parts,
    old: own?.before,
    // Of what is changed unread, only what is written is known.
    new: own?.verb === 'Update' && !own.before ? undefined : own?.after,
    // A transaction is done as a whole, so that any item of it tells.
    settle: parts.find(({ sets }) => sets) ?? own ?? parts.find(({ isCheck }) => isCheck),
    adds: changes.length === 1 && adds(changes[0]!.patch),
    price: writePrice(layout, parts),
  }
}

/** Whether a patch adds something; at a place of a list there may be another element by then, or one more. */
const adds = (patch: Change['patch']): boolean =>
  Object.entries(patch).some(
    ([name, { kind, parts }]: [string, { kind: string; parts?: Change['patch'] }]) =>
      /^\d/.test(name) || /add|pend/.test(kind) || adds(parts ?? {}),
  )

/** The parts of a request, the receipt's first. */
export function sentParts(
  layout: Layout,
  changes: readonly Change[],
  receipt: Receipt | undefined,
  known?: Known,
): Part[] {
  const kept = receipt && known?.get(keyText(layout, receipt.item))
  const parts = receipt ? [receiptPart(layout, receipt)] : []
  // What was done before is not looked at again: the receipt alone is refused.
  if (!kept || !isLive(layout, kept, receipt!.nowSeconds * 1000)) parts.push(...partsOf(layout, changes, known))
  return parts
}

function draftOf({ design }: Layout, parts: readonly Part[], changes: readonly Change[]): Draft {
  const [{ verb, own }] = parts as [Part]
  const TransactItems = parts.map(({ verb, key, after, expression }) => ({
    [verb]: expression.into({ TableName: design.name, ...(verb === 'Put' ? { Item: after } : { Key: key }) }),
  }))
  if (parts.length > 1 || verb === 'ConditionCheck')
    return { operation: 'transactWriteItems', input: { TransactItems } }
  const input = TransactItems[0]![verb]!
  // Where a receipt is all that is written, what was in its place is no row.
  const returns = own && changes[0]?.returns
  if (returns === 'old' || (returns && verb === 'Update')) input.ReturnValues = `ALL_${returns.toUpperCase()}`
  return { operation: `${verb.toLowerCase()}Item` as Draft['operation'], input }
}

/** What the failed condition of a part means, given the item that the refusal showed: it tells more than the part alone. */
export function refusedAs(
  layout: Layout,
  sent: WriteRequest,
  at: number,
  shown: Item | undefined,
  nowMs: number,
): Refused {
  const { names } = layout
  const { derived = {}, refused: code, unless, expects, sets, counted, left, after, before, kept } = sent.parts[at]!
  const etag = shown?.[names.etag]?.S
  // An answer was lost, and what was sent again met itself.
  if (etag && etag === sets) return 'done'
  if (expects !== undefined && (shown ? `${etag}` : '') !== expects) return 'again'
  if (counted !== undefined && (shown?.[names.counted]?.M?.tag?.S ?? '') !== counted) return 'again'
  // Entries are written to the map as it was read, and change under the same etag.
  if (Object.keys(kept).some(name => kept[name]!.M && !sameValue(before?.[name], shown?.[name]))) return 'again'
  const isAsGiven = ([name, value]: [string, AttributeValue]) =>
    shown?.[name] ? sameValue(shown[name], value) : isNothing(value)
  if (!shown?.[names.going] && !Object.entries(derived).every(isAsGiven)) return 'write.derived'
  if (code === 'done') return etag === after![names.etag]!.S ? code : 'write.token'
  const isTallyOff = ([name, N]: (typeof left)[number]) => shown && isTallyName(name) && shown[name]?.N !== N
  if (left.some(each => isTallyOff(each) && !isProvenTally(shown![each[0]]))) return 'node.uncounted'
  if (left.some(each => (isTallyName(each[0]) ? isTallyOff(each) : keptCount(shown?.[each[0]]) !== each[1])))
    return 'node.edges'
  if (shown?.[names.going] && code.startsWith('write.')) return 'node.going'
  return unless === (shown && isLive(layout, shown, nowMs) ? 'write.exists' : 'write.absent') ? unless : code
}
