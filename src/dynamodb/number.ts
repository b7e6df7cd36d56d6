import { NUMBER_DIGITS, NUMBER_EXPONENT_MAX, NUMBER_EXPONENT_MIN } from './limits.js'

/** An exact decimal: `0.d1d2d3… × 10^exponent`, without leading or trailing zeros in its digits; zero has no digits. */
export interface ParsedDecimal {
  readonly negative: boolean
  readonly digits: string
  readonly exponent: number
}

export type NumberFault = 'too many digits' | 'too large' | 'too small'

const PLAIN_INTEGER = /^(?:0|-?[1-9][0-9]{0,14})$/
const NUMBER = /^([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?0*[0-9]{1,19}))?$/

/** Parses a decimal of any size; undefined if the text is not a number. */
export function parseDecimal(text: string): ParsedDecimal | undefined {
  const match = NUMBER.exec(text)
  if (!match) return undefined
  const [, sign, integerPart = '', fraction = '', exponentText = '0'] = match
  const allDigits = integerPart + fraction
  if (allDigits === '') return undefined
  const significant = allDigits.replace(/^0+/, '')
  // Matches a run of zeros as a whole. Backtracking into a long run would take quadratic time.
  const digits = significant.replace(/(?<!0)0+$/, '')
  const isZero = digits === ''
  // Zero has no sign, and the exponent of its last written digit.
  return {
    negative: sign === '-' && !isZero,
    digits,
    exponent: significant.length - fraction.length + Number(exponentText) + Number(isZero),
  }
}

/**
 * Returns whether a number can be stored. Zero is subject to the same range, by the exponent of its last written digit.
 */
export function isStorable({ digits, exponent }: ParsedDecimal): boolean {
  return digits.length <= NUMBER_DIGITS && exponent - 1 <= NUMBER_EXPONENT_MAX && exponent - 1 >= NUMBER_EXPONENT_MIN
}

/** Returns why a number cannot be stored, or undefined. */
export function numberFaultOf(decimal: ParsedDecimal): NumberFault | undefined {
  if (isStorable(decimal)) return undefined
  if (decimal.digits.length > NUMBER_DIGITS) return 'too many digits'
  return decimal.exponent > 0 ? 'too large' : 'too small'
}

/** Formats a number as DynamoDB returns it: plain notation without superfluous zeros. */
export function formatDecimal({ negative, digits, exponent }: ParsedDecimal): string {
  if (digits === '') return '0'
  const sign = negative ? '-' : ''
  if (exponent <= 0) return `${sign}0.${'0'.repeat(-exponent)}${digits}`
  if (exponent >= digits.length) return sign + digits + '0'.repeat(exponent - digits.length)
  return `${sign}${digits.slice(0, exponent)}.${digits.slice(exponent)}`
}

/** Returns whether a text already has the format of `formatDecimal`; cheap for the common case. */
export function isPlainInteger(text: string): boolean {
  return PLAIN_INTEGER.test(text)
}

/** Compares two canonical number texts. */
export function compareNumbers(a: string, b: string): number {
  if (a === b) return 0
  if (isPlainInteger(a) && isPlainInteger(b)) return Number(a) - Number(b)
  return compareDecimals(parseDecimal(a)!, parseDecimal(b)!)
}

function compareDecimals(a: ParsedDecimal, b: ParsedDecimal): number {
  const signA = signOf(a)
  const signB = signOf(b)
  if (signA !== signB) return signA - signB
  if (signA === 0) return 0
  if (a.exponent !== b.exponent) return signA * (a.exponent - b.exponent)
  return a.digits === b.digits ? 0 : signA * (a.digits < b.digits ? -1 : 1)
}

function signOf(decimal: ParsedDecimal): number {
  if (decimal.digits === '') return 0
  return decimal.negative ? -1 : 1
}
