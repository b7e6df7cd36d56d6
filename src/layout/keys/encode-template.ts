import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { countUtf8Bytes } from '../../dynamodb/size.js'
import { memoize } from '../memoize.js'
import { NUMBER_TYPE } from '../slots.js'
import type { KeyTemplate, Slot } from './template.js'
import { createTemplateError } from './template-error.js'

/** Stored values by slot. */
export type KeySlotValues = Readonly<Record<string, AttributeValue | undefined>>

/** The slot of a hashed key, which replaces a key that is too long. */
export const HASH_SLOT = 'hash'

const ESCAPED_CHARACTER = /[\0-$]/
const ESCAPED_PART = /(?:[^\0-$]|\$[\0-$])*/y

/** Encodes slot values as a key. A key that is too long is replaced by a hash where the template allows it. */
export function encodeTemplate(template: KeyTemplate, values: KeySlotValues): string {
  const { slots, hashedTemplate, maxBytes } = template
  const text = encodePrefix(template, values, slots.length)
  const hash = hashedTemplate && countUtf8Bytes(text) > maxBytes && sha256(text)
  return hash
    ? encodeTemplate(hashedTemplate, { ...values, [HASH_SLOT]: { S: hash } })
    : checkKeySize(template, text, values)
}

/** Whether the key is a number instead of a string. */
export const isNumericKey = ({ slots }: KeyTemplate): boolean => slots[0]?.type === NUMBER_TYPE

/** Converts the text of a key to its attribute value. */
export const toKeyAttribute = (template: KeyTemplate, text: string): AttributeValue =>
  isNumericKey(template) ? { N: text } : { S: text }

/**
 * Hashes a text by SHA-256; a weaker hash could let two values collide. Without `node:crypto` it returns undefined, and
 * the key stays too long.
 */
export function sha256(text: string): string | undefined {
  return globalThis.process?.getBuiltinModule?.('node:crypto').createHash('sha256').update(text).digest('hex')
}

/** Encodes the first `count` slots of a key, and the literal after them. */
export function encodePrefix(template: KeyTemplate, values: KeySlotValues, count: number): string {
  const { slots, literals } = template
  let text = literals[0]!
  for (let index = 0; index < count; index++) {
    const slot = slots[index]!
    text += encodeSlot(template, slot, values[slot.name]) + literals[index + 1]!
  }
  return text
}

export function encodeSlot(template: KeyTemplate, slot: Slot, value: AttributeValue | undefined): string {
  const { name, type } = slot
  if (!value)
    throw createTemplateError('key.missing', template, { wrong: 'needs this value', advice: 'give it', slot: name })
  const text = slot.codec.write(value)
  if (text !== undefined) return fitSlotText(template, slot, text)
  throw createTemplateError('key.value', template, {
    wrong: `cannot hold this value for {${name}}`,
    advice: `give a valid ${type.kind}()`,
    slot: name,
    details: { value },
  })
}

/** Escapes or folds a slot's text for its place in the key; throws if a raw text contains its terminator. */
export function fitSlotText(template: KeyTemplate, { escaped, terminator, name }: Slot, text: string): string {
  if (escaped) return escapeText(text)
  const { fold } = template
  const value = fold ? (fold === 'upper' ? text.toUpperCase() : text.toLowerCase()) : text
  if (terminator === '' || !value.includes(terminator)) return value
  throw createTemplateError('key.separator', template, {
    wrong: `is raw, and '${terminator}' ends the value of {${name}}`,
    advice: `give a value without '${terminator}'`,
    slot: name,
    details: { value },
  })
}

/** Escapes the characters up to `$`. The loop is several times as fast as a replacement by a regular expression. */
export function escapeText(text: string): string {
  if (!ESCAPED_CHARACTER.test(text)) return text
  let escaped = ''
  for (const character of text) escaped += character <= '$' ? `$${character}` : character
  return escaped
}

function unescapeText(text: string): string {
  if (!text.includes('$')) return text
  let plain = ''
  for (let i = 0; i < text.length; i++) plain += text[text[i] === '$' ? ++i : i]
  return plain
}

/** Returns the text of a key; throws if it is empty or too long for DynamoDB. */
export function checkKeySize(template: KeyTemplate, text: string, values: KeySlotValues = {}): string {
  const { maxBytes } = template
  if (text === '')
    throw createTemplateError('key.empty', template, {
      wrong: 'is an empty text',
      advice: 'give at least one character',
    })
  const sizeBytes = countUtf8Bytes(text)
  if (sizeBytes <= maxBytes) return text
  throw createTemplateError('key.long', template, {
    wrong: `has ${sizeBytes} bytes and may have ${maxBytes}`,
    advice: 'give a shorter value',
    slot: longestSlot(template, values),
    details: { sizeBytes, maxBytes },
  })
}

/** The slot with the longest text, for the error of a key that is too long. */
function longestSlot({ slots }: KeyTemplate, values: KeySlotValues): string | undefined {
  const lengths = slots.map(({ name, codec }) => {
    const value = values[name]
    return { name, length: (value && codec.write(value)?.length) ?? 0 }
  })
  const [longest] = lengths.sort((a, b) => b.length - a.length)
  return longest && longest.length > 0 ? longest.name : undefined
}

/**
 * Decodes a key to its slot values. Returns undefined if the template cannot make this key. Raw keys cannot be decoded,
 * because their values may have been folded.
 */
export function decodeTemplate(template: KeyTemplate, text: string): Record<string, AttributeValue> | undefined {
  const { mode, hashedTemplate } = template
  return mode === 'raw'
    ? undefined
    : (decodeSlots(template, text) ?? (hashedTemplate && decodeSlots(hashedTemplate, text)))
}

function decodeSlots({ literals, slots }: KeyTemplate, text: string): Record<string, AttributeValue> | undefined {
  const values: Record<string, AttributeValue> = {}
  let at = 0
  for (let index = 0; ; index++) {
    const literal = literals[index]!
    if (!text.startsWith(literal, at)) return undefined
    at += literal.length
    const slot = slots[index]
    if (!slot) return at === text.length ? values : undefined
    ESCAPED_PART.lastIndex = at
    const end = slot.escaped && ESCAPED_PART.test(text) ? ESCAPED_PART.lastIndex : text.length
    const part = text.slice(at, end)
    const value = slot.codec.read(slot.escaped ? unescapeText(part) : part)
    const earlier = values[slot.name]
    // A slot that occurs twice in the template must have the same value both times.
    if (!value || (earlier && slot.codec.write(earlier) !== slot.codec.write(value))) return undefined
    values[slot.name] = value
    at = end
  }
}

/** Whether a template can make this key. */
export function canMakeKey(template: KeyTemplate, text: string): boolean {
  return template.mode === 'encoded'
    ? decodeTemplate(template, text) !== undefined
    : templatePatternOf(template).test(text)
}

const templatePatternOf = memoize(({ literals, slots }: KeyTemplate): RegExp => {
  const parts = slots.map(
    ({ terminator }, index) =>
      (terminator === '' ? '.*' : `[^${escapeRegExp(terminator)}]*`) + escapeRegExp(literals[index + 1]!),
  )
  return new RegExp(`^${escapeRegExp(literals[0]!)}${parts.join('')}$`, 'su')
})

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
