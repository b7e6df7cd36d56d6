import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { type Attribute, createTypedAttribute } from '../attribute.js'
import { invalidValueError } from '../checks/assertions.js'

/**
 * Declares a text.
 *
 * @example
 * ```ts
 * import { node, string } from 'edgewise'
 *
 * const user = node('user', { email: string(), name: string().optional() }, { id: 'email' })
 * ```
 */
export function string(): Attribute<string> {
  return createTypedAttribute('string', 'S', 'a string', encodeText)
}

/** Encodes a text; throws for a lone surrogate, which UTF-8 cannot represent. */
export function encodeText(value: unknown, path: string): AttributeValue | undefined {
  if (typeof value !== 'string') return undefined
  if (value.isWellFormed()) return { S: value }
  throw invalidValueError(path, 'a text without half a surrogate pair', value, 'value.text')
}
