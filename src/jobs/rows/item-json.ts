import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { ATTRIBUTE_TYPES } from '../../dynamodb/attribute-value.js'
import { GraphError } from '../../schema/error.js'
import { fromBase64, toBase64 } from './base64.js'

/** An item in DynamoDB's own JSON, in which bytes are base64. */
export function itemToJson(item: Item): string {
  return JSON.stringify(item, (_, value) => (value instanceof Uint8Array ? toBase64(value) : value))
}

/** The item that a member of parsed DynamoDB JSON is. */
export function itemFromJson(parsed: unknown): Item {
  return mapOf(parsed, 'the item')
}

function mapOf(parsed: unknown, path: string): Record<string, AttributeValue> {
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw wrong(path)
  return Object.fromEntries(
    Object.entries(parsed).map(([name, value]) => [name, attributeOf(value, `${path}.${name}`)]),
  )
}

function attributeOf(parsed: unknown, path: string): AttributeValue {
  const [[type, value] = [], ...more] = Object.entries(Object(parsed)) as [string, unknown][]
  if (more.length > 0 || !ATTRIBUTE_TYPES.some(each => each === type)) throw wrong(path)
  switch (type) {
    case 'B':
      return { B: bytesOf(value, path) }
    case 'BS':
      return { BS: listOf(value, path).map(each => bytesOf(each, path)) }
    case 'M':
      return { M: mapOf(value, path) }
    case 'L':
      return { L: listOf(value, path).map((each, at) => attributeOf(each, `${path}[${at}]`)) }
    case 'SS':
    case 'NS':
      return { [type]: listOf(value, path) as string[] } as AttributeValue
    case 'S':
    case 'N':
      if (typeof value !== 'string') throw wrong(path)
      return { [type]: value } as AttributeValue
    default:
      return { [type!]: value } as unknown as AttributeValue
  }
}

function listOf(value: unknown, path: string): unknown[] {
  if (!Array.isArray(value)) throw wrong(path)
  return value
}

function bytesOf(value: unknown, path: string): Uint8Array {
  const bytes = typeof value === 'string' ? fromBase64(value) : undefined
  if (!bytes) throw wrong(path)
  return bytes
}

const wrong = (path: string) => new GraphError('load.row', `${path} is no attribute value of DynamoDB`)
