import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { formatDecimal, parseDecimal } from '../../dynamodb/number.js'
import { toByteText } from '../values/binaries.js'

const ZERO = '\x80'
const DIGIT_PAIRS_MAX = 20
const NEGATIVE_END = 102

/** Encodes a key value as bytes, one character each. The order of the bytes is the order of values of the same type. */
export function toKeyBytes(value: AttributeValue): string {
  if (value.S !== undefined) return Buffer.from(value.S, 'utf8').toString('latin1')
  if (value.N !== undefined) return toNumberKeyBytes(value.N)
  return toByteText(value.B!)
}

/**
 * Encodes a number as the service packs and hashes it: an exponent of 100, then pairs of digits from 1 to 100. A
 * negative number has an inverted exponent, pairs from 101 down, and an end marker that sorts after every pair.
 */
function toNumberKeyBytes(text: string): string {
  const { negative, digits, exponent } = parseDecimal(text)!
  if (digits === '') return ZERO
  const odd = exponent & 1
  const aligned = (odd ? '0' : '') + digits
  const head = (exponent + odd) / 2 - 64
  let bytes = String.fromCharCode((negative ? ~head : head) & 255)
  let pairs = 0
  for (let i = 0; i < aligned.length; i += 2, pairs++) {
    const pair = (aligned.charCodeAt(i) - 48) * 10 + (i + 1 < aligned.length ? aligned.charCodeAt(i + 1) - 48 : 0)
    bytes += String.fromCharCode(negative ? 101 - pair : pair + 1)
  }
  return negative && pairs < DIGIT_PAIRS_MAX ? bytes + String.fromCharCode(NEGATIVE_END) : bytes
}

/** Decodes the number that `toNumberKeyBytes` encoded. */
export function fromNumberKeyBytes(bytes: string): string {
  if (bytes === ZERO) return '0'
  const first = bytes.charCodeAt(0)
  const negative = first < 128
  const exponent = ((negative ? ~first : first - 256) + 64) * 2
  let digits = ''
  for (let i = 1; i < bytes.length; i++) {
    const byte = bytes.charCodeAt(i)
    if (negative && byte === NEGATIVE_END) break
    digits += String(negative ? 101 - byte : byte - 1).padStart(2, '0')
  }
  const leading = digits.startsWith('0') ? 1 : 0
  return formatDecimal({
    negative,
    digits: digits.slice(leading).replace(/0+$/, ''),
    exponent: exponent - leading,
  })
}
