import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { NESTING_LEVELS } from '../../dynamodb/limits.js'
import { type Attribute, createAttribute } from '../attribute.js'
import { invalidValueError, storedTypeError } from '../checks/assertions.js'
import { mapValues } from '../map-values.js'
import { decodeNumber, encodeNumber } from './number.js'
import { encodeText } from './string.js'

/** A JSON value. In an input, members may be undefined; they are left out. */
export type Json<Omitted extends undefined = never> =
  | null
  | boolean
  | number
  | string
  | readonly Json<Omitted>[]
  | { readonly [member: string]: Json<Omitted> | Omitted }

/**
 * Declares any JSON value. It is stored as DynamoDB maps, lists and scalars, so that conditions and other clients can
 * read its parts.
 *
 * @example
 * ```ts
 * import { json, node, string } from 'edgewise'
 *
 * const page = node('page', { slug: string(), settings: json().optional() }, { id: 'slug' })
 * ```
 */
export function json(): Attribute<Json, never, Json<undefined>> {
  return createAttribute({ kind: 'json', encode: encodeJson, decode: decodeJson })
}

export function encodeJson(value: unknown, path: string, level = 0): AttributeValue {
  // The innermost value counts as a level of its own.
  if (level >= NESTING_LEVELS)
    throw invalidValueError(path, `at most ${NESTING_LEVELS} levels of nesting`, value, 'value.depth')
  if (value === null) return { NULL: true }
  if (typeof value === 'boolean') return { BOOL: value }
  if (Array.isArray(value))
    return { L: Array.from(value, (element, at) => encodeJson(element, `${path}[${at}]`, level + 1)) }
  const scalar = encodeText(value, path) ?? encodeNumber(value, path)
  if (scalar) return scalar
  if (!isPlain(value)) throw invalidValueError(path, 'a JSON value', value)
  return {
    M: mapValues(value, (member, name) => {
      if (member === undefined) return undefined
      checkMemberName(name, path)
      return encodeJson(member, `${path}.${name}`, level + 1)
    }),
  }
}

/**
 * Rejects empty names, which DynamoDB does not have, and lone surrogates, which UTF-8 would store as another character.
 */
function checkMemberName(name: string, path: string): void {
  if (name === '') throw invalidValueError(path, 'JSON without empty names', name)
  if (!name.isWellFormed())
    throw invalidValueError(path, 'JSON without half a surrogate pair in a name', name, 'value.text')
}

function isPlain(value: unknown): value is Record<string, unknown> {
  const prototype = Object(value) === value ? Object.getPrototypeOf(value) : undefined
  return prototype === null || prototype === Object.prototype
}

export function decodeJson(value: AttributeValue, path = 'value'): Json {
  const { NULL, N, L, M } = value
  if (NULL !== undefined) return null
  if (N !== undefined) return decodeNumber(N, path)
  if (L !== undefined) return L.map((element, at) => decodeJson(element, `${path}[${at}]`))
  if (M !== undefined) return mapValues(M, (member, name) => decodeJson(member, `${path}.${name}`))
  const plain = value.S ?? value.BOOL
  if (plain === undefined) throw storedTypeError(path, 'a JSON value', value)
  return plain
}
