import { describe, expect, it } from 'vitest'
import { bigint } from '../../src/schema/attributes/bigint.js'
import { date } from '../../src/schema/attributes/date.js'
import { day, yearMonth } from '../../src/schema/attributes/day.js'
import { decimal } from '../../src/schema/attributes/decimal.js'
import { fixedText } from '../../src/schema/attributes/fixed-text.js'
import { integer } from '../../src/schema/attributes/integer.js'
import { json } from '../../src/schema/attributes/json.js'
import { list } from '../../src/schema/attributes/list.js'
import { map } from '../../src/schema/attributes/map.js'
import { number } from '../../src/schema/attributes/number.js'
import { oneOf } from '../../src/schema/attributes/one-of.js'
import { set } from '../../src/schema/attributes/set.js'
import { string } from '../../src/schema/attributes/string.js'
import { ulid } from '../../src/schema/attributes/ulid.js'
import { codeOf } from './error-code.js'

const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)])
const nestedObjects = (levels: number): unknown => (levels === 0 ? 1 : { in: nestedObjects(levels - 1) })
const person = map({ name: string(), age: integer().optional() })

describe('invalid values', () => {
  it.each([
    ['a text with half a surrogate pair', string(), 'a\ud800', 'value.text'],
    ['not a number', number(), Number.NaN, 'value.number'],
    ['an infinite number', number(), Number.NEGATIVE_INFINITY, 'value.number'],
    ['-0, which reads back as 0', number(), -0, 'value.number'],
    ['a number that is too large', number(), 1e126, 'value.number'],
    ['a number that is too small', number(), 1e-131, 'value.number'],
    ['a text for a number', number(), '1', 'value.type'],
    ['a fraction for an integer', integer(), 1.5, 'value.type'],
    ['an unsafe integer', integer(), 2 ** 53, 'value.type'],
    ['-0 for an integer', integer(), -0, 'value.number'],
    ['an integer under its range', integer({ min: 1 }), 0, 'value.range'],
    ['an integer over its range', integer({ max: 9 }), 10, 'value.range'],
    ['a number for a bigint', bigint(), 1, 'value.type'],
    ['a bigint of 39 digits', bigint(), 10n ** 38n + 1n, 'value.number'],
    ['a bigint beyond all numbers', bigint(), 10n ** 126n, 'value.number'],
    ['a decimal of 39 digits', decimal(), `1.${'0'.repeat(37)}1`, 'value.number'],
    ['a word for a decimal', decimal(), 'twelve', 'value.type'],
    ['a decimal without digits', decimal(), '.', 'value.type'],
    ['an invalid date', date(), new Date(Number.NaN), 'value.date'],
    ['a date after the year 9999', date(), new Date('+010000-01-01T00:00:00.000Z'), 'value.date'],
    ['a date before the year 0', date(), new Date('-000001-12-31T23:59:59.999Z'), 'value.date'],
    ['February 29 of a year that is not a leap year', day(), '2026-02-29', 'value.day'],
    ['February 29 of a century that is not a leap year', day(), '1900-02-29', 'value.day'],
    ['April 31', day(), '2026-04-31', 'value.day'],
    ['month 13 of a day', day(), '2026-13-01', 'value.day'],
    ['day 0 of a month', day(), '2026-01-00', 'value.day'],
    ['a day without leading zeros', day(), '2026-1-1', 'value.day'],
    ['a moment for a day', day(), '2026-01-01T00:00:00.000Z', 'value.day'],
    ['a Date for a day', day(), new Date(0), 'value.day'],
    ['month 0', yearMonth(), '2026-00', 'value.yearMonth'],
    ['month 13', yearMonth(), '2026-13', 'value.yearMonth'],
    ['a day for a month', yearMonth(), '2026-01-01', 'value.yearMonth'],
    ['a letter for a digit', fixedText('A-00'), 'A-0x', 'value.format'],
    ['a small letter for a capital', fixedText('A-00'), 'a-00', 'value.format'],
    ['a text that is longer than its format', fixedText('A-00'), 'A-000', 'value.format'],
    ['a digit of another script', fixedText('00'), '0\u0661', 'value.format'],
    ['a text that is not a declared choice', oneOf('a', 'b'), 'c', 'value.oneOf'],
    ['a text that is no ULID', ulid(), '01ARZ3NDEKTSV4RRFFQ69G5FAI', 'value.ulid'],
    ['a ULID beyond its time', ulid(), '81ARZ3NDEKTSV4RRFFQ69G5FAV', 'value.ulid'],
    ['an empty set', set(string()), new Set(), 'value.set'],
    ['a hole in a list', list(string()), new Array(1), 'value.type'],
    ['a map without a member', person, { age: 1 }, 'value.member'],
    ['a map with a member too many', person, { name: 'a', nmae: 'b' }, 'value.member'],
    ['an array for a map', person, [], 'value.type'],
    ['null for a map', person, null, 'value.type'],
    ['a Date inside JSON', json(), { at: new Date() }, 'value.type'],
    ['undefined inside a JSON array', json(), [undefined], 'value.type'],
    ['an empty name inside JSON', json(), [{ a: { '': 1 } }], 'value.type'],
    ['32 levels of lists, the value within being one more', json(), nested(32), 'value.depth'],
    ['32 levels of objects', json(), nestedObjects(32), 'value.depth'],
  ])('a write rejects %s', (_, { declared }, value, code) => {
    expect(codeOf(() => declared.encode(value, 'x'))).toBe(code)
  })

  it('the error for an invalid value has the path of the member', () => {
    expect(() => list(person).declared.encode([{ name: 'a' }, { name: 1 }], 'movie.cast')).toThrow(
      'movie.cast[1].name: 1 is not accepted; give a string.',
    )
  })

  it('the error for an invalid value shows even long and unusual values', () => {
    const told = (value: unknown) => () => string().declared.encode(value, 'x')
    const date = new Date(Number.NaN)
    expect(told(new Set())).toThrow('x: Set is not accepted; give a string.')
    expect(told(Object.create(null))).toThrow('x: an object is not accepted; give a string.')
    expect(told(date)).toThrow('x: Invalid Date is not accepted; give a string.')
    expect(told(-0)).toThrow('x: -0 is not accepted; give a string.')
    const long = () => number().declared.encode('n'.repeat(61), 'x')
    expect(long).toThrow(`x: '${'n'.repeat(60)}…' is not accepted; give a number.`)
  })

  it('JSON with 32 levels or undefined members is accepted', () => {
    expect(codeOf(() => json().declared.encode(nested(31), 'x'))).toBeUndefined()
    expect(json().declared.encode({ a: undefined, b: null }, 'x')).toEqual({ M: { b: { NULL: true } } })
  })
})

