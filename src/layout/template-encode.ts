import type { AttributeValue } from '../dynamodb/attribute-value.js'
import { utf8Bytes } from '../dynamodb/size.js'
import { once } from './once.js'
import { NUMBER } from './slots.js'
import type { Slot, Template } from './template.js'
import { templateError } from './template-error.js'

/** Stored values by the names of the slots. */
export type KeyValues = Readonly<Record<string, AttributeValue | undefined>>

/** The slot of a key that stands in place of one that is too long. */
export const HASH_SLOT = 'hash'

const LOW = /[\0-$]/
const ESCAPED_PART = /(?:[^\0-$]|\$[\0-$])*/y

/** The key that these values make. */
export function encode(template: Template, values: KeyValues): string {
  const { slots, hashed, maxBytes } = template
  const text = beginning(template, values, slots.length)
  const hash = hashed && utf8Bytes(text) > maxBytes && sha256(text)
  return hash ? encode(hashed, { ...values, [HASH_SLOT]: { S: hash } }) : sized(template, text, values)
}

/** Whether the key is a number, and no text. */
export const isNumber = ({ slots }: Template): boolean => slots[0]?.part === NUMBER

/** The same as DynamoDB has it. */
export const keyValue = (template: Template, text: string): AttributeValue =>
  isNumber(template) ? { N: text } : { S: text }

/** By a lesser hash a value could be taken for another. Where there is none, the key stays too long. */
export function sha256(text: string): string | undefined {
  return globalThis.process?.getBuiltinModule?.('node:crypto').createHash('sha256').update(text).digest('hex')
}

/** The key up to the slot of that index, the literal before it included. */
export function beginning(template: Template, values: KeyValues, count: number): string {
  const { slots, literals } = template
  let text = literals[0]!
  for (let index = 0; index < count; index++) {
    const slot = slots[index]!
    text += slotText(template, slot, values[slot.name]) + literals[index + 1]!
  }
  return text
}

export function slotText(template: Template, slot: Slot, value: AttributeValue | undefined): string {
  const { name, part } = slot
  if (!value) throw templateError('key.missing', template, { wrong: 'needs this value', advice: 'give it', slot: name })
  const text = slot.text.write(value)
  if (text !== undefined) return fitted(template, slot, text)
  throw templateError('key.value', template, {
    wrong: `cannot hold this value for {${name}}`,
    advice: `give a valid ${part.kind}()`,
    slot: name,
    details: { value },
  })
}

/** A text as it stands within the key. */
export function fitted(template: Template, { escaped, stop, name }: Slot, text: string): string {
  if (escaped) return escapeText(text)
  const { fold } = template
  const value = fold ? (fold === 'upper' ? text.toUpperCase() : text.toLowerCase()) : text
  if (stop === '' || !value.includes(stop)) return value
  throw templateError('key.separator', template, {
    wrong: `is raw, and '${stop}' ends the value of {${name}}`,
    advice: `give a value without '${stop}'`,
    slot: name,
    details: { value },
  })
}

/** Loops, since a replacement by a pattern takes several times as long. */
export function escapeText(text: string): string {
  if (!LOW.test(text)) return text
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

/** The text, if DynamoDB takes it as a key. */
export function sized(template: Template, text: string, values: KeyValues = {}): string {
  const { maxBytes } = template
  if (text === '')
    throw templateError('key.empty', template, { wrong: 'is an empty text', advice: 'give at least one character' })
  const sizeBytes = utf8Bytes(text)
  if (sizeBytes <= maxBytes) return text
  throw templateError('key.long', template, {
    wrong: `has ${sizeBytes} bytes and may have ${maxBytes}`,
    advice: 'give a shorter value',
    slot: longestSlot(template, values),
    details: { sizeBytes, maxBytes },
  })
}

/** The slot with the most text, where any is known. */
function longestSlot({ slots }: Template, values: KeyValues): string | undefined {
  const lengths = slots.map(({ name, text }) => {
    const value = values[name]
    return { name, length: (value && text.write(value)?.length) ?? 0 }
  })
  const [longest] = lengths.sort((a, b) => b.length - a.length)
  return longest && longest.length > 0 ? longest.name : undefined
}

/** The values that make this key, or undefined where none do. Raw keys tell nothing: their values may have been folded. */
export function decode(template: Template, text: string): Record<string, AttributeValue> | undefined {
  const { mode, hashed } = template
  return mode === 'raw' ? undefined : (decodeParts(template, text) ?? (hashed && decodeParts(hashed, text)))
}

function decodeParts({ literals, slots }: Template, text: string): Record<string, AttributeValue> | undefined {
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
    const value = slot.text.read(slot.escaped ? unescapeText(part) : part)
    const before = values[slot.name]
    // A slot that stands in the template twice has one value.
    if (!value || (before && slot.text.write(before) !== slot.text.write(value))) return undefined
    values[slot.name] = value
    at = end
  }
}

/** Whether a key can have been made by this template. */
export function matches(template: Template, text: string): boolean {
  return template.mode === 'encoded' ? decode(template, text) !== undefined : patternOf(template).test(text)
}

const patternOf = once(({ literals, slots }: Template): RegExp => {
  const parts = slots.map(
    ({ stop }, index) => (stop === '' ? '.*' : `[^${quoted(stop)}]*`) + quoted(literals[index + 1]!),
  )
  return new RegExp(`^${quoted(literals[0]!)}${parts.join('')}$`, 'su')
})

const quoted = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
