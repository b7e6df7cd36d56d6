import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { isOfFormat } from '../../schema/attributes/fixed-text.js'
import { toPlainNumber } from '../../schema/attributes/number.js'
import type { DeclaredAttribute } from '../../schema/declarations.js'
import { hexOf } from './hex.js'

/** What a key needs to know of an attribute. */
export type SlotType = Pick<DeclaredAttribute, 'kind' | 'range' | 'values'> &
  Partial<Pick<DeclaredAttribute, 'type' | 'format'>>

/** How the values of one attribute are written within a key. */
export interface KeyTextCodec {
  /** The text, which sorts by its UTF-8 bytes as the values do; undefined where such a value cannot be in a key. */
  write(value: AttributeValue): string | undefined
  /** The value that is written so, if there is one. */
  read(text: string): AttributeValue | undefined
  /** Whether a beginning of the text is a beginning of the value. */
  readonly preservesPrefixes: boolean
  /** Where raw texts sort as their values do: whatever follows, with nothing after them, or not at all. */
  readonly rawSortability: 'always' | 'alone' | 'never'
}

/** Years 0000 to 9999: others have a sign and more digits, and would sort among these. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Of what is parsed, that is taken which would be written so. */
function createCodec(
  rawSortability: KeyTextCodec['rawSortability'],
  write: KeyTextCodec['write'],
  parse: (text: string) => AttributeValue,
  preservesPrefixes = false,
): KeyTextCodec {
  const read = (text: string) => {
    const value = parse(text)
    return write(value) === text ? value : undefined
  }
  return { write, read, preservesPrefixes, rawSortability }
}

function createTextCodec(
  isValid: (text: string) => boolean,
  rawSortability: KeyTextCodec['rawSortability'] = 'alone',
): KeyTextCodec {
  return createCodec(
    rawSortability,
    ({ S }) => (S !== undefined && isValid(S) ? S : undefined),
    S => ({ S }),
    true,
  )
}

/** The text of an attribute within keys of our own encoding, or within raw ones; undefined where it cannot be in a key. */
export function keyTextCodecOf({ kind, range, values, format }: SlotType, raw: unknown): KeyTextCodec | undefined {
  switch (kind) {
    case 'string':
    case 'ulid':
      return createTextCodec(text => text.isWellFormed())
    case 'oneOf':
      return createTextCodec(text => values!.includes(text))
    case 'date':
      return createTextCodec(text => INSTANT.test(text), 'always')
    case 'day':
    case 'yearMonth':
    case 'fixedText':
      return createTextCodec(text => isOfFormat(format!, text), 'always')
    case 'boolean':
      return createCodec(
        'always',
        ({ BOOL }) => BOOL?.toString(),
        text => ({ BOOL: text === 'true' }),
      )
    case 'binary':
      return createCodec(
        'alone',
        ({ B }) => B && hexOf(B),
        text => ({ B: Uint8Array.from(text.match(/../g) ?? [], byte => Number(`0x${byte}`)) }),
      )
    case 'integer':
    case 'number':
    case 'bigint':
    case 'decimal':
      if (isBounded(range)) return createFixedWidthCodec(range)
      // Other programs write numbers into keys as they are.
      return createCodec('never', ({ N }) => N && (raw ? toPlainNumber(N) : toOrderedText(N)), fromOrderedText)
    default:
      return undefined
  }
}

/** A range with both ends, which fixes how many digits its numbers have. */
export const isBounded = (range: SlotType['range']): range is { min: number; max: number } =>
  range?.min !== undefined && range.max !== undefined

/** Digits of a number with both bounds, as many as the longer bound has. */
export const widthOf = (min: number, max: number) => String(Math.max(Math.abs(min), Math.abs(max))).length

function createFixedWidthCodec({ min, max }: { min: number; max: number }): KeyTextCodec {
  const width = widthOf(min, max)
  const write = ({ N }: AttributeValue) => {
    const number = Number(N)
    // What JavaScript does not hold exactly is outside every range, or is no integer.
    if (!Number.isInteger(number) || String(number) !== toPlainNumber(N!) || number < min || number > max)
      return undefined
    const digits = String(Math.abs(number)).padStart(width, '0')
    return number < 0 ? `-${ninesComplement(digits)}` : digits
  }
  return createCodec('always', write, text => ({
    N: String(text[0] === '-' ? -ninesComplement(text.slice(1)) : Number(text)),
  }))
}

/** Each digit's distance from nine, so that larger sorts first. */
const ninesComplement = (digits: string) => digits.replace(/\d/g, digit => String(9 - Number(digit)))

/** Up to so many digits before the point have a letter each; what is longer says its length in three digits after `y`. */
const LETTERED_DIGITS = 24
const BEFORE_A = 96
/** The sum of a letter and of its opposite: `a` to `y` are turned round, `z` is left for fractions. */
const OPPOSITES = 97 + 121

/**
 * A number as text that sorts as the number does. The digits stand as they are, after a letter that tells how many of
 * them are before the point: `d1995`, `b12.5`; zero and fractions need none: `0.05`. In a negative number letter and
 * digits are turned round after `-`, and `~` ends it, so that `-1.5` is before `-1`.
 */
export function toOrderedText(text: string): string | undefined {
  const number = toPlainNumber(text)
  if (number === undefined) return number
  const negative = number[0] === '-'
  const magnitude = negative ? number.slice(1) : number
  const length = (magnitude.indexOf('.') + 1 || magnitude.length + 1) - 1
  const letter =
    magnitude[0] === '0'
      ? ''
      : length > LETTERED_DIGITS
        ? `y${String(length).padStart(3, '0')}`
        : String.fromCharCode(BEFORE_A + length)
  if (!negative) return letter + magnitude
  const opposite = letter === '' ? 'z' : String.fromCharCode(OPPOSITES - letter.charCodeAt(0))
  return `-${opposite}${ninesComplement((letter + magnitude).slice(1))}~`
}

/** A value of a key as a text that sorts as it does: numbers may have more digits than JavaScript's. */
export const toSortText = (value: AttributeValue | undefined): string => value?.S ?? toOrderedText(value?.N ?? '') ?? ''

/** What `orderedText` was given, if it was what made this text: the caller compares. */
function fromOrderedText(text: string): AttributeValue {
  if (text[0] !== '-') return { N: text.replace(/^(?:y\d{3}|[a-x])/, '') }
  const rest = ninesComplement(text.slice(2, -1))
  return { N: `-${text[1] === 'z' ? 0 : ''}${text[1] === 'a' ? rest.slice(3) : rest}` }
}
