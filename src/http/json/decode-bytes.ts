import { REQUEST_NESTING_LEVELS } from '../../dynamodb/limits.js'
import type { ModelShape } from '../../dynamodb/model/shapes.js'
import { NOT_BASE64, parseBase64 } from './base64.js'

/**
 * Replaces the base64 texts of a parsed request by bytes, at every attribute value of its operation. Invalid texts stay
 * unchanged, so that the store rejects them in its own order of checks; their messages go to `faults` in that order.
 */
export type ByteDecoder = (value: unknown, faults: string[]) => void

/** Undefined if no request of this shape contains bytes. */
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
  // Every store rejects deeper values without reading them.
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
 * Returns whether the JSON text may contain a type of bytes; most requests do not and skip the decoding. The search
 * omits the opening quote, because a search that begins with a rare letter is faster than one that begins with a quote.
 */
export function canHoldBytes(text: string): boolean {
  return text.includes('B"') || text.includes('BS"') || text.includes('\\u00')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
