import { formatDecimal, parseDecimal } from '../../dynamodb/number.js'

/** Returns the nearest 32-bit float of a decimal; undefined if it is out of range. */
export function toFloat(text: string): number | undefined {
  const float = Math.fround(Number(text))
  // Drops the sign of zero, which decimals do not have.
  return Number.isFinite(float) ? float || 0 : undefined
}

/** Nine digits distinguish all 32-bit floats. */
const DIGITS_MAX = 9

/** Formats a 32-bit float as the shortest decimal. The service adds a fraction to whole numbers too. */
export function formatFloat(float: number): string {
  let digits = 1
  while (digits < DIGITS_MAX && Math.fround(Number(float.toPrecision(digits))) !== float) digits++
  const text = formatDecimal(parseDecimal(float.toPrecision(digits))!)
  return text.includes('.') ? text : `${text}.0`
}

/**
 * Formats a decimal outside the range of 32-bit floats as the service does in messages. Its exponent exceeds its number
 * of digits.
 */
export function formatOutOfRange(text: string): string {
  const { negative, digits, exponent } = parseDecimal(text)!
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : ''
  return `${negative ? '-' : ''}${digits[0]}${fraction}E+${exponent - 1}`
}
