import type { AttributeValue } from '../dynamodb/attribute-value.js'
import type { Slot, Template } from './template.js'
import { beginning, encode, fitted, type KeyValues, sized, slotText } from './template-encode.js'
import { templateError } from './template-error.js'
import { compareUtf8 } from './template-order.js'

/** What may be said of the part after those that are equal: both ends of a range are within it. */
export type LastPart =
  | { readonly from?: AttributeValue | undefined; readonly to?: AttributeValue | undefined }
  | { readonly startsWith: string }

/** A condition on a key: one text, a beginning, or a range with both its ends within; one without ends is no condition. */
export type KeyCondition =
  | { readonly equal: string }
  | { readonly beginning: string }
  | { readonly from?: string | undefined; readonly to?: string | undefined }

/**
 * The condition on a key of which the parts are given from the left, the last perhaps by a range or a beginning.
 * Undefined where a range is empty, which DynamoDB would refuse.
 */
export function condition(template: Template, values: KeyValues, last?: LastPart): KeyCondition | undefined {
  const count = givenFromLeft(template, values)
  const slot = template.slots[count]
  if (!slot) return { equal: encode(template, values) }
  const head = beginning(template, values, count)
  const starts = last && 'startsWith' in last
  if (last && !starts && (last.from ?? last.to)) return range(template, count, head, last)
  if (starts && !(slot.text.textual && last.startsWith.isWellFormed())) throw unsorted(template, slot, 'a beginning')
  const text = starts ? head + fitted(template, slot, last.startsWith) : head
  return (text && { beginning: sized(template, text) }) || {}
}

/** How many slots are given from the left, up to the first that is not. */
export function givenFromLeft({ slots }: Template, values: KeyValues): number {
  const hole = slots.findIndex(({ name }) => !values[name])
  return hole < 0 ? slots.length : hole
}

function range(
  template: Template,
  index: number,
  head: string,
  { from, to }: { from?: AttributeValue | undefined; to?: AttributeValue | undefined },
): KeyCondition | undefined {
  const { slots, literals, mode } = template
  const slot = slots[index]!
  const next = literals[index + 1]!
  const alone = next === '' && index === slots.length - 1
  const apart = index === 0 || literals[index] !== ''
  const { sortsRaw } = slot.text
  // Without literals on both sides the texts next to a range's ends could be keys of other values.
  const isSorted = alone ? sortsRaw !== 'never' : sortsRaw === 'always' && next !== ''
  if (mode === 'raw' && !(apart && isSorted)) throw unsorted(template, slot, 'a range')
  const text = (value: AttributeValue) => head + slotText(template, slot, value) + next
  const lower = from ? text(from) : head
  const upper = !to ? after(head) : alone ? text(to) : after(text(to))
  if (lower) sized(template, lower)
  if (upper !== undefined && compareUtf8(lower, sized(template, upper)) > 0) return undefined
  return { from: lower || undefined, to: upper }
}

/**
 * The text right after all that begin so, since they differ from it in its last character. It is no key of the same
 * template, and the proof sees to it that it is none of another.
 */
export function after(text: string): string | undefined {
  const characters = Array.from(text)
  const code = characters.pop()?.codePointAt(0)
  // Of nothing everything goes on, and after the last character that there is comes none.
  if (!(code! < 0x10ffff)) return undefined
  return characters.join('') + String.fromCodePoint(code === 0xd7ff ? 0xe000 : code! + 1)
}

function unsorted(template: Template, { name, part }: Slot, what: string) {
  return templateError('key.range', template, {
    wrong: `does not sort by {${name}}, a ${part.kind}()`,
    advice: `read it without ${what}, or declare a fixedText() where its texts have one width`,
    slot: name,
  })
}
