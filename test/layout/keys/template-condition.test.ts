import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AttributeValue } from '../../../src/dynamodb/attribute-value.js'
import { PARTITION_KEY_BYTES } from '../../../src/dynamodb/limits.js'
import { compareUtf8 } from '../../../src/layout/keys/compare-utf8.js'
import { encodeTemplate } from '../../../src/layout/keys/encode-template.js'
import { prefixUpperBound, templateConditionOf } from '../../../src/layout/keys/template-condition.js'
import { besideLonger, compareSlot, made, named, type Sample, sample, sees, strings, tuplesOf } from './templates.js'
import { bytesOrder, hostileString, part } from './value-kinds.js'

const questions = sample.chain(one =>
  fc.record({
    one: fc.constant(one),
    tuples: tuplesOf(one, 4),
    count: fc.nat({ max: one.template.slots.length }),
    ends: fc.constantFrom('both', 'from', 'to', 'none'),
    longer: fc.boolean(),
  }),
)

const equalParts = (one: Sample, count: number, a: readonly AttributeValue[], b: readonly AttributeValue[]) =>
  a.slice(0, count).every((value, slot) => compareSlot(one, slot, value, b[slot]!) === 0)

describe('a condition on a key', () => {
  test('a range condition matches exactly the keys with the given parts and a next part in the range', () => {
    fc.assert(
      fc.property(questions, ({ one, tuples: [asked, item, low, high], count, ends, longer }) => {
        const template = longer ? besideLonger(one.template) : one.template
        const last = {
          from: ends === 'both' || ends === 'from' ? low![count] : undefined,
          to: ends === 'both' || ends === 'to' ? high![count] : undefined,
        }
        fc.pre(one.template.literals.join('') !== '')
        const seen = sees(
          templateConditionOf(template, named(asked!.slice(0, count)), count < one.kinds.length ? last : undefined),
          encodeTemplate(template, named(item!)),
        )
        const within =
          (!last.from || compareSlot(one, count, item![count]!, last.from) >= 0) &&
          (!last.to || compareSlot(one, count, item![count]!, last.to) <= 0)
        expect(seen).toBe(equalParts(one, count, asked!, item!) && within)
      }),
      { numRuns: 2000 },
    )
  })

  test('a condition uses the parts given from the left, also for a repeated slot', () => {
    const key = made('A#{a}#{b}#{a}')
    expect(templateConditionOf(key, strings({ a: 'x' }))).toEqual({ beginning: 'A#x#' })
    expect(templateConditionOf(key, strings({ a: 'x' }), { from: { S: 'y' } })).toEqual({ from: 'A#x#y#', to: 'A#x$' })
    expect(templateConditionOf(key, strings({ a: 'x', b: 'y' }))).toEqual({ equal: 'A#x#y#x' })
  })

  test('a prefix condition matches exactly the keys whose part has the prefix', () => {
    const pool = fc.array(hostileString, { minLength: 1, maxLength: 4 })
    const drawn = pool.chain(all =>
      fc.tuple(...Array.from({ length: 4 }, () => fc.constantFrom(...all, ...all.map(one => [...one][0] ?? '')))),
    )
    fc.assert(
      fc.property(drawn, fc.constantFrom('A#{a}#{b}', 'A#{a}#B#{b}#'), ([asked, a, b, beginning], source) => {
        const key = made(source, { maxBytes: PARTITION_KEY_BYTES })
        const text = encodeTemplate(key, strings({ a: a!, b: b! }))
        expect(sees(templateConditionOf(key, {}, { startsWith: beginning! }), text)).toBe(a!.startsWith(beginning!))
        const second = templateConditionOf(key, strings({ a: asked! }), { startsWith: beginning! })
        expect(sees(second, text)).toBe(a === asked && b!.startsWith(beginning!))
      }),
      { numRuns: 1000 },
    )
  })

  const shop = made('{state}#{city}#{zip}#{id}', {}, { zip: part('integer', { range: { min: 0, max: 99999 } }) })

  test('conditions on keys have readable texts', () => {
    const given = strings({ state: 'GA', city: 'ATLANTA' })
    expect(templateConditionOf(shop, {})).toEqual({})
    expect(templateConditionOf(shop, {}, { startsWith: '' })).toEqual({})
    expect(templateConditionOf(shop, strings({ state: 'GA' }))).toEqual({ beginning: 'GA#' })
    expect(templateConditionOf(shop, strings({ state: 'GA' }), { startsWith: 'ATL' })).toEqual({ beginning: 'GA#ATL' })
    expect(templateConditionOf(shop, given, { from: { N: '30300' }, to: { N: '30399' } })).toEqual({
      from: 'GA#ATLANTA#30300#',
      to: 'GA#ATLANTA#30399$',
    })
    expect(templateConditionOf(shop, given, { from: { N: '30300' } })).toEqual({
      from: 'GA#ATLANTA#30300#',
      to: 'GA#ATLANTA$',
    })
    expect(templateConditionOf(made('ORDER#{no}'), strings({ no: '1' }))).toEqual({ equal: 'ORDER#1' })
    expect(templateConditionOf(made('root'), {})).toEqual({ equal: 'root' })
  })

  test('an empty range has no condition, because DynamoDB would reject it', () => {
    expect(templateConditionOf(made('A#{x}'), {}, { from: { S: 'b' }, to: { S: 'a' } })).toBeUndefined()
  })

  test('a bound that is too long for a key is rejected', () => {
    const long = { S: 'x'.repeat(1_100) }
    for (const last of [{ from: long }, { to: long }])
      expect(() => templateConditionOf(made('A#{x}'), {}, last)).toThrow('may have 1024')
  })

  test('a condition ignores parts after the first missing part', () => {
    expect(templateConditionOf(shop, strings({ state: 'GA', id: '1' }))).toEqual({ beginning: 'GA#' })
    expect(templateConditionOf(shop, strings({ id: '1' }))).toEqual({})
  })

  test('a prefix of a number is rejected', () => {
    expect(() => templateConditionOf(made('A#{n}', {}, { n: part('number') }), {}, { startsWith: '1' })).toThrow(
      'a beginning',
    )
  })
})

