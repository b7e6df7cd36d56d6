import Big from 'big.js'
import { formatDecimal, isPlainInteger, type NumberFault, numberFault, parseDecimal } from '../../dynamodb/number.js'
import { validation } from '../errors.js'

const FAULTS: Record<NumberFault, string> = {
  'too many digits': 'Attempting to store more than 38 significant digits in a Number',
  'too large': 'Number overflow. Attempting to store a number with magnitude larger than supported range',
  'too small': 'Number underflow. Attempting to store a number with magnitude smaller than supported range',
}

/** The number in the one form in which it is kept and answered; refuses what DynamoDB cannot hold. */
export function canonicalNumber(text: string): string {
  if (isPlainInteger(text)) return text
  if (text === '') throw validation('The parameter cannot be converted to a numeric value')
  const decimal = parseDecimal(text)
  if (!decimal) throw validation(`The parameter cannot be converted to a numeric value: ${text}`)
  const fault = numberFault(decimal)
  if (fault) throw validation(FAULTS[fault])
  return formatDecimal(decimal)
}

/** The exact sum or difference of two canonical numbers, refused where it cannot be held. */
export function addNumbers(a: string, b: string, sign: 1 | -1 = 1): string {
  if (isPlainInteger(a) && isPlainInteger(b)) {
    // Both are below 10^15, so the result is exact.
    return String(Number(a) + sign * Number(b))
  }
  const left = new Big(a)
  return canonicalNumber((sign === 1 ? left.plus(b) : left.minus(b)).toFixed())
}
