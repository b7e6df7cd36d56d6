import { REQUEST_NESTING_LEVELS } from '../dynamodb/limits.js'
import type { Shape } from '../dynamodb/model/shapes.js'
import { NOT_BASE64, readBase64 } from './base64.js'

/**
 * Puts bytes in place of the base64 texts of a request that was just parsed, wherever its operation has attribute
 * values. What cannot be read stays as it is, for the store to refuse in its own order, and what is wrong with it goes
 * to `faults` in that order.
 */
export type Decode = (value: unknown, faults: string[]) => void

/** Nothing where no request of this shape holds bytes. */
export function decoderOf(shape: Shape): Decode | undefined {
  switch (shape.kind) {
    case 'attributeValue':
      return (value, faults) => decodeValue(value, faults, 0)
    case 'list': {
      const decode = decoderOf(shape.element)
      return decode && ((list, faults) => Array.isArray(list) && decodeAll(decode, list, faults))
    }
    case 'map': {
      const decode = decoderOf(shape.value)
      return decode && ((map, faults) => isObject(map) && decodeAll(decode, Object.values(map), faults))
    }
    case 'structure': {
      const members = shape.order.map(name => [name, decoderOf(shape.members[name]!)] as const)
      const holding = members.filter((member): member is [string, Decode] => member[1] !== undefined)
      if (holding.length === 0) return undefined
      return (structure, faults) => {
        if (isObject(structure)) for (const [name, decode] of holding) decode(structure[name], faults)
      }
    }
    default:
      return undefined
  }
}

function decodeAll(decode: Decode, values: readonly unknown[], faults: string[]): void {
  for (const value of values) decode(value, faults)
}

function decodeValue(value: unknown, faults: string[], level: number): void {
  // Every store refuses what nests deeper, and without looking into it.
  if (!isObject(value) || level > REQUEST_NESTING_LEVELS) return
  if (value.B !== undefined) value.B = decoded(value.B, faults)
  if (Array.isArray(value.BS)) value.BS = value.BS.map(member => decoded(member, faults))
  if (isObject(value.M)) for (const inner of Object.values(value.M)) decodeValue(inner, faults, level + 1)
  if (Array.isArray(value.L)) for (const inner of value.L) decodeValue(inner, faults, level + 1)
}

function decoded(given: unknown, faults: string[]): unknown {
  if (typeof given === 'number' || typeof given === 'boolean') faults.push(NOT_BASE64)
  if (typeof given !== 'string') return given
  const read = readBase64(given)
  if (typeof read !== 'string') return read
  faults.push(read)
  return given
}

/**
 * Whether the text of a request can name a type of bytes; most do not, and need not be decoded. The quotes before the
 * names are left out: what is looked for then begins with a letter that is rare, where a text is full of quotes.
 */
export function mayHoldBytes(text: string): boolean {
  return text.includes('B"') || text.includes('BS"') || text.includes('\\u00')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
