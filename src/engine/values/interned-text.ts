import type { AttributeValue } from '../../dynamodb/attribute-value.js'

const NAMES_MAX = 1000
const TEXT_MAX = 256

const lastValues = new Map<string, AttributeValue>()

/**
 * A text as a value. Where the latest of this name had the same text it is that one: what items have in common, such as
 * the key of their partition or their type, is mostly written one after another, so it takes memory once and is at hand
 * when they are read together.
 */
export function internText(name: string, text: string): AttributeValue {
  const last = lastValues.get(name)
  if (last?.S === text) return last
  const value = Object.freeze({ S: text })
  if (text.length > TEXT_MAX) return value
  if (lastValues.size >= NAMES_MAX) lastValues.clear()
  lastValues.set(name, value)
  return value
}
