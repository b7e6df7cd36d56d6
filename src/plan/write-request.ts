import type { Item } from '../dynamodb/attribute-value.js'
import { TRANSACT_ITEMS } from '../dynamodb/limits.js'
import type { TransactWriteItem } from '../dynamodb/operations/transactions.js'
import type { Layout } from '../layout/layout.js'
import { GraphError } from '../schema/error.js'
import { keyOf, keyText, type Written } from './change-part.js'
import type { Change, Draft, Price, Refused } from './plan.js'
import { writePrice } from './write-price.js'

/** A write that can be sent. */
export interface WriteRequest {
  readonly request: Draft
  /** What the failed condition of each part means. */
  readonly refused: readonly Refused[]
  /** The etags that parts had when they were read. */
  readonly expects: readonly (string | undefined)[]
  /** The own items before and after, as far as known before it is sent. */
  readonly old: Item | undefined
  readonly new: Item | undefined
  readonly price: Price
}

/** One part is sent alone, for half of what a transaction takes; undefined where there is nothing to write. */
export function writeRequest(
  layout: Layout,
  written: readonly Written[],
  returns?: Change['returns'],
): WriteRequest | undefined {
  const [own] = written
  if (!own) return undefined
  const parts = written.map(each => told(each))
  checkParts(layout, parts)
  return {
    request:
      parts.length === 1
        ? alone(parts[0]!, returns)
        : { operation: 'transactWriteItems', input: { TransactItems: parts } },
    refused: written.map(({ refused }) => refused),
    expects: written.map(({ expects }) => expects),
    old: own.before,
    new: own.after,
    price: writePrice(layout, written),
  }
}

/** Where a part was read, a refusal tells the etag that it has by now. */
function told({ part, expects }: Written): TransactWriteItem {
  if (expects === undefined) return part
  const [verb, members] = Object.entries(part)[0]!
  return { [verb]: { ...members, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } }
}

function alone({ Put, Update, Delete }: TransactWriteItem, returns: Change['returns']): Draft {
  if (Update) {
    const asked = returns && { ReturnValues: returns === 'old' ? 'ALL_OLD' : 'ALL_NEW' }
    return { operation: 'updateItem', input: { ...Update, ...asked } }
  }
  const old = returns === 'old' && { ReturnValues: 'ALL_OLD' }
  if (Put) return { operation: 'putItem', input: { ...Put, ...old } }
  return { operation: 'deleteItem', input: { ...Delete, ...old } }
}

/** Refuses what one request cannot write. */
export function checkParts(layout: Layout, parts: readonly TransactWriteItem[], most: number = TRANSACT_ITEMS): void {
  const keys = parts.map(({ Put, Update, Delete, ConditionCheck }) =>
    keyText(Put ? keyOf(layout, Put.Item) : (Update ?? Delete ?? ConditionCheck)!.Key),
  )
  const twice = keys.find((key, i) => keys.indexOf(key) !== i)
  if (twice !== undefined || parts.length > most)
    throw new GraphError(
      'write.transaction',
      twice === undefined
        ? `this writes ${parts.length} items, and a transaction takes ${most}: write less at once`
        : `this writes the item ${twice} twice, which a transaction cannot: write one after the other`,
    )
}
