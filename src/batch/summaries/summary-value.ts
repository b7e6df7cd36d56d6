import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { fromJsonValue } from '../../jobs/rows/json-values.js'
import { storedAttribute } from '../views/typed-column.js'
import type { SummaryTarget } from './result-query.js'

/** A value of a result as it is stored; undefined if it is NULL. */
export function summaryValue({ attribute, name }: SummaryTarget, value: unknown): AttributeValue | undefined {
  if (value === null || value === undefined) return undefined
  const { kind } = storedAttribute(attribute)
  return attribute.encode(fromJsonValue(attribute.mapped!.inner, plainOf(kind, value), name), name)
}

/** Converts a value of SQL to JSON. Times, and values of bigint(), decimal() and string(), become texts. */
function plainOf(kind: string, value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (kind === 'bigint' || kind === 'decimal' || kind === 'string') return String(value)
  return typeof value === 'bigint' ? Number(value) : value
}
