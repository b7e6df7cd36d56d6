import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keyTextCodecOf, type SlotType } from '../../../src/layout/keys/key-text-codec.js'
import { bytesOrder, KINDS, part } from './value-kinds.js'

const numberIn = (N: string, of: SlotType = part('number')) => keyTextCodecOf(of, false)!.write({ N })

describe.each(Object.entries(KINDS))('a %s in a key', (_, { part, values, compare }) => {
  const text = keyTextCodecOf(part, false)!

  test('the key text is read back as its value', () => {
    fc.assert(
      fc.property(values, value => {
        expect(text.read(text.write(value)!)).toEqual(value)
      }),
    )
  })

  test('the bytes of the key text sort like the values', () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        expect(bytesOrder(text.write(a)!, text.write(b)!)).toBe(compare(a, b))
      }),
    )
  })

  test('a text in another notation is not read', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789.-~abxyz TZ:e'), maxLength: 8 }), candidate => {
        const value = text.read(candidate)
        if (value) expect(text.write(value)).toBe(candidate)
      }),
    )
  })
})

describe('numbers in keys', () => {
  test.each([
    ['0', '0'],
    ['5', 'a5'],
    ['1995', 'd1995'],
    ['12.5', 'b12.5'],
    ['0.05', '0.05'],
    ['-1995', '-v8004~'],
    ['-0.05', '-z.94~'],
    ['1e30', 'y0311000000000000000000000000000000'],
  ])('%s is written %s', (number, written) => expect(numberIn(number)).toBe(written))

  test('a bounded integer has a fixed width and plain digits if it is not negative', () => {
    const zip = part('integer', { range: { min: 0, max: 99999 } })
    const temperature = part('integer', { range: { min: -40, max: 125 } })
    expect(numberIn('30329', zip)).toBe('30329')
    expect(numberIn('7', zip)).toBe('00007')
    expect(numberIn('-3', temperature)).toBe('-996')
    expect(numberIn('3', temperature)).toBe('003')
  })

  test('the smallest and the largest numbers of 38 digits sort correctly on both sides of zero', () => {
    const digits = '9'.repeat(38)
    const ascending = [`-${digits}e88`, '-1', '-1e-130', '0', '1e-130', '1', `${digits}e88`].map(N => numberIn(N)!)
    expect([...ascending].sort(bytesOrder)).toEqual(ascending)
  })
})

describe('values without a key text', () => {
  test.each<[string, SlotType, Parameters<NonNullable<ReturnType<typeof keyTextCodecOf>>['write']>[0]]>([
    ['half a surrogate pair', part('string'), { S: 'a\ud800b' }],
    ['a number for a string', part('string'), { N: '1' }],
    ['a text for a number', part('number'), { S: '1' }],
    ['a number of 39 digits', part('decimal'), { N: `${'1'.repeat(39)}` }],
    ['a number below the smallest', part('decimal'), { N: '1e-131' }],
    ['an integer outside its range', part('integer', { range: { min: 0, max: 9 } }), { N: '10' }],
    ['a fraction for an integer with a range', part('integer', { range: { min: 0, max: 9 } }), { N: '1.5' }],
    ['what rounds to an integer', part('integer', { range: { min: 0, max: 9 } }), { N: '0.99999999999999999999' }],
    ['a word that is not one of the choices', part('oneOf', { values: ['a'] }), { S: 'b' }],
    ['a year of five digits', part('date'), { S: '+012345-01-01T00:00:00.000Z' }],
    ['a date without its time', part('date'), { S: '2024-05-01' }],
  ])('%s has no key text', (_, of, value) => expect(keyTextCodecOf(of, false)!.write(value)).toBeUndefined())

  test.each(['list', 'map', 'set', 'json', 'counter', 'embedded', 'validated'] as const)(
    'a %s has no key text',
    kind => {
      expect(keyTextCodecOf(part(kind), false)).toBeUndefined()
    },
  )
})
