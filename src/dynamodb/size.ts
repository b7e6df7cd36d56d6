import type { AttributeValue, Item } from './attribute-value.js'
import { isPlainInteger, parseDecimal } from './number.js'

/** What a list or a map takes beside its elements, and what each element takes beside its value. */
export const CONTAINER_BYTES = 3
export const ELEMENT_BYTES = 1
const NUMBER_BYTES_MAX = 21

/** UTF-8 bytes of a string. */
export function countUtf8Bytes(text: string): number {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x80) continue
    bytes++
    if (code < 0x800) continue
    // A pair of surrogates is two units here and four bytes in UTF-8.
    if (code >= 0xd800 && text.codePointAt(i)! > 0xffff) i++
    bytes++
  }
  return bytes
}

/**
 * A byte for each pair of digits from the first significant one to the last, one more, and one for a minus sign. Pairs
 * are counted from the point on, which the documentation does not say: 110 takes two of them, as 1.5 does, and 1100 one.
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

/** Of digits the first of which stands so many places before the point; where that is odd, it is a pair by itself. */
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

/** What an item counts for requests: every attribute's name and value. */
export function countItemBytes(item: Item): number {
  let bytes = 0
  for (const name in item) bytes += countUtf8Bytes(name) + countValueBytes(item[name]!)
  return bytes
}
