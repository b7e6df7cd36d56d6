import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { type Attribute, createTypedAttribute } from '../attribute.js'
import { invalidValueError } from '../checks/assertions.js'

/** A text. */
export function string(): Attribute<string> {
  return createTypedAttribute('string', 'S', 'a string', encodeText)
}

/** A text that survives UTF-8. */
export function encodeText(value: unknown, path: string): AttributeValue | undefined {
  if (typeof value !== 'string') return undefined
  if (value.isWellFormed()) return { S: value }
  throw invalidValueError(path, 'a text without half a surrogate pair', value, 'value.text')
}
