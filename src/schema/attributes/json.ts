import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { NESTING_LEVELS } from '../../dynamodb/limits.js'
import { type Attribute, attribute } from '../attribute.js'
import { GraphError } from '../error.js'
import { wrongStored, wrongType } from '../refusal.js'
import { decodeNumber, encodeNumber } from './number.js'
import { checkText } from './string.js'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json }

/** Any JSON value, stored as maps, lists and scalars of DynamoDB, so that conditions and other clients can look inside. */
export function json(): Attribute<Json> {
  return attribute({ kind: 'json', encode: encodeJson, decode: decodeJson })
}

export function encodeJson(value: unknown, path: string): AttributeValue {
  return encodeAt(value, path, 0)
}

function encodeAt(value: unknown, path: string, level: number): AttributeValue {
  if (level > NESTING_LEVELS)
    throw new GraphError(
      'value.depth',
      `${path}: DynamoDB holds ${NESTING_LEVELS} levels of lists and maps: flatten the value`,
      { path },
    )
  if (value === null) return { NULL: true }
  if (typeof value === 'boolean') return { BOOL: value }
  if (typeof value === 'string') return { S: checkText(value, path) }
  if (typeof value === 'number') return encodeNumber(value, path)
  if (Array.isArray(value)) return { L: Array.from(value, (each, at) => encodeAt(each, `${path}[${at}]`, level + 1)) }
  if (!isPlain(value)) throw wrongType(path, 'a JSON value', value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return {
    M: Object.fromEntries(members.map(([name, member]) => [name, encodeAt(member, `${path}.${name}`, level + 1)])),
  }
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

export function decodeJson(value: AttributeValue, path = 'value'): Json {
  if (value.NULL !== undefined) return null
  if (value.BOOL !== undefined) return value.BOOL
  if (value.S !== undefined) return value.S
  if (value.N !== undefined) return decodeNumber(value, path)
  if (value.L !== undefined) return value.L.map((each, at) => decodeJson(each, `${path}[${at}]`))
  if (value.M === undefined) throw wrongStored(path, 'a JSON value', value)
  return Object.fromEntries(Object.entries(value.M).map(([name, each]) => [name, decodeJson(each, `${path}.${name}`)]))
}
