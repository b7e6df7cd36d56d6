import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { compareUtf8 } from './compare-utf8.js'
import {
  checkKeySize,
  encodePrefix,
  encodeSlot,
  encodeTemplate,
  fitSlotText,
  type KeySlotValues,
} from './encode-template.js'
import type { KeyTemplate, Slot } from './template.js'
import { createTemplateError } from './template-error.js'

/** A test of the first slot without a fixed value. Both bounds of a range are inclusive. */
export type LastSlotTest =
  | { readonly from?: AttributeValue | undefined; readonly to?: AttributeValue | undefined }
  | { readonly startsWith: string }

/** A condition on a key: one text, a prefix, or an inclusive range. A range without bounds is always true. */
export type TemplateCondition =
  | { readonly equal: string }
  | { readonly beginning: string }
  | { readonly from?: string | undefined; readonly to?: string | undefined }

/**
 * Returns the condition on a key for slot values given from the left, and a test of the next slot. Returns undefined
 * for an empty range, which DynamoDB would reject.
 */
export function templateConditionOf(
  template: KeyTemplate,
  values: KeySlotValues,
  last?: LastSlotTest,
): TemplateCondition | undefined {
  const slotCount = countLeadingSlots(template, values)
  const slot = template.slots[slotCount]
  if (!slot) return { equal: encodeTemplate(template, values) }
  const prefix = encodePrefix(template, values, slotCount)
  const isPrefixTest = last && 'startsWith' in last
  if (last && !isPrefixTest && (last.from ?? last.to)) return rangeConditionOf(template, slotCount, prefix, last)
  if (isPrefixTest && !(slot.codec.preservesPrefixes && last.startsWith.isWellFormed()))
    throw unsortableError(template, slot, 'a beginning')
  const text = isPrefixTest ? prefix + fitSlotText(template, slot, last.startsWith) : prefix
  return (text && { beginning: checkKeySize(template, text) }) || {}
}

/** The number of slots with a value, counted from the left up to the first without one. */
export function countLeadingSlots({ slots }: KeyTemplate, values: KeySlotValues): number {
  const firstMissing = slots.findIndex(({ name }) => !values[name])
  return firstMissing < 0 ? slots.length : firstMissing
}

function rangeConditionOf(
  template: KeyTemplate,
  index: number,
  prefix: string,
  { from, to }: { from?: AttributeValue | undefined; to?: AttributeValue | undefined },
): TemplateCondition | undefined {
  const { slots, literals, mode } = template
  const slot = slots[index]!
  const nextLiteral = literals[index + 1]!
  const isWholeTail = nextLiteral === '' && index === slots.length - 1
  const isSeparated = index === 0 || literals[index] !== ''
  const { rawSortability } = slot.codec
  // Without literals on both sides, texts next to the bounds could be keys of other values.
  const isSorted = isWholeTail ? rawSortability !== 'never' : rawSortability === 'always' && nextLiteral !== ''
  if (mode === 'raw' && !(isSeparated && isSorted)) throw unsortableError(template, slot, 'a range')
  const text = (value: AttributeValue) => prefix + encodeSlot(template, slot, value) + nextLiteral
  const lower = from ? text(from) : prefix
  const upper = !to ? prefixUpperBound(prefix) : isWholeTail ? text(to) : prefixUpperBound(text(to))
  if (lower) checkKeySize(template, lower)
  if (upper !== undefined && compareUtf8(lower, checkKeySize(template, upper)) > 0) return undefined
  return { from: lower || undefined, to: upper }
}

/**
 * Returns the least text that sorts after all texts with a prefix: its last character is incremented. The template
 * itself cannot make this text, and the proof ensures that no other template can.
 */
export function prefixUpperBound(text: string): string | undefined {
  const characters = Array.from(text)
  const code = characters.pop()?.codePointAt(0)
  // Every text has the empty prefix, and no character follows the last one of Unicode.
  if (!(code! < 0x10ffff)) return undefined
  return characters.join('') + String.fromCodePoint(code === 0xd7ff ? 0xe000 : code! + 1)
}

function unsortableError(template: KeyTemplate, { name, type }: Slot, readKind: string) {
  return createTemplateError('key.range', template, {
    wrong: `does not sort by {${name}}, a ${type.kind}()`,
    advice: `read it without ${readKind}, or declare a fixedText() where its texts have one width`,
    slot: name,
  })
}
