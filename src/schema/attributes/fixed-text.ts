import { type Attribute, createTypedAttribute } from '../attribute.js'
import { formatValue } from '../checks/assertions.js'
import type { Code } from '../codes.js'
import type { AttributeKind, FixedFormat } from '../declarations.js'
import { GraphError } from '../error.js'

const DIGITS = '0123456789'
const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const SMALL_LETTERS = CAPITALS.toLowerCase()

/** The characters that each placeholder of a format stands for. Every other character stands for itself. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  '0': DIGITS,
  A: CAPITALS,
  a: SMALL_LETTERS,
  '*': DIGITS + CAPITALS + SMALL_LETTERS,
}
const LITERAL_MARK = '\\'
const PRINTABLE_ASCII = /^[ -~]+$/

/**
 * Declares a text of a fixed width, such as an invoice number or a timestamp without milliseconds. All values of a
 * format have the same length and sort by character, so range reads also work on keys of other programs.
 *
 * In the format, `0` stands for a digit, `A` for a capital letter, `a` for a small letter, and `*` for a letter or a
 * digit. Every other character stands for itself, and so does a character after a backslash.
 *
 * @throws {attribute.format} if the format is empty, has no placeholder, or has a character that is not printable ASCII
 *
 * @example
 * ```ts
 * import { fixedText, node } from 'edgewise'
 *
 * const invoice = node('invoice', { no: fixedText('INV-00000') }, { id: 'no' })
 * ```
 */
export function fixedText(format: string): Attribute<string> {
  return createFormattedAttribute('fixedText', parseFormat(format), `a text of the form '${format}'`, 'value.format')
}

/** Creates an attribute for the texts of a format, restricted further by `isValid`. */
export function createFormattedAttribute(
  kind: AttributeKind,
  format: FixedFormat,
  expected: string,
  code: Code,
  isValid: (text: string) => boolean = () => true,
): Attribute<string> {
  const hasForm = (value: unknown): value is string =>
    typeof value === 'string' && isOfFormat(format, value) && isValid(value)
  return createTypedAttribute(
    kind,
    'S',
    expected,
    value => (hasForm(value) ? { S: value } : undefined),
    text => (hasForm(text) ? text : undefined),
    { format },
    code,
  )
}

/** Parses a format: for each position, the characters that may stand there. */
export function parseFormat(format: string): FixedFormat {
  const positions: string[] = []
  let hasPlaceholder = false
  let isEscaped = false
  for (const character of typeof format === 'string' ? format : '') {
    const placeholder = isEscaped ? undefined : PLACEHOLDERS[character]
    if (!isEscaped && character === LITERAL_MARK) {
      isEscaped = true
      continue
    }
    isEscaped = false
    hasPlaceholder ||= placeholder !== undefined
    positions.push(placeholder ?? character)
  }
  if (isEscaped || !hasPlaceholder || !PRINTABLE_ASCII.test(format))
    throw new GraphError(
      'attribute.format',
      `fixedText(): ${formatValue(format)} is not a format; give printable ASCII with a placeholder, such as '0000-00'.`,
      { value: format },
    )
  return { positions }
}

/** Whether a text has the width of the format, and at each position a character that may stand there. */
export function isOfFormat({ positions }: FixedFormat, text: string): boolean {
  return text.length === positions.length && positions.every((characters, at) => characters.includes(text[at]!))
}
