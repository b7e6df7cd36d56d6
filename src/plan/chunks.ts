import { TRANSACT_ITEMS } from '../dynamodb/limits.js'
import { GraphError } from '../schema/error.js'

/** Splits a list into chunks of at most `size` elements. */
export function chunksOf<T>(list: readonly T[], size: number): (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size))
}

/** Throws when a transaction would hold more items than DynamoDB allows. */
export function assertTransactionSize(code: 'read.transaction' | 'write.transaction', items: number): void {
  if (items > TRANSACT_ITEMS)
    throw new GraphError(
      code,
      `transaction: ${items} items are more than the ${TRANSACT_ITEMS} that DynamoDB allows; send fewer calls at once, or use $batch.`,
    )
}
