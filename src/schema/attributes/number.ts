import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { formatDecimal, isPlainInteger, isStorable, parseDecimal } from '../../dynamodb/number.js'
import { type Attribute, createTypedAttribute } from '../attribute.js'
import { invalidValueError } from '../checks/assertions.js'
import { GraphError } from '../error.js'

/** A JavaScript number, which DynamoDB holds exactly. */
export function number(): Attribute<number> {
  return createTypedAttribute('number', 'N', 'a number', encodeNumber, decodeNumber)
}

export function encodeNumber(value: unknown, path: string): AttributeValue | undefined {
  if (typeof value !== 'number') return undefined
  // -0 would read back as 0, and so is no number here.
  const text = Object.is(value, -0) ? '-' : String(value)
  // What JavaScript writes without an exponent, DynamoDB writes so too.
  return /^[-.\d]*\d$/.test(text) ? { N: text } : encodeExactNumber(text, path, value)
}

export function decodeNumber(text: string, path: string): number {
  const number = Number(text)
  if (String(number) === text || (Number.isFinite(number) && toPlainNumber(String(number)) === toPlainNumber(text)))
    return number
  throw new GraphError(
    'stored.inexact',
    `${path}: a number cannot hold ${text} exactly: declare bigint() or decimal()`,
    { path, value: text },
  )
}

/** The number, in the text in which DynamoDB itself would answer it. */
export function encodeExactNumber(text: string, path: string, value: unknown): AttributeValue {
  const N = toPlainNumber(text)
  if (N !== undefined) return { N }
  throw invalidValueError(path, '0 or a number of up to 38 digits between 1e-130 and 1e126', value, 'value.number')
}

/** The number in DynamoDB's own notation; undefined where it is none, or none that DynamoDB can hold. */
export function toPlainNumber(text: string): string | undefined {
  if (isPlainInteger(text)) return text
  const decimal = parseDecimal(text)
  // Zero is one number, however it is written.
  return decimal && (decimal.digits === '' || isStorable(decimal)) ? formatDecimal(decimal) : undefined
}
