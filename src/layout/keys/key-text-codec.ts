import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { isOfFormat } from '../../schema/attributes/fixed-text.js'
import { toPlainNumber } from '../../schema/attributes/number.js'
import type { DeclaredAttribute } from '../../schema/declarations.js'
import { hexOf } from './hex.js'

/** The part of an attribute that keys depend on. */
export type SlotType = Pick<DeclaredAttribute, 'kind' | 'range' | 'values'> &
  Partial<Pick<DeclaredAttribute, 'type' | 'format'>>

/** The conversion between the values of an attribute and their text in a key. */
export interface KeyTextCodec {
  /** Returns the text, whose UTF-8 bytes sort like the values; undefined for a value that keys cannot contain. */
  write(value: AttributeValue): string | undefined
  /** Returns the value of a text; undefined if no value has this text. */
  read(text: string): AttributeValue | undefined
  /** Whether a prefix of the text is a prefix of the value. */
  readonly preservesPrefixes: boolean
  /** Whether raw texts sort like their values: with any text after them, only at the end of a key, or never. */
  readonly rawSortability: 'always' | 'alone' | 'never'
}

/** Years 0000 to 9999. Other years have a sign and more digits and would sort among these. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Creates a codec whose `read` accepts only texts that `write` produces. */
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

/** Returns the codec of an attribute in encoded or raw keys; undefined if keys cannot contain it. */
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
      // Raw keys contain plain numbers, because other programs write them without padding.
      return createCodec('never', ({ N }) => N && (raw ? toPlainNumber(N) : toOrderedText(N)), fromOrderedText)
    default:
      return undefined
  }
}

/** Whether a range has both bounds, which fixes the number of digits. */
export const isBounded = (range: SlotType['range']): range is { min: number; max: number } =>
  range?.min !== undefined && range.max !== undefined

/** The number of digits of a bounded number: that of its longer bound. */
export const widthOf = (min: number, max: number) => String(Math.max(Math.abs(min), Math.abs(max))).length

function createFixedWidthCodec({ min, max }: { min: number; max: number }): KeyTextCodec {
  const width = widthOf(min, max)
  const write = ({ N }: AttributeValue) => {
    const number = Number(N)
    // A number that JavaScript cannot represent exactly is out of every range or not an integer.
    if (!Number.isInteger(number) || String(number) !== toPlainNumber(N!) || number < min || number > max)
      return undefined
    const digits = String(Math.abs(number)).padStart(width, '0')
    return number < 0 ? `-${ninesComplement(digits)}` : digits
  }
  return createCodec('always', write, text => ({
    N: String(text[0] === '-' ? -ninesComplement(text.slice(1)) : Number(text)),
  }))
}

/** Replaces each digit by its distance from nine, so that larger numbers sort first. */
const ninesComplement = (digits: string) => digits.replace(/\d/g, digit => String(9 - Number(digit)))

/**
 * A number with up to this many digits before the point has one letter for its length. A longer number has `y` and
 * three digits.
 */
const LETTERED_DIGITS = 24
const BEFORE_A = 96
/** The sum of the codes of a letter and of its opposite: `a` to `y` are reversed, and `z` is free for fractions. */
const OPPOSITES = 97 + 121

/**
 * Encodes a number as text that sorts like the number. A letter gives the number of digits before the point, then the
 * digits follow: `d1995`, `b12.5`. Zero and fractions need no letter: `0.05`. A negative number has `-`, then letter
 * and digits reversed, then `~`, so that `-1.5` sorts before `-1`.
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

/** Converts a key value to a text that sorts like the value. Numbers may have more digits than a JavaScript number. */
export const toSortText = (value: AttributeValue | undefined): string => value?.S ?? toOrderedText(value?.N ?? '') ?? ''

/** Reverses `toOrderedText`. It accepts invalid texts too; `read` of the codec compares the result. */
function fromOrderedText(text: string): AttributeValue {
  if (text[0] !== '-') return { N: text.replace(/^(?:y\d{3}|[a-x])/, '') }
  const rest = ninesComplement(text.slice(2, -1))
  return { N: `-${text[1] === 'z' ? 0 : ''}${text[1] === 'a' ? rest.slice(3) : rest}` }
}
