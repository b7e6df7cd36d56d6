import fc from 'fast-check'
import type { AttributeValue } from '../../../src/dynamodb/attribute-value.js'
import { compareNumbers, formatDecimal, numberFaultOf, parseDecimal } from '../../../src/dynamodb/number.js'
import type { SlotType } from '../../../src/layout/keys/key-text-codec.js'
import { parseFormat } from '../../../src/schema/attributes/fixed-text.js'
import type { AttributeKind } from '../../../src/schema/declarations.js'
import { anyNumberText } from '../../arbitraries.js'

/** A kind of value that keys can contain, with its natural order. */
export interface KeyKind {
  readonly part: SlotType
  readonly values: fc.Arbitrary<AttributeValue>
  compare(a: AttributeValue, b: AttributeValue): number
}

export const part = (kind: AttributeKind, more: Partial<SlotType> = {}): SlotType => ({
  kind,
  range: undefined,
  values: undefined,
  ...more,
})

export const bytesOrder = (a: string, b: string) => Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)))

/** Texts that have broken key encodings. They are combined, so that one is often a prefix of another. */
export const hostileString = fc.oneof(
  fc.string({
    unit: fc.constantFrom('#', '$', 'a', ' ', '\0', '%', '\u001f', '~', '\uffff', '\ue000', '\u{10000}', '\u{10ffff}'),
    maxLength: 4,
  }),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('', '#', '$', '$#', '#$', '$$', '##', 'LOS ANGELES', 'a#b', '\ud7ff'),
)

const numberText = fc
  .oneof(
    anyNumberText,
    fc.integer({ min: -20, max: 20 }).map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  )
  .map(text => parseDecimal(text)!)
  .filter(decimal => !numberFaultOf(decimal))
  .map(formatDecimal)

const text = (a: AttributeValue, b: AttributeValue) => bytesOrder(a.S!, b.S!)
const number = (a: AttributeValue, b: AttributeValue) => Math.sign(compareNumbers(a.N!, b.N!))
const integers = (min: number, max: number): KeyKind => ({
  part: part('integer', { range: { min, max } }),
  values: fc.integer({ min, max }).map(N => ({ N: String(N) })),
  compare: number,
})

const anyDay = fc
  .date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map(date => date.toISOString().slice(0, 10))

export const KINDS: Readonly<Record<string, KeyKind>> = {
  string: { part: part('string'), values: hostileString.map(S => ({ S })), compare: text },
  oneOf: {
    part: part('oneOf', { values: ['', 'a', 'a#', '$', 'b c'] }),
    values: fc.constantFrom('', 'a', 'a#', '$', 'b c').map(S => ({ S })),
    compare: text,
  },
  ulid: {
    part: part('ulid'),
    values: fc.ulid().map(S => ({ S })),
    compare: text,
  },
  number: { part: part('number'), values: numberText.map(N => ({ N })), compare: number },
  decimal: { part: part('decimal'), values: numberText.map(N => ({ N })), compare: number },
  bigint: {
    part: part('bigint'),
    values: fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }).map(N => ({ N: String(N) })),
    compare: number,
  },
  integer: { part: part('integer'), values: fc.maxSafeInteger().map(N => ({ N: String(N) })), compare: number },
  zip: integers(0, 99999),
  temperature: integers(-40, 125),
  below: integers(-300, -2),
  safe: integers(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  date: {
    part: part('date'),
    values: fc
      .date({
        min: new Date('0000-01-01T00:00:00.000Z'),
        max: new Date('9999-12-31T23:59:59.999Z'),
        noInvalidDate: true,
      })
      .map(date => ({ S: date.toISOString() })),
    compare: (a, b) => Math.sign(Date.parse(a.S!) - Date.parse(b.S!)),
  },
  day: {
    part: part('day', { format: parseFormat('0000-00-00') }),
    values: anyDay.map(S => ({ S })),
    compare: (a, b) => Math.sign(Date.parse(a.S!) - Date.parse(b.S!)),
  },
  yearMonth: {
    part: part('yearMonth', { format: parseFormat('0000-00') }),
    values: anyDay.map(text => ({ S: text.slice(0, 7) })),
    compare: (a, b) => Math.sign(Date.parse(`${a.S}-01`) - Date.parse(`${b.S}-01`)),
  },
  fixedText: {
    part: part('fixedText', { format: parseFormat('A#00$') }),
    values: fc
      .tuple(fc.constantFrom('A', 'B', 'Z'), fc.integer({ min: 0, max: 99 }))
      .map(([letter, number]) => ({ S: `${letter}#${String(number).padStart(2, '0')}$` })),
    compare: text,
  },
  boolean: {
    part: part('boolean'),
    values: fc.boolean().map(BOOL => ({ BOOL })),
    compare: (a, b) => Number(a.BOOL) - Number(b.BOOL),
  },
  binary: {
    part: part('binary'),
    values: fc.uint8Array({ maxLength: 6 }).map(B => ({ B })),
    compare: (a, b) => Math.sign(Buffer.compare(a.B!, b.B!)),
  },
}
