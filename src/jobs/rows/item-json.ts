import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { ATTRIBUTE_TYPES } from '../../dynamodb/attribute-value.js'
import { GraphError } from '../../schema/error.js'
import { fromBase64, toBase64 } from './base64.js'

/**
 * Converts an item to DynamoDB JSON, with binary values in base64.
 *
 * @returns The item as one line of JSON.
 * @example
 * ```ts
 * import { itemToJson } from 'edgewise/jobs'
 *
 * console.log(itemToJson({ PK: { S: 'movie#Big' } }))
 * ```
 */
export function itemToJson(item: Item): string {
  return JSON.stringify(item, (_, value) => (value instanceof Uint8Array ? toBase64(value) : value))
}

/** Converts a parsed object of DynamoDB JSON to an item. */
export function itemFromJson(parsed: unknown): Item {
  return toAttributeMap(parsed, 'the item')
}

function toAttributeMap(parsed: unknown, path: string): Record<string, AttributeValue> {
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw toValueError(path)
  return Object.fromEntries(
    Object.entries(parsed).map(([name, value]) => [name, toAttributeValue(value, `${path}.${name}`)]),
  )
}

function toAttributeValue(parsed: unknown, path: string): AttributeValue {
  const [[type, value] = [], ...more] = Object.entries(Object(parsed)) as [string, unknown][]
  if (more.length > 0 || !ATTRIBUTE_TYPES.some(name => name === type)) throw toValueError(path)
  switch (type) {
    case 'B':
      return { B: toBytes(value, path) }
    case 'BS':
      return { BS: toList(value, path).map(element => toBytes(element, path)) }
    case 'M':
      return { M: toAttributeMap(value, path) }
    case 'L':
      return { L: toList(value, path).map((element, index) => toAttributeValue(element, `${path}[${index}]`)) }
    case 'SS':
    case 'NS':
      return { [type]: toList(value, path) as string[] } as AttributeValue
    case 'S':
    case 'N':
      if (typeof value !== 'string') throw toValueError(path)
      return { [type]: value } as AttributeValue
    default:
      return { [type!]: value } as unknown as AttributeValue
  }
}

function toList(value: unknown, path: string): unknown[] {
  if (!Array.isArray(value)) throw toValueError(path)
  return value
}

function toBytes(value: unknown, path: string): Uint8Array {
  const bytes = typeof value === 'string' ? fromBase64(value) : undefined
  if (!bytes) throw toValueError(path)
  return bytes
}

const toValueError = (path: string) => new GraphError('load.row', `${path} is not an attribute value of DynamoDB`)
