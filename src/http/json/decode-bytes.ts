import { REQUEST_NESTING_LEVELS } from '../../dynamodb/limits.js'
import type { ModelShape } from '../../dynamodb/model/shapes.js'
import { NOT_BASE64, parseBase64 } from './base64.js'

/**
 * Puts bytes in place of the base64 texts of a request that was just parsed, wherever its operation has attribute
 * values. What cannot be read stays as it is, for the store to refuse in its own order, and what is wrong with it goes
 * to `faults` in that order.
 */
export type ByteDecoder = (value: unknown, faults: string[]) => void

/** Nothing where no request of this shape holds bytes. */
export function byteDecoderOf(shape: ModelShape): ByteDecoder | undefined {
  switch (shape.kind) {
    case 'attributeValue':
      return (value, faults) => decodeValue(value, faults, 0)
    case 'list': {
      const decode = byteDecoderOf(shape.element)
      return decode && ((list, faults) => Array.isArray(list) && decodeEach(decode, list, faults))
    }
    case 'map': {
      const decode = byteDecoderOf(shape.value)
      return decode && ((map, faults) => isObject(map) && decodeEach(decode, Object.values(map), faults))
    }
    case 'structure': {
      const members = shape.order.map(name => [name, byteDecoderOf(shape.members[name]!)] as const)
      const membersWithBytes = members.filter((member): member is [string, ByteDecoder] => member[1] !== undefined)
      if (membersWithBytes.length === 0) return undefined
      return (structure, faults) => {
        if (isObject(structure)) for (const [name, decode] of membersWithBytes) decode(structure[name], faults)
      }
    }
    default:
      return undefined
  }
}

function decodeEach(decode: ByteDecoder, values: readonly unknown[], faults: string[]): void {
  for (const value of values) decode(value, faults)
}

function decodeValue(value: unknown, faults: string[], level: number): void {
  // Every store refuses what nests deeper, and without looking into it.
  if (!isObject(value) || level > REQUEST_NESTING_LEVELS) return
  if (value.B !== undefined) value.B = decodeBase64Member(value.B, faults)
  if (Array.isArray(value.BS)) value.BS = value.BS.map(member => decodeBase64Member(member, faults))
  if (isObject(value.M)) for (const inner of Object.values(value.M)) decodeValue(inner, faults, level + 1)
  if (Array.isArray(value.L)) for (const inner of value.L) decodeValue(inner, faults, level + 1)
}

function decodeBase64Member(member: unknown, faults: string[]): unknown {
  if (typeof member === 'number' || typeof member === 'boolean') faults.push(NOT_BASE64)
  if (typeof member !== 'string') return member
  const bytes = parseBase64(member)
  if (typeof bytes !== 'string') return bytes
  faults.push(bytes)
  return member
}

/**
 * Whether the text of a request can name a type of bytes; most do not, and need not be decoded. The quotes before the
 * names are left out: what is looked for then begins with a letter that is rare, where a text is full of quotes.
 */
export function canHoldBytes(text: string): boolean {
  return text.includes('B"') || text.includes('BS"') || text.includes('\\u00')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
