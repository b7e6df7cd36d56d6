import { formatDecimal, isPlainInteger, numberFault, parseDecimal } from '../../dynamodb/number.js'
import { type Attribute, kept } from '../attribute.js'
import { GraphError } from '../error.js'
import { wrongValue } from '../refusal.js'

/** A JavaScript number, which DynamoDB holds exactly. */
export function number(): Attribute<number> {
  return kept('number', 'N', 'a number', numberText, readNumber)
}

export function numberText(value: unknown, path: string): string | undefined {
  // -0 would read back as 0, and so is no number here.
  return typeof value === 'number' ? exactText(Object.is(value, -0) ? '-' : String(value), path, value) : undefined
}

export function readNumber(text: string, path: string): number {
  const number = Number(text)
  if (isPlainInteger(text) || (Number.isFinite(number) && plainNumber(String(number)) === plainNumber(text)))
    return number
  throw new GraphError(
    'stored.inexact',
    `${path}: a number cannot hold ${text} exactly: declare bigint() or decimal()`,
    { path, value: text },
  )
}

/** The text in which DynamoDB itself would answer a number. */
export function exactText(text: string, path: string, value: unknown): string {
  const plain = plainNumber(text)
  if (plain !== undefined) return plain
  throw wrongValue(path, '0 or a number of up to 38 digits between 1e-130 and 1e126', value, 'value.number')
}

/** The number in DynamoDB's own notation; undefined where it is none, or none that DynamoDB can hold. */
export function plainNumber(text: string): string | undefined {
  if (isPlainInteger(text)) return text
  const decimal = parseDecimal(text)
  // Zero is one number, however it is written.
  return decimal && (decimal.digits === '' || !numberFault(decimal)) ? formatDecimal(decimal) : undefined
}
