import { TRANSACT_ITEMS } from '../dynamodb/limits.js'
import { GraphError } from '../schema/error.js'

/** A list in parts of no more than so many. */
export function chunksOf<T>(list: readonly T[], most: number): (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / most) }, (_, i) => list.slice(i * most, (i + 1) * most))
}

/** Refuses what does not fit into one transaction. */
export function checkCount(code: 'read.transaction' | 'write.transaction', items: number): void {
  if (items > TRANSACT_ITEMS)
    throw new GraphError(code, `${items} items are more than the ${TRANSACT_ITEMS} of a transaction`)
}