test('the upper bound of a prefix differs from it in its last character, of one or two UTF-16 units', () => {
  expect(['A#', 'a\u{1f600}', '\u{1f600}', 'a\ud7ff'].map(prefixUpperBound)).toEqual([
    'A$',
    'a\u{1f601}',
    '\u{1f601}',
    'a\ue000',
  ])
  expect(['', 'a\u{10ffff}'].map(prefixUpperBound)).toEqual([undefined, undefined])
})

describe('a range in a raw key', () => {
  const parts = { n: part('number'), day: part('date') }
  const from = { from: { S: '2024-05-01T00:00:00.000Z' } }

  test('a range in a raw key is accepted if texts sort like their values', () => {
    expect(templateConditionOf(made('A#{x}', { raw: true }), {}, { from: { S: 'a' } })).toEqual({
      from: 'A#a',
      to: 'A$',
    })
    expect(templateConditionOf(made('A#{day}#{x}', { raw: true }, parts), {}, from)).toEqual({
      from: 'A#2024-05-01T00:00:00.000Z#',
      to: 'A$',
    })
    expect(templateConditionOf(made('A#{x}#{day}', { raw: true }, parts), strings({ x: 'a' }), from)).toEqual({
      from: 'A#a#2024-05-01T00:00:00.000Z',
      to: 'A#a$',
    })
    expect(templateConditionOf(made('{x}', { raw: true }), {}, { from: { S: 'a' } })).toEqual({
      from: 'a',
      to: undefined,
    })
  })

  test.each<[string, string, AttributeValue]>([
    ['a text that is followed by more', 'A#{x}#{y}', { S: 'a' }],
    ['a text that something ends', 'A#{x}#END', { S: 'a' }],
    ['a number without a range', 'A#{n}', { N: '1' }],
    ['a date that nothing ends', 'A#{day}{x}', from.from],
    ['a part that nothing begins', '{day}{x}', { S: 'a' }],
  ])('a range in a raw key is rejected for %s', (_, source, value) => {
    const given = source === '{day}{x}' ? { day: from.from } : {}
    expect(() => templateConditionOf(made(source, { raw: true }, parts), given, { from: value })).toThrow('a range')
  })
})

test('compareUtf8 compares texts by their UTF-8 bytes, like DynamoDB', () => {
  fc.assert(
    fc.property(hostileString, hostileString, (a, b) => {
      expect(Math.sign(compareUtf8(a, b))).toBe(bytesOrder(a, b))
    }),
    { numRuns: 1000 },
  )
})
