import { ATTRIBUTE_TYPES, type AttributeValue, type Item } from '../attribute-value.js'
import { fromBase64, toBase64 } from './base64.js'
import { FormatError } from './format-error.js'

/**
 * An item in DynamoDB JSON, in which bytes are base64.
 *
 * @example
 * ```ts
 * import { itemToJson } from 'edgewise/jobs'
 *
 * console.log(itemToJson({ PK: { S: 'movie#Big' }, poster: { B: new Uint8Array([1, 2]) } }))
 * ```
 */
export function itemToJson(item: Item): string {
  return JSON.stringify(item, encodeBytes)
}

/** A replacer for JSON.stringify. It reads the member itself, because `value` of a Buffer is the result of its toJSON. */
export function encodeBytes(this: unknown, name: string, value: unknown): unknown {
  const member = (this as Record<string, unknown>)[name]
  return member instanceof Uint8Array ? toBase64(member) : value
}

/** The item in a member of parsed DynamoDB JSON. `path` names the member in errors. */
export function parseJsonItem(parsed: unknown, path: string): Item {
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw notAValue(path)
  const item: Item = {}
  for (const name of Object.keys(parsed)) {
    const value = parseValue((parsed as Record<string, unknown>)[name], `${path}.${name}`)
    setAttribute(item, name, value)
  }
  return item
}

/** Assigned, an attribute with the name __proto__ would be lost. */
export function setAttribute(item: Item, name: string, value: AttributeValue): void {
  if (name === '__proto__')
    Object.defineProperty(item, name, { value, enumerable: true, configurable: true, writable: true })
  else item[name] = value
}

function parseValue(parsed: unknown, path: string): AttributeValue {
  const [[type, value] = [], ...more] = Object.entries(Object(parsed)) as [string, unknown][]
  if (more.length > 0 || !ATTRIBUTE_TYPES.some(each => each === type)) throw notAValue(path)
  switch (type) {
    case 'B':
      return { B: parseBytes(value, path) }
    case 'BS':
      return { BS: parseList(value, path).map(each => parseBytes(each, path)) }
    case 'M':
      return { M: parseJsonItem(value, path) }
    case 'L':
      return { L: parseList(value, path).map((each, at) => parseValue(each, `${path}[${at}]`)) }
    case 'SS':
    case 'NS':
      return { [type]: parseTexts(value, path) } as unknown as AttributeValue
    case 'S':
    case 'N':
      if (typeof value !== 'string') throw notAValue(path)
      return { [type]: value } as unknown as AttributeValue
    default:
      if (typeof value !== 'boolean') throw notAValue(path)
      return { [type!]: value } as unknown as AttributeValue
  }
}

function parseList(value: unknown, path: string): unknown[] {
  if (!Array.isArray(value)) throw notAValue(path)
  return value
}

function parseTexts(value: unknown, path: string): string[] {
  const texts = parseList(value, path)
  if (!texts.every(text => typeof text === 'string')) throw notAValue(path)
  return texts
}

function parseBytes(value: unknown, path: string): Uint8Array {
  const bytes = typeof value === 'string' ? fromBase64(value) : undefined
  if (!bytes) throw notAValue(path)
  return bytes
}

const notAValue = (path: string) => new FormatError(`${path} is not an attribute value of DynamoDB`)
