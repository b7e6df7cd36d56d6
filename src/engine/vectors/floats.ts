import { formatDecimal, parseDecimal } from '../../dynamodb/number.js'

/** The number of 32 bits that is nearest to a decimal, or undefined where that is beyond them all. */
export function toFloat(text: string): number | undefined {
  const float = Math.fround(Number(text))
  // The sign of a zero is lost, as it is in a decimal.
  return Number.isFinite(float) ? float || 0 : undefined
}

/** No number of 32 bits needs more digits to be told from others. */
const DIGITS_MAX = 9

/** The shortest decimal that names a number of 32 bits. The service writes whole ones with a fraction, too. */
export function formatFloat(float: number): string {
  let digits = 1
  while (digits < DIGITS_MAX && Math.fround(Number(float.toPrecision(digits))) !== float) digits++
  const text = formatDecimal(parseDecimal(float.toPrecision(digits))!)
  return text.includes('.') ? text : `${text}.0`
}

/** A decimal that is beyond 32 bits, as the service repeats it. It has more places than digits. */
export function formatOutOfRange(text: string): string {
  const { negative, digits, exponent } = parseDecimal(text)!
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : ''
  return `${negative ? '-' : ''}${digits[0]}${fraction}E+${exponent - 1}`
}
