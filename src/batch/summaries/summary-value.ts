import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { fromJsonValue } from '../../jobs/rows/json-values.js'
import type { DeclaredAttribute } from '../../schema/declarations.js'
import { storedAttribute } from '../views/typed-column.js'
import type { SummaryTarget } from './result-query.js'

/** A value of a result as it is stored; undefined if it is NULL. */
export function summaryValue({ attribute, name }: SummaryTarget, value: unknown): AttributeValue | undefined {
  if (value === null || value === undefined) return undefined
  return attribute.encode(fromJsonValue(attribute.mapped!.inner, plainOf(attribute, value), name), name)
}

/**
 * Converts a value of SQL to JSON. Times, and values of bigint(), decimal() and string(), become texts. The ids of a
 * built-in are texts, and become numbers where the summary has numbers.
 */
function plainOf(attribute: DeclaredAttribute, value: unknown): unknown {
  const { kind, element } = storedAttribute(attribute)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value) && element) return value.map(each => plainOf(element, each))
  if (kind === 'bigint' || kind === 'decimal' || kind === 'string') return String(value)
  if ((kind === 'integer' || kind === 'number') && typeof value === 'string') return numberOf(value)
  return typeof value === 'bigint' ? Number(value) : value
}

/** A text that is not a number stays, so that its error shows it. */
const numberOf = (text: string) => (text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text))
