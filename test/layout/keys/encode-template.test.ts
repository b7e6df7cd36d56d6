import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PARTITION_KEY_BYTES, SORT_KEY_BYTES } from '../../../src/dynamodb/limits.js'
import { canMakeKey, decodeTemplate, encodeTemplate } from '../../../src/layout/keys/encode-template.js'
import { parseKeyTemplate } from '../../../src/layout/keys/template.js'
import { besideLonger, compareTuples, made, named, sample, settle, strings, tuplesOf } from './templates.js'
import { bytesOrder, part } from './value-kinds.js'

const drawn = sample.chain(one => tuplesOf(one, 2).map(([a, b]) => ({ one, a: a!, b: b! })))
describe('encoded keys', () => {
  test('encoded keys are decoded to their values, with and without an escaped last part', () => {
    fc.assert(
      fc.property(drawn, fc.boolean(), ({ one, a }, longer) => {
        const template = longer ? besideLonger(one.template) : one.template
        fc.pre(one.template.literals.join('') !== '' || a.some(({ S, B }) => (S ?? B)?.length !== 0))
        const text = encodeTemplate(template, named(a))
        expect(decodeTemplate(template, text)).toEqual(named(a))
        expect(canMakeKey(template, text)).toBe(true)
      }),
    )
  })

  test('encoded keys sort part by part like their values and are unique', () => {
    fc.assert(
      fc.property(drawn, fc.boolean(), ({ one, a, b }, longer) => {
        const template = longer ? besideLonger(one.template) : one.template
        fc.pre(one.template.literals.join('') !== '')
        const order = bytesOrder(encodeTemplate(template, named(a)), encodeTemplate(template, named(b)))
        expect(order).toBe(compareTuples(one, a, b))
      }),
      { numRuns: 500 },
    )
  })

  test('texts that no values make are not decoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '#', '$', ' ', 'B'), maxLength: 8 }), text => {
        for (const source of ['a#{x}#{y}', '{x}#B#{y}', '{x}#', '{x}']) {
          const values = decodeTemplate(made(source), text)
          if (values && text !== '') expect(encodeTemplate(made(source), values)).toBe(text)
        }
      }),
    )
  })

  test('encoded keys escape every character up to $ in all parts but the last', () => {
    const key = made('{state}#{city}#{note}')
    expect(encodeTemplate(key, strings({ state: 'CA', city: 'LOS ANGELES', note: 'a #1' }))).toBe(
      'CA#LOS$ ANGELES#a #1',
    )
    expect(encodeTemplate(key, strings({ state: '#$', city: '', note: '' }))).toBe('$#$$##')
  })

  test('a repeated slot is decoded only if both texts are equal', () => {
    const twice = made('{a}#{a}')
    expect(decodeTemplate(twice, 'x#x')).toEqual(strings({ a: 'x' }))
    expect(decodeTemplate(twice, 'x#y')).toBeUndefined()
  })

  test('doubled braces in a template are literal braces', () => {
    expect(encodeTemplate(made('{{{a}#{{b}}'), strings({ a: '1' }))).toBe('{1#{b}')
  })
})

describe('invalid keys and templates', () => {
  const refused = (act: () => unknown) => {
    try {
      act()
    } catch (error) {
      return (error as { code: string }).code
    }
    return 'nothing'
  }

  test('sort keys over 1,024 bytes and partition keys over 2,048 bytes in UTF-8 are rejected', () => {
    for (const [options, bytes] of [
      [{}, SORT_KEY_BYTES],
      [{ maxBytes: PARTITION_KEY_BYTES }, PARTITION_KEY_BYTES],
    ] as const) {
      const template = made('A#{x}', options)
      const fits = 'é'.repeat(bytes / 2 - 1)
      expect(Buffer.byteLength(encodeTemplate(template, strings({ x: fits })))).toBe(bytes)
      expect(refused(() => encodeTemplate(template, strings({ x: `${fits}a` })))).toBe('key.long')
      expect(refused(() => encodeTemplate(made('{x}#A', options), strings({ x: '#'.repeat(bytes / 2) })))).toBe(
        'key.long',
      )
    }
  })

  test('a key with a missing value is rejected', () => {
    expect(refused(() => encodeTemplate(made('{a}#{b}'), strings({ b: '1' })))).toBe('key.missing')
  })

  test('half a surrogate pair and an empty key are rejected', () => {
    expect(refused(() => encodeTemplate(made('{a}'), strings({ a: '\udc00' })))).toBe('key.value')
    expect(refused(() => encodeTemplate(made('{a}'), strings({ a: '' })))).toBe('key.empty')
  })

  test('a malformed template and a part without a separator are rejected', () => {
    for (const source of ['', 'A#{', 'A}', '{}', '{a}{b}', '{a}-{b}', '{a}x', '\ud800', '\u{10ffff}'])
      expect([source, refused(() => made(source))]).toEqual([source, 'key.template'])
  })

  test('unknown slots and slots that keys cannot contain are rejected', () => {
    expect(refused(() => parseKeyTemplate('{x}', () => undefined, { maxBytes: 9 }))).toBe('key.slot')
    expect(refused(() => made('{x}', {}, { x: part('map') }))).toBe('key.slot')
  })
})

