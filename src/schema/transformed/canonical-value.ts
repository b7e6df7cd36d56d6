import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { mapValues } from '../map-values.js'

/** Sorts the sets and maps of a value, which are unordered in DynamoDB, so that equal values have equal texts. */
export function toCanonicalValue(value: AttributeValue): AttributeValue {
  const { SS, NS, BS, L, M } = value
  if (SS) return { SS: [...SS].sort() }
  if (NS) return { NS: [...NS].sort() }
  if (BS) return { BS: [...BS].sort() }
  if (L) return { L: L.map(toCanonicalValue) }
  if (M) return { M: mapValues(Object.fromEntries(Object.entries(M).sort(compareNames)), toCanonicalValue) }
  return value
}

const compareNames = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1)
