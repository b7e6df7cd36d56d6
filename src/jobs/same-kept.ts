import type { AttributeValue } from '../dynamodb/attribute-value.js'
import { compareNumbers } from '../dynamodb/number.js'
import { sameValue } from '../plan/change-values.js'

/** Whether counters or entries are the same: a store may write the same number otherwise. */
export function sameKept(one: AttributeValue | undefined, other: AttributeValue | undefined): boolean {
  if (one?.N === undefined || other?.N === undefined) return sameValue(one, other)
  return compareNumbers(one.N, other.N) === 0
}
