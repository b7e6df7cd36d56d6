import type { KeyTemplate, Slot } from '../../layout/keys/template.js'
import { type Dialect, ESCAPED_PART } from '../dialect.js'
import { sqlText } from '../sql-text.js'

const SEPARATOR = '#'

export const quotePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** A regular expression that matches the keys of a template and captures their parts. */
function patternOf({ literals, slots }: KeyTemplate): string {
  const parts = slots.map(({ escaped }, at) => (escaped ? ESCAPED_PART : '(.*)') + quotePattern(literals[at + 1]!))
  return quotePattern(literals[0]!) + parts.join('')
}

/** The value of a slot as text, read from the text of a key. Keys of other templates yield arbitrary texts. */
export function decodeSlot(dialect: Dialect, template: KeyTemplate, key: string, name: string): string {
  const at = template.slots.findIndex(slot => slot.name === name)
  const slot = template.slots[at]!
  return readPart(dialect, slot, partOf(dialect, template, key, at))
}

/** The part of a key that holds a slot, without its escapes. */
function partOf(dialect: Dialect, template: KeyTemplate, key: string, at: number): string {
  const { literals, slots } = template
  const slot = slots[at]!
  if (at === 0 && !slot.escaped) {
    const head = [...literals[0]!].length
    return head === 0 ? key : `substr(${key}, ${head + 1})`
  }
  const captured = dialect.extract(key, patternOf(template), at + 1)
  if (!slot.escaped) return captured
  const unescaped = dialect.replaceAll(captured, '\\$([\\x00-\\x24])', '\\1')
  const position = separatorsBefore(template, at)
  const plain = position === undefined ? captured : `split_part(${key}, ${sqlText(SEPARATOR)}, ${position + 1})`
  // Most keys have no escapes, and splitting them takes a fraction of what a regular expression takes.
  return `CASE WHEN contains(${key}, '$') THEN ${unescaped} ELSE ${plain} END`
}

/** How many separators stand before a part that fills all between two of them; undefined if it does not. */
function separatorsBefore({ literals, slots }: KeyTemplate, at: number): number | undefined {
  const before = literals.slice(0, at + 1)
  const next = literals[at + 1]!
  const isWhole = /^$|#$/.test(before.at(-1)!) && (next === '' || next.startsWith(SEPARATOR))
  const isSplit = before.every(text => !text.includes('$')) && slots.slice(0, at).every(({ escaped }) => escaped)
  const isAlone = at === 0 || before.at(-1) !== ''
  return isWhole && isSplit && isAlone ? before.join('').split(SEPARATOR).length - 1 : undefined
}

/** The value that a text within a key stands for, as the text that DynamoDB holds. */
function readPart(dialect: Dialect, { type: { kind, range } }: Slot, text: string): string {
  switch (kind) {
    case 'integer':
    case 'number':
    case 'bigint':
    case 'decimal':
      return range?.min !== undefined && range.max !== undefined
        ? fixedWidth(dialect, text)
        : orderedNumber(dialect, text)
    default:
      return text
  }
}

/** Digits of a negative number are complemented, so that larger absolute values sort first. */
const complemented = (text: string) => `translate(${text}, '0123456789', '9876543210')`

/** NULL for a text that has no integer. */
function fixedWidth(dialect: Dialect, text: string): string {
  const plain = (digits: string) => `CAST(${dialect.integer(digits)} AS STRING)`
  const negative = `'-' || ${plain(complemented(`substr(${text}, 2)`))}`
  return `CASE WHEN substr(${text}, 1, 1) = '-' THEN ${negative} ELSE ${plain(text)} END`
}

/** A letter before a number encodes the number of digits before its decimal point; `~` ends a negative number. */
function orderedNumber(dialect: Dialect, text: string): string {
  const positive = dialect.replaceAll(text, '^(?:y[0-9]{3}|[a-x])', '')
  const rest = complemented(`substr(${text}, 3, length(${text}) - 3)`)
  const letter = `substr(${text}, 2, 1)`
  const negative = `'-' || CASE ${letter} WHEN 'z' THEN '0' || ${rest} WHEN 'a' THEN substr(${rest}, 4) ELSE ${rest} END`
  return `CASE WHEN substr(${text}, 1, 1) = '-' THEN ${negative} ELSE ${positive} END`
}
