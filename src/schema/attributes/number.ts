import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { formatDecimal, isPlainInteger, isStorable, parseDecimal } from '../../dynamodb/number.js'
import { type Attribute, createTypedAttribute } from '../attribute.js'
import { invalidValueError } from '../checks/assertions.js'
import { GraphError } from '../error.js'

/**
 * Declares a JavaScript number, which DynamoDB stores exactly.
 *
 * @example
 * ```ts
 * import { node, number, string } from 'edgewise'
 *
 * const sensor = node('sensor', { id: string(), celsius: number() }, { id: 'id' })
 * ```
 */
export function number(): Attribute<number> {
  return createTypedAttribute('number', 'N', 'a number', encodeNumber, decodeNumber)
}

export function encodeNumber(value: unknown, path: string): AttributeValue | undefined {
  if (typeof value !== 'number') return undefined
  // -0 would be read back as 0, so it is rejected.
  const text = Object.is(value, -0) ? '-' : String(value)
  // Without an exponent, JavaScript and DynamoDB write a number the same way.
  return /^[-.\d]*\d$/.test(text) ? { N: text } : encodeExactNumber(text, path, value)
}

export function decodeNumber(text: string, path: string): number {
  const number = Number(text)
  if (String(number) === text || (Number.isFinite(number) && toPlainNumber(String(number)) === toPlainNumber(text)))
    return number
  throw new GraphError(
    'stored.inexact',
    `${path}: a number cannot represent ${text} exactly; declare bigint() or decimal().`,
    { path, value: text },
  )
}

/** Encodes a number in DynamoDB's own notation; throws if DynamoDB cannot hold it exactly. */
export function encodeExactNumber(text: string, path: string, value: unknown): AttributeValue {
  const N = toPlainNumber(text)
  if (N !== undefined) return { N }
  throw invalidValueError(path, '0 or a number of up to 38 digits between 1e-130 and 1e126', value, 'value.number')
}

/**
 * Converts a number to DynamoDB's own notation. Returns undefined if the text is not a number or DynamoDB cannot hold
 * it.
 */
export function toPlainNumber(text: string): string | undefined {
  if (isPlainInteger(text)) return text
  const decimal = parseDecimal(text)
  // Every notation of zero is the same number.
  return decimal && (decimal.digits === '' || isStorable(decimal)) ? formatDecimal(decimal) : undefined
}