describe('raw keys', () => {
  test('raw keys contain plain values, folded if declared', () => {
    const key = made('$shop#city_{city}#zip_{zip}', { raw: true, fold: 'lower' }, { zip: part('integer') })
    expect(encodeTemplate(key, { city: { S: 'Los Angeles $' }, zip: { N: '7' } })).toBe(
      '$shop#city_los angeles $#zip_7',
    )
    expect(encodeTemplate(made('{x}', { raw: true, fold: 'upper' }), strings({ x: 'ab' }))).toBe('AB')
  })

  test('raw keys reject only values that contain the terminator of their part', () => {
    const key = made('{a}#{b}', { raw: true })
    expect(() => encodeTemplate(key, strings({ a: 'x#y', b: '' }))).toThrow("give a value without '#'")
    expect(encodeTemplate(key, strings({ a: 'x', b: 'y#z' }))).toBe('x#y#z')
  })

  test('raw keys reject the separator in the last part if a longer template continues it', () => {
    const [user] = settle([made('U#{a}', { raw: true }), made('U#{a}#O#{b}', { raw: true })])
    expect(() => encodeTemplate(user!, strings({ a: 'x#y' }))).toThrow("give a value without '#'")
    const [slash] = settle([
      made('U/{a}', { raw: true, separator: '/' }),
      made('U/{a}/O', { raw: true, separator: '/' }),
    ])
    expect(() => encodeTemplate(slash!, strings({ a: 'x/y' }))).toThrow("give a value without '/'")
  })

  test('raw keys are recognized but not decoded', () => {
    const key = made('a.{x}#{y}', { raw: true })
    expect(decodeTemplate(key, 'a.1#2')).toBeUndefined()
    expect([canMakeKey(key, 'a.1#2'), canMakeKey(key, 'ab1#2'), canMakeKey(key, 'a.1')]).toEqual([true, false, false])
    const two = made('A#{x}#B#{y}', { raw: true })
    expect([canMakeKey(two, 'A#a#B#b'), canMakeKey(two, 'A#a#a#B#b')]).toEqual([true, false])
  })

  test('raw keys need no terminator after a text of a fixed width', () => {
    const key = made('{day}-{x}', { raw: true }, { day: part('date') })
    expect(encodeTemplate(key, { day: { S: '2024-05-01T00:00:00.000Z' }, x: { S: '1' } })).toBe(
      '2024-05-01T00:00:00.000Z-1',
    )
  })
})

describe('the last part of a key', () => {
  const lastText = (source: string, ...others: string[]) =>
    encodeTemplate(settle([made(source), ...others.map(other => made(other))])[0]!, strings({ x: 'a b', y: 'c d' }))

  test('the last part of a key is not escaped if no longer template continues it', () => {
    expect(lastText('A#{x}')).toBe('A#a b')
    expect(lastText('A#{x}', 'B#{x}#C#{y}', 'A', 'A#{y}')).toBe('A#a b')
    expect(lastText('A#{x}#C#{y}', 'A#{x}')).toBe('A#a$ b#C#c d')
  })

  test('the last part of a key is escaped if a longer template continues it', () => {
    expect(lastText('A#{x}', 'A#{x}#C#{y}')).toBe('A#a$ b')
    expect(lastText('A#{x}', 'A#B#{y}')).toBe('A#a$ b')
    expect(lastText('{x}', 'A#{y}')).toBe('a$ b')
  })
})
