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

/** The decimal that a text denotes, of any size, or undefined where it denotes none. */
export function parseDecimal(text: string): ParsedDecimal | undefined {
  const match = NUMBER.exec(text)
  if (!match) return undefined
  const [, sign, integerPart = '', fraction = '', exponentText = '0'] = match
  const allDigits = integerPart + fraction
  if (allDigits === '') return undefined
  const significant = allDigits.replace(/^0+/, '')
  // Only a run of zeros as a whole is tried: for each zero of it, a long one would be gone through again.
  const digits = significant.replace(/(?<!0)0+$/, '')
  const isZero = digits === ''
  // Zero has no sign, and the exponent of its last written digit.
  return {
    negative: sign === '-' && !isZero,
    digits,
    exponent: significant.length - fraction.length + Number(exponentText) + Number(isZero),
  }
}

/** Whether a number can be stored. Zero is held to the same range, by the exponent that its last written digit has. */
export function isStorable({ digits, exponent }: ParsedDecimal): boolean {
  return digits.length <= NUMBER_DIGITS && exponent - 1 <= NUMBER_EXPONENT_MAX && exponent - 1 >= NUMBER_EXPONENT_MIN
}

/** What keeps a number from being stored, if anything. */
export function numberFaultOf(decimal: ParsedDecimal): NumberFault | undefined {
  if (isStorable(decimal)) return undefined
  if (decimal.digits.length > NUMBER_DIGITS) return 'too many digits'
  return decimal.exponent > 0 ? 'too large' : 'too small'
}

/** The text in which DynamoDB answers a number: plain notation, no superfluous zeros. */
export function formatDecimal({ negative, digits, exponent }: ParsedDecimal): string {
  if (digits === '') return '0'
  const sign = negative ? '-' : ''
  if (exponent <= 0) return `${sign}0.${'0'.repeat(-exponent)}${digits}`
  if (exponent >= digits.length) return sign + digits + '0'.repeat(exponent - digits.length)
  return `${sign}${digits.slice(0, exponent)}.${digits.slice(exponent)}`
}

/** Whether a text is already in the form that `formatDecimal` gives, decided cheaply for the common case. */
export function isPlainInteger(text: string): boolean {
  return PLAIN_INTEGER.test(text)
}

/** Orders two canonical number texts. */
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