describe('invalid stored values', () => {
  it.each([
    ['an integer that a double rounds', number(), { N: '9007199254740993' }, 'stored.inexact'],
    ['a decimal of more digits than a double has', number(), { N: '0.1234567890123456789' }, 'stored.inexact'],
    ['an unsafe integer', integer(), { N: '9007199254740993' }, 'stored.inexact'],
    ['an unsafe integer that a double happens to hold', integer(), { N: '9007199254740994' }, 'stored.type'],
    ['a fraction for an integer', integer(), { N: '1.5' }, 'stored.type'],
    ['a fraction for a bigint', bigint(), { N: '1.5' }, 'stored.type'],
    ['a text that is no date', date(), { S: 'yesterday' }, 'stored.type'],
    ['a day that no month has', date(), { S: '2021-02-30' }, 'stored.type'],
    ['February 30', day(), { S: '2021-02-30' }, 'stored.type'],
    ['a day for a month', yearMonth(), { S: '2021-02-03' }, 'stored.type'],
    ['a text without the declared form', fixedText('00'), { S: '7' }, 'stored.type'],
    ['a word that is not declared', oneOf('a'), { S: 'b' }, 'stored.type'],
    ['a set of another type', set(string()), { NS: ['1'] }, 'stored.type'],
    ['a set inside JSON', json(), { L: [{ SS: ['a'] }] }, 'stored.type'],
  ])('a read rejects %s', (_, { declared }, value, code) => {
    expect(codeOf(() => declared.decode(value as never))).toBe(code)
  })

  it('the error for an inexact number advises an exact type', () => {
    expect(() => number().declared.decode({ N: '9007199254740993' }, 'bill.amount')).toThrow(
      'bill.amount: a number cannot represent 9007199254740993 exactly; declare bigint() or decimal().',
    )
  })
})
