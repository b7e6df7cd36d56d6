import { TRANSACT_ITEMS } from '../dynamodb/limits.js'
import { GraphError } from '../schema/error.js'

/** A list in parts of no more than so many. */
export function chunksOf<T>(list: readonly T[], size: number): (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size))
}

/** Refuses what does not fit into one transaction. */
export function assertTransactionSize(code: 'read.transaction' | 'write.transaction', items: number): void {
  if (items > TRANSACT_ITEMS)
    throw new GraphError(code, `${items} items are more than the ${TRANSACT_ITEMS} of a transaction`)
}
