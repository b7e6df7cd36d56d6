import type { AttributeValue } from '../dynamodb/attribute-value.js'
import { compareNumbers } from '../dynamodb/number.js'
import { isSameValue } from '../plan/slot-values.js'

/**
 * Whether two counters or entries are equal. Numbers are compared by value, because stores may write them in different
 * notations.
 */
export function isSameAggregate(first: AttributeValue | undefined, second: AttributeValue | undefined): boolean {
  if (first?.N === undefined || second?.N === undefined) return isSameValue(first, second)
  return compareNumbers(first.N, second.N) === 0
}
