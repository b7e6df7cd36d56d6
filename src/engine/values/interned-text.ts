import type { AttributeValue } from '../../dynamodb/attribute-value.js'

const NAMES_MAX = 1000
const TEXT_MAX = 256

const lastValues = new Map<string, AttributeValue>()

/**
 * Returns a text as a value. If the last value with this name had the same text, that value is returned. Items with
 * common attributes, such as a partition key or a type, are mostly written consecutively, so the text is stored once
 * and is cached when the items are read together.
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
