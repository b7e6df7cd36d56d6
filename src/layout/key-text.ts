import type { AttributeValue } from '../dynamodb/attribute-value.js'
import { formatDecimal, isPlainInteger, numberFault, parseDecimal } from '../dynamodb/number.js'
import type { DeclaredAttribute } from '../schema/declared.js'

/** What a key needs to know of an attribute. */
export type KeyPart = Pick<DeclaredAttribute, 'kind' | 'range' | 'values'>

/** How the values of one attribute are written within a key. */
export interface KeyText {
  /** The text, which sorts by its UTF-8 bytes as the values do; undefined where such a value cannot be in a key. */
  write(value: AttributeValue): string | undefined
  /** The value that is written so, if there is one. */
  read(text: string): AttributeValue | undefined
  /** Whether a beginning of the text is a beginning of the value. */
  readonly textual: boolean
  /** Where raw texts sort as their values do: whatever follows, with nothing after them, or not at all. */
  readonly sortsRaw: 'always' | 'alone' | 'never'
}

const LONE_SURROGATE = /\p{Cs}/u
/** Years 0000 to 9999: others have a sign and more digits, and would sort among these. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const anyText: KeyText = {
  write: ({ S }) => (S === undefined || LONE_SURROGATE.test(S) ? undefined : S),
  read: S => ({ S }),
  textual: true,
  sortsRaw: 'alone',
}

const instant: KeyText = {
  write: ({ S }) => (S !== undefined && INSTANT.test(S) ? S : undefined),
  read: S => (INSTANT.test(S) ? { S } : undefined),
  textual: true,
  sortsRaw: 'always',
}

const truth: KeyText = {
  write: ({ BOOL }) => (BOOL === undefined ? undefined : String(BOOL)),
  read: text => (text === 'true' || text === 'false' ? { BOOL: text === 'true' } : undefined),
  textual: false,
  sortsRaw: 'always',
}

const hexadecimal: KeyText = {
  write: ({ B }) => B && Array.from(B, byte => byte.toString(16).padStart(2, '0')).join(''),
  read: text =>
    /^(?:[0-9a-f]{2})*$/.test(text)
      ? { B: Uint8Array.from(text.match(/../g) ?? [], pair => Number.parseInt(pair, 16)) }
      : undefined,
  textual: false,
  sortsRaw: 'alone',
}

const choice = (values: readonly string[]): KeyText => ({
  ...anyText,
  write: ({ S }) => (S !== undefined && values.includes(S) ? S : undefined),
  read: S => (values.includes(S) ? { S } : undefined),
})

/** Any number: see `orderedText`. */
const ordered: KeyText = {
  write: ({ N }) => orderedText(plainNumber(N)),
  read: text => {
    const N = plainNumber(orderedNumber(text))
    return N !== undefined && orderedText(N) === text ? { N } : undefined
  },
  textual: false,
  sortsRaw: 'never',
}

/** Numbers as other programs write them into keys. */
const plain: KeyText = { ...ordered, write: ({ N }) => plainNumber(N) }

/** The text of an attribute within keys of our own encoding, or within raw ones; undefined where it cannot be in a key. */
export function keyText({ kind, range, values }: KeyPart, raw: boolean): KeyText | undefined {
  switch (kind) {
    case 'string':
    case 'ulid':
      return anyText
    case 'oneOf':
      return choice(values!)
    case 'date':
      return instant
    case 'boolean':
      return truth
    case 'binary':
      return hexadecimal
    case 'integer':
      return isBounded(range) ? fixedWidth(range.min, range.max) : raw ? plain : ordered
    case 'number':
    case 'bigint':
    case 'decimal':
      return raw ? plain : ordered
    default:
      return undefined
  }
}

/** A range with both ends, which fixes how many digits its numbers have. */
export const isBounded = (range: KeyPart['range']): range is { min: number; max: number } =>
  range?.min !== undefined && range.max !== undefined

/** Digits of a number with both bounds, as many as the longer bound has. */
export const widthOf = (min: number, max: number) => String(Math.max(Math.abs(min), Math.abs(max))).length

function fixedWidth(min: number, max: number): KeyText {
  const width = widthOf(min, max)
  const write = ({ N }: AttributeValue) => {
    const plain = plainNumber(N)
    const number = Number(plain)
    // What JavaScript does not hold exactly is outside every range, or is no integer.
    if (String(number) !== plain || !Number.isInteger(number) || number < min || number > max) return undefined
    const digits = String(Math.abs(number)).padStart(width, '0')
    return number < 0 ? `-${nines(digits)}` : digits
  }
  const read = (text: string) => {
    const N = String(text[0] === '-' ? -nines(text.slice(1)) : Number(text))
    return write({ N }) === text ? { N } : undefined
  }
  return { write, read, textual: false, sortsRaw: 'always' }
}

/** Each digit's distance from nine, so that larger sorts first. */
const nines = (digits: string) => digits.replace(/\d/g, digit => String(9 - Number(digit)))

/** The number in DynamoDB's own notation; undefined where it is none, or none that DynamoDB can hold. */
function plainNumber(text: string | undefined): string | undefined {
  if (text === undefined || isPlainInteger(text)) return text
  const decimal = parseDecimal(text)
  return decimal && !numberFault(decimal) ? formatDecimal(decimal) : undefined
}

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
function orderedText(number: string | undefined): string | undefined {
  if (number === undefined) return undefined
  const negative = number[0] === '-'
  const magnitude = negative ? number.slice(1) : number
  const letter = lengthMark(magnitude)
  if (!negative) return letter + magnitude
  if (letter === '') return `-z${nines(magnitude.slice(1))}~`
  return `-${opposite(letter)}${nines(letter.slice(1) + magnitude)}~`
}

function lengthMark(magnitude: string): string {
  if (magnitude[0] === '0') return ''
  const point = magnitude.indexOf('.')
  const length = point < 0 ? magnitude.length : point
  return length > LETTERED_DIGITS ? `y${String(length).padStart(3, '0')}` : String.fromCharCode(BEFORE_A + length)
}

const opposite = (letter: string) => String.fromCharCode(OPPOSITES - letter.charCodeAt(0))

/** What `orderedText` was given, if it was what made this text: the caller compares. */
function orderedNumber(text: string): string {
  if (text[0] !== '-') return text.replace(/^(?:y\d{3}|[a-x])/, '')
  const rest = nines(text.slice(2, -1))
  if (text[1] === 'z') return `-0${rest}`
  return `-${text[1] === 'a' ? rest.slice(3) : rest}`
}
