import { type Attribute, kept } from '../attribute.js'
import { wrongValue } from '../refusal.js'

const LONE_SURROGATE = /\p{Surrogate}/u

export function string(): Attribute<string> {
  return kept('string', 'S', 'a string', checkText)
}

/** A text that survives UTF-8. */
export function checkText(value: unknown, path: string): string | undefined {
  if (typeof value !== 'string') return undefined
  if (!LONE_SURROGATE.test(value)) return value
  throw wrongValue(path, 'a text without half a surrogate pair', value, 'value.text')
}
