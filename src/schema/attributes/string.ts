import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { type Attribute, kept } from '../attribute.js'
import { wrongValue } from '../refusal.js'

/** A text. */
export function string(): Attribute<string> {
  return kept('string', 'S', 'a string', storedText)
}

/** A text that survives UTF-8. */
export function storedText(value: unknown, path: string): AttributeValue | undefined {
  if (typeof value !== 'string') return undefined
  if (value.isWellFormed()) return { S: value }
  throw wrongValue(path, 'a text without half a surrogate pair', value, 'value.text')
}
