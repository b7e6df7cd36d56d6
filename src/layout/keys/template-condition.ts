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

/** What may be said of the part after those that are equal: both ends of a range are within it. */
export type LastSlotTest =
  | { readonly from?: AttributeValue | undefined; readonly to?: AttributeValue | undefined }
  | { readonly startsWith: string }

/** A condition on a key: one text, a beginning, or a range with both its ends within; one without ends is no condition. */
export type TemplateCondition =
  | { readonly equal: string }
  | { readonly beginning: string }
  | { readonly from?: string | undefined; readonly to?: string | undefined }

/**
 * The condition on a key of which the parts are given from the left, the last perhaps by a range or a beginning.
 * Undefined where a range is empty, which DynamoDB would refuse.
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

/** How many slots are given from the left, up to the first that is not. */
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
  // Without literals on both sides the texts next to a range's ends could be keys of other values.
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
 * The text right after all that begin so, since they differ from it in its last character. It is no key of the same
 * template, and the proof sees to it that it is none of another.
 */
export function prefixUpperBound(text: string): string | undefined {
  const characters = Array.from(text)
  const code = characters.pop()?.codePointAt(0)
  // Of nothing everything goes on, and after the last character that there is comes none.
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
