import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PARTITION_KEY_BYTES, SORT_KEY_BYTES } from '../../../src/dynamodb/limits.js'
import { canMakeKey, decodeTemplate, encodeTemplate } from '../../../src/layout/keys/encode-template.js'
import { parseKeyTemplate } from '../../../src/layout/keys/template.js'
import { besideLonger, compareTuples, made, named, sample, settle, strings, tuplesOf } from './templates.js'
import { bytesOrder, part } from './value-kinds.js'

const drawn = sample.chain(one => tuplesOf(one, 2).map(([a, b]) => ({ one, a: a!, b: b! })))
describe('keys of our own encoding', () => {
  test('read back as the values that made them, whether the last part is escaped or not', () => {
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

  test('sort part by part as their values do, and are the same only for the same values', () => {
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

  test('are not read from texts that no values make', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '#', '$', ' ', 'B'), maxLength: 8 }), text => {
        for (const source of ['a#{x}#{y}', '{x}#B#{y}', '{x}#', '{x}']) {
          const values = decodeTemplate(made(source), text)
          if (values && text !== '') expect(encodeTemplate(made(source), values)).toBe(text)
        }
      }),
    )
  })

  test('escape every character up to $ in all parts but the last', () => {
    const key = made('{state}#{city}#{note}')
    expect(encodeTemplate(key, strings({ state: 'CA', city: 'LOS ANGELES', note: 'a #1' }))).toBe(
      'CA#LOS$ ANGELES#a #1',
    )
    expect(encodeTemplate(key, strings({ state: '#$', city: '', note: '' }))).toBe('$#$$##')
  })

  test('hold a slot that stands in them twice only once', () => {
    const twice = made('{a}#{a}')
    expect(decodeTemplate(twice, 'x#x')).toEqual(strings({ a: 'x' }))
    expect(decodeTemplate(twice, 'x#y')).toBeUndefined()
  })

  test('take braces that are written twice as braces', () => {
    expect(encodeTemplate(made('{{{a}#{{b}}'), strings({ a: '1' }))).toBe('{1#{b}')
  })
})

describe('what a key cannot be is refused', () => {
  const refused = (act: () => unknown) => {
    try {
      act()
    } catch (error) {
      return (error as { code: string }).code
    }
    return 'nothing'
  }

  test('a sort key of more than 1,024 bytes and a partition key of more than 2,048, counted in UTF-8', () => {
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

  test('a missing value, never written as undefined', () => {
    expect(refused(() => encodeTemplate(made('{a}#{b}'), strings({ b: '1' })))).toBe('key.missing')
  })

  test('half a surrogate pair and an empty key', () => {
    expect(refused(() => encodeTemplate(made('{a}'), strings({ a: '\udc00' })))).toBe('key.value')
    expect(refused(() => encodeTemplate(made('{a}'), strings({ a: '' })))).toBe('key.empty')
  })

  test('a template that is malformed, or of which a part has no end', () => {
    for (const source of ['', 'A#{', 'A}', '{}', '{a}{b}', '{a}-{b}', '{a}x', '\ud800', '\u{10ffff}'])
      expect([source, refused(() => made(source))]).toEqual([source, 'key.template'])
  })

  test('a slot that is not there, or cannot be in a key', () => {
    expect(refused(() => parseKeyTemplate('{x}', () => undefined, { maxBytes: 9 }))).toBe('key.slot')
    expect(refused(() => made('{x}', {}, { x: part('map') }))).toBe('key.slot')
  })
})

describe('raw keys, which other programs write too', () => {
  test('hold values as they are, folded where that is declared', () => {
    const key = made('$shop#city_{city}#zip_{zip}', { raw: true, fold: 'lower' }, { zip: part('integer') })
    expect(encodeTemplate(key, { city: { S: 'Los Angeles $' }, zip: { N: '7' } })).toBe(
      '$shop#city_los angeles $#zip_7',
    )
    expect(encodeTemplate(made('{x}', { raw: true, fold: 'upper' }), strings({ x: 'ab' }))).toBe('AB')
  })

  test('refuse a value that contains what ends its part, and only that', () => {
    const key = made('{a}#{b}', { raw: true })
    expect(() => encodeTemplate(key, strings({ a: 'x#y', b: '' }))).toThrow("give a value without '#'")
    expect(encodeTemplate(key, strings({ a: 'x', b: 'y#z' }))).toBe('x#y#z')
  })

  test('refuse the separator in the last part too where a longer template begins alike', () => {
    const [user] = settle([made('U#{a}', { raw: true }), made('U#{a}#O#{b}', { raw: true })])
    expect(() => encodeTemplate(user!, strings({ a: 'x#y' }))).toThrow("give a value without '#'")
    const [slash] = settle([
      made('U/{a}', { raw: true, separator: '/' }),
      made('U/{a}/O', { raw: true, separator: '/' }),
    ])
    expect(() => encodeTemplate(slash!, strings({ a: 'x/y' }))).toThrow("give a value without '/'")
  })

  test('are never read, only recognised', () => {
    const key = made('a.{x}#{y}', { raw: true })
    expect(decodeTemplate(key, 'a.1#2')).toBeUndefined()
    expect([canMakeKey(key, 'a.1#2'), canMakeKey(key, 'ab1#2'), canMakeKey(key, 'a.1')]).toEqual([true, false, false])
    const two = made('A#{x}#B#{y}', { raw: true })
    expect([canMakeKey(two, 'A#a#B#b'), canMakeKey(two, 'A#a#a#B#b')]).toEqual([true, false])
  })

  test('need no end after a text that has one length', () => {
    const key = made('{day}-{x}', { raw: true }, { day: part('date') })
    expect(encodeTemplate(key, { day: { S: '2024-05-01T00:00:00.000Z' }, x: { S: '1' } })).toBe(
      '2024-05-01T00:00:00.000Z-1',
    )
  })
})

describe('the last part of a key', () => {
  const lastText = (source: string, ...others: string[]) =>
    encodeTemplate(settle([made(source), ...others.map(other => made(other))])[0]!, strings({ x: 'a b', y: 'c d' }))

  test('stands as it is where no longer template begins alike', () => {
    expect(lastText('A#{x}')).toBe('A#a b')
    expect(lastText('A#{x}', 'B#{x}#C#{y}', 'A', 'A#{y}')).toBe('A#a b')
    expect(lastText('A#{x}#C#{y}', 'A#{x}')).toBe('A#a$ b#C#c d')
  })

  test('is escaped where one does', () => {
    expect(lastText('A#{x}', 'A#{x}#C#{y}')).toBe('A#a$ b')
    expect(lastText('A#{x}', 'A#B#{y}')).toBe('A#a$ b')
    expect(lastText('{x}', 'A#{y}')).toBe('a$ b')
  })
})
