import type { KeyTemplate, Slot } from '../../layout/keys/template.js'
import { SHARD_TYPE } from '../../layout/slots.js'
import { ESCAPED_PART } from '../dialect.js'
import { quotePattern } from '../views/decode-key.js'

/** The letters of the numbers of digits before the point: `a` to `x`. Longer numbers have `y` and three digits. */
const LETTERED_DIGITS = 24
const FRACTION = '(?:\\.[0-9]*[1-9])?'
/** Digits of negative numbers are complemented, so a zero is 9. */
const NEGATIVE_FRACTION = '(?:\\.[0-9]*[0-8])?'

/** A regular expression of the keys that a template makes; numbers have only the form that edgewise writes. */
export function keyPattern({ literals, slots }: KeyTemplate): string {
  const parts = slots.map((slot, at) => slotPattern(slot) + quotePattern(literals[at + 1]!))
  return quotePattern(literals[0]!) + parts.join('')
}

function slotPattern({ type, escaped }: Slot): string {
  const { kind, range } = type
  if (type === SHARD_TYPE) return '(?:0|[1-9][0-9]*)'
  switch (kind) {
    case 'integer':
    case 'number':
    case 'bigint':
    case 'decimal':
      return range?.min !== undefined && range.max !== undefined
        ? `-?[0-9]{${String(Math.max(Math.abs(range.min), Math.abs(range.max))).length}}`
        : NUMBER
    case 'boolean':
      return '(?:true|false)'
    default:
      return escaped ? ESCAPED_PART : '.*'
  }
}

/** Numbers as `toOrderedText` writes them. */
const NUMBER = `(?:${[
  `0${FRACTION}`,
  ...lettered('[1-9]', '[0-9]', FRACTION, digits => String.fromCharCode(96 + digits)),
  '-z9?\\.[0-9]*[0-8]~',
  '-z\\.[0-9]*[0-8]~',
  ...lettered('[0-8]', '[0-9]', NEGATIVE_FRACTION, digits => `-${String.fromCharCode(122 - digits)}`).map(
    text => `${text}~`,
  ),
].join('|')})`

function lettered(first: string, next: string, fraction: string, letter: (digits: number) => string): string[] {
  const short = Array.from(
    { length: LETTERED_DIGITS },
    (_, at) => `${letter(at + 1)}${first}${at > 0 ? `${next}{${at}}` : ''}${fraction}`,
  )
  return [...short, `${letter(LETTERED_DIGITS + 1)}[0-9]{3}${first}${next}{${LETTERED_DIGITS},}${fraction}`]
}
