import Big from 'big.js'
import {
  formatDecimal,
  isPlainInteger,
  type NumberFault,
  numberFaultOf,
  type ParsedDecimal,
  parseDecimal,
} from '../../dynamodb/number.js'
import { type ServiceError, validationError } from '../errors.js'
import type { ValidatorLayer } from './validator-layer.js'

const FAULTS: Record<NumberFault, string> = {
  'too many digits': 'Attempting to store more than 38 significant digits in a Number',
  'too large': 'Number overflow. Attempting to store a number with magnitude larger than supported range',
  'too small': 'Number underflow. Attempting to store a number with magnitude smaller than supported range',
}

/** Returns a number in canonical form. Throws if DynamoDB cannot store it. */
export function toCanonicalNumber(text: string, layer: ValidatorLayer = 'current'): string {
  if (isPlainInteger(text)) return text
  if (text === '' && layer === 'older') throw validationError(NOT_NUMERIC)
  const decimal = parseDecimal(text)
  if (!decimal || isExponentTooLarge(text)) throw notNumericError(text)
  const fault = numberFaultOf(decimal)
  if (fault) throw layer === 'older' ? olderValidatorError(text, decimal, fault) : validationError(FAULTS[fault])
  return formatDecimal(decimal)
}

/** Returns whether an exponent exceeds 64 bits, which the service cannot read. */
function isExponentTooLarge(text: string): boolean {
  const [, power = ''] = /e(.*)$/i.exec(text) ?? []
  return power.length >= 19 && BigInt.asIntN(64, BigInt(power)) !== BigInt(power)
}

const NOT_NUMERIC = 'The parameter cannot be converted to a numeric value'
const notNumericError = (text: string) => validationError(`${NOT_NUMERIC}: ${text}`)

/**
 * Creates the older validator's error. BigDecimal has 32 bits for the exponent: larger exponents are not numeric, and
 * the largest are reported as too small.
 */
function olderValidatorError(text: string, { exponent }: ParsedDecimal, fault: NumberFault): ServiceError {
  const [, fraction = '', power = '0'] = /(?:\.([0-9]*))?(?:e(.*))?$/i.exec(text)!
  if (!isInt(Number(power)) || !isInt(fraction.length - Number(power))) return notNumericError(text)
  return validationError(FAULTS[exponent >= INT_MAX ? 'too small' : fault])
}

const INT_MAX = 2 ** 31 - 1
const isInt = (value: number) => value >= -INT_MAX - 1 && value <= INT_MAX

/** Returns the exact sum or difference of two canonical numbers. Throws if DynamoDB cannot store it. */
export function addNumbers(a: string, b: string, sign: 1 | -1 = 1): string {
  if (isPlainInteger(a) && isPlainInteger(b)) {
    // Both numbers are below 10^15, so the result is exact.
    return String(Number(a) + sign * Number(b))
  }
  const left = new Big(a)
  const decimal = parseDecimal((sign === 1 ? left.plus(b) : left.minus(b)).toFixed())!
  const fault = numberFaultOf(decimal)
  // The service reports too many digits as too large.
  if (fault) throw validationError(FAULTS[fault === 'too many digits' ? 'too large' : fault])
  return formatDecimal(decimal)
}
