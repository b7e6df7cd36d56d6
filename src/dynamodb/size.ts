import type { AttributeValue, Item } from './attribute-value.js'
import { isPlainInteger, parseDecimal } from './number.js'

/** The overhead of a list or a map, and of each element. */
export const CONTAINER_BYTES = 3
export const ELEMENT_BYTES = 1
const NUMBER_BYTES_MAX = 21

/** The number of UTF-8 bytes of a string. */
export function countUtf8Bytes(text: string): number {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x80) continue
    bytes++
    if (code < 0x800) continue
    // A surrogate pair has two UTF-16 code units and four UTF-8 bytes.
    if (code >= 0xd800 && text.codePointAt(i)! > 0xffff) i++
    bytes++
  }
  return bytes
}

/**
 * The size of a number: one byte per pair of digits between the first and the last significant digit, one more byte,
 * and one for a minus sign. Pairs are aligned to the decimal point, which the documentation does not mention: 110 takes
 * two pairs, as 1.5 does, and 1100 takes one.
 */
export function countNumberBytes(text: string): number {
  if (text === '0') return 1
  if (isPlainInteger(text)) return countIntegerBytes(text)
  const { negative, digits, exponent } = parseDecimal(text)!
  if (digits === '') return 1
  return Math.min(1 + countDigitPairs(digits.length, exponent) + (negative ? 1 : 0), NUMBER_BYTES_MAX)
}

function countIntegerBytes(text: string): number {
  const negative = text.charCodeAt(0) === 45 ? 1 : 0
  let end = text.length
  while (text.charCodeAt(end - 1) === 48) end--
  return 1 + countDigitPairs(end - negative, text.length - negative) + negative
}

/**
 * The pairs of digits when the first digit stands this many places before the point. With an odd number of places, the
 * first digit is a pair of its own.
 */
function countDigitPairs(digits: number, places: number): number {
  return Math.ceil((digits + (places & 1)) / 2)
}

export function countValueBytes(value: AttributeValue): number {
  if (value.S !== undefined) return countUtf8Bytes(value.S)
  if (value.N !== undefined) return countNumberBytes(value.N)
  if (value.M !== undefined) return countMapBytes(value.M)
  if (value.L !== undefined)
    return value.L.reduce((sum, element) => sum + ELEMENT_BYTES + countValueBytes(element), CONTAINER_BYTES)
  if (value.B !== undefined) return value.B.byteLength
  if (value.SS !== undefined) return value.SS.reduce((sum, member) => sum + countUtf8Bytes(member), 0)
  if (value.NS !== undefined) return value.NS.reduce((sum, member) => sum + countNumberBytes(member), 0)
  if (value.BS !== undefined) return value.BS.reduce((sum, member) => sum + member.byteLength, 0)
  return 1
}

function countMapBytes(map: Record<string, AttributeValue>): number {
  let bytes = CONTAINER_BYTES
  for (const name in map) bytes += ELEMENT_BYTES + countUtf8Bytes(name) + countValueBytes(map[name]!)
  return bytes
}

/** The size of an item in requests: the name and value of every attribute. */
export function countItemBytes(item: Item): number {
  let bytes = 0
  for (const name in item) bytes += countUtf8Bytes(name) + countValueBytes(item[name]!)
  return bytes
}
