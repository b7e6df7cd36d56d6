import type { AttributeValue } from '../dynamodb/attribute-value.js'
import { utf8Bytes } from '../dynamodb/size.js'
import type { Slot, Template } from './template.js'
import { templateError } from './template-error.js'

/** Stored values by the names of the slots. */
export type KeyValues = Readonly<Record<string, AttributeValue | undefined>>

const LOW = /[\0-$]/
const EACH_LOW = /[\0-$]/g
const ESCAPED_PART = /(?:[^\0-$]|\$[\0-$])*/y
const EACH_ESCAPE = /\$([\0-$])/g

/** Whether there is a value for every slot: an item that lacks one is not in a sparse index. */
export function complete({ slots }: Template, values: KeyValues): boolean {
  return slots.every(slot => values[slot.name] !== undefined)
}

/** The key that these values make. */
export function encode(template: Template, values: KeyValues): string {
  return sized(template, beginning(template, values, template.slots.length))
}

/** The key up to the slot of that index, the literal before it included. */
export function beginning(template: Template, values: KeyValues, count: number): string {
  const { slots, literals } = template
  let text = literals[0]!
  for (let index = 0; index < count; index++)
    text += slotText(template, slots[index]!, values[slots[index]!.name]) + literals[index + 1]!
  return text
}

export function slotText(template: Template, slot: Slot, value: AttributeValue | undefined): string {
  const { source } = template
  const { name, part } = slot
  if (value === undefined) throw templateError('key.missing', source, name, `needs a value for {${name}}.`)
  const text = slot.text.write(value)
  if (text !== undefined) return fitted(template, slot, text)
  throw templateError('key.value', source, name, `cannot hold this value for {${name}}: no ${part.kind} that fits.`, {
    value,
  })
}

/** A text as it stands within the key. */
export function fitted({ fold, source }: Template, { escaped, stop, name }: Slot, text: string): string {
  if (escaped) return LOW.test(text) ? text.replace(EACH_LOW, '$$$&') : text
  const value = fold === undefined ? text : fold === 'upper' ? text.toUpperCase() : text.toLowerCase()
  if (stop === '' || !value.includes(stop)) return value
  throw templateError('key.separator', source, name, `is raw, and {${name}} contains "${stop}", which would end it.`, {
    value,
  })
}

/** The text, if DynamoDB takes it as a key. */
export function sized({ source, maxBytes }: Template, text: string): string {
  if (text === '') throw templateError('key.empty', source, undefined, 'is empty with these values.')
  // No character takes more than three bytes for each of its units.
  if (text.length * 3 <= maxBytes) return text
  const sizeBytes = utf8Bytes(text)
  if (sizeBytes <= maxBytes) return text
  throw templateError('key.long', source, undefined, `has ${sizeBytes} bytes with these values; ${maxBytes} fit.`, {
    sizeBytes,
    maxBytes,
  })
}

/** The values that make this key, or undefined where none do. Raw keys tell nothing: their values may have been folded. */
export function decode(template: Template, text: string): Record<string, AttributeValue> | undefined {
  if (template.mode === 'raw')
    throw templateError('key.raw', template.source, undefined, 'is raw: values are not read from it.')
  const { literals, slots } = template
  const values: Record<string, AttributeValue> = {}
  let at = 0
  for (let index = 0; ; index++) {
    const literal = literals[index]!
    if (!text.startsWith(literal, at)) return undefined
    at += literal.length
    const slot = slots[index]
    if (!slot) return at === text.length ? values : undefined
    const part = slot.escaped ? escapedPart(text, at) : text.slice(at)
    at += part.length
    const value = slot.text.read(slot.escaped ? part.replace(EACH_ESCAPE, '$1') : part)
    if (!value || contradicts(slot, values[slot.name], value)) return undefined
    values[slot.name] = value
  }
}

/** Whether a slot that stands in the template twice has two values. */
function contradicts({ text }: Slot, before: AttributeValue | undefined, value: AttributeValue): boolean {
  return before !== undefined && text.write(before) !== text.write(value)
}

function escapedPart(text: string, at: number): string {
  ESCAPED_PART.lastIndex = at
  return ESCAPED_PART.exec(text)![0]
}

/** Whether a key can have been made by this template. */
export function matches(template: Template, text: string): boolean {
  if (template.mode === 'encoded') return decode(template, text) !== undefined
  return rawPattern(template).test(text)
}

function rawPattern({ literals, slots }: Template): RegExp {
  const quoted = literals.map(literal => literal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  const parts = slots.map(({ stop }, index) => (stop === '' ? '.*' : `[^${classed(stop)}]*`) + quoted[index + 1]!)
  return new RegExp(`^${quoted[0]!}${parts.join('')}$`, 'su')
}

const classed = (character: string) => `\\u{${character.codePointAt(0)!.toString(16)}}`
