import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { counter } from '../../src/schema/attributes/counter.js'
import { fixedText } from '../../src/schema/attributes/fixed-text.js'
import { integer } from '../../src/schema/attributes/integer.js'
import { list } from '../../src/schema/attributes/list.js'
import { map } from '../../src/schema/attributes/map.js'
import { oneOf } from '../../src/schema/attributes/one-of.js'
import { set } from '../../src/schema/attributes/set.js'
import { string } from '../../src/schema/attributes/string.js'
import { ulid } from '../../src/schema/attributes/ulid.js'
import { declarationOf } from '../../src/schema/attributes/validated.js'
import { codeOf } from './error-code.js'
import { shortText, validator } from './validator.js'

const SURROUNDINGS = { now: () => 1_469_918_176_385, random: (bytes: number) => new Uint8Array(bytes).fill(33) }

describe('modifiers', () => {
  it('a modifier returns a new attribute and does not change the original', () => {
    const plain = string()
    const { declared } = plain.optional().immutable().stored('n').default('x')
    expect(declared).toMatchObject({ kind: 'string', optional: true, immutable: true, storedAs: 'n' })
    expect(declared.fallback!(SURROUNDINGS)).toBe('x')
    const { optional, immutable, storedAs, fallback } = plain.declared
    expect([optional, immutable, storedAs, fallback]).toEqual([false, false, undefined, undefined])
  })

  it('a default that cannot be stored is rejected at the declaration', () => {
    expect(codeOf(() => integer({ max: 3 }).default(4))).toBe('value.range')
  })

  it('a default function runs for each write', () => {
    let count = 0
    const { fallback } = integer().default(() => ++count).declared
    expect([fallback!(SURROUNDINGS), fallback!(SURROUNDINGS)]).toEqual([1, 2])
  })

  it('stored names that are empty, reserved or inherited from Object are rejected', () => {
    expect(codeOf(() => string().stored(''))).toBe('name.invalid')
    expect(codeOf(() => string().stored('$etag'))).toBe('name.reserved')
    expect(codeOf(() => string().stored('toString'))).toBe('name.reserved')
    expect(codeOf(() => map({ hasOwnProperty: string().optional() }))).toBe('name.reserved')
  })

  it('the Standard Schema of an optional attribute accepts undefined', () => {
    expect(string().optional()['~standard'].validate(undefined)).toEqual({ value: undefined })
    expect(string()['~standard'].validate(undefined)).toHaveProperty('issues')
    expect(string().optional()['~standard'].validate(1)).toHaveProperty('issues')
    const broken = validator<string>(() => {
      throw new TypeError('broken')
    })
    expect(() => string().check(broken)['~standard'].validate('a')).toThrow(TypeError)
  })
})

describe('check', () => {
  it('check() stores the output of the validator', () => {
    expect(string().check(shortText).declared.encode(' a ', 'x')).toEqual({ S: 'a' })
  })

  it('check() rejects a value with the message and path of the validator', () => {
    expect(codeOf(() => string().check(shortText).declared.encode('abcdef', 'x'))).toBe('value.check')
    expect(() => string().check(shortText).declared.encode('abcdef', 'movie.name')).toThrow('movie.name.a.0: too long')
  })

  it("check() reports the attribute itself if the validator's path is empty", () => {
    class Path extends Array<string> {
      constructor(...keys: string[]) {
        super()
        this.push(...keys)
      }
    }
    const text = validator<string>(() => ({ issues: [{ message: 'must be a string', path: new Path() }] }))
    expect(() => string().check(text).declared.encode('a', 'movie.name')).toThrow(
      /^movie\.name: must be a string; give a value that the validator accepts\.$/,
    )
  })

  it('check() rejects an asynchronous validator', () => {
    const late = validator<string>(() => Promise.reject(new Error('late')))
    expect(codeOf(() => string().check(late).declared.encode('a', 'x'))).toBe('value.check.async')
  })
})

describe('a validator used as an attribute', () => {
  it('the output of a validator is stored as JSON', () => {
    fc.assert(
      fc.property(fc.string(), value => {
        const declared = declarationOf(
          validator(given => ({ value: { given } })),
          'x',
        )
        expect(declared.decode(declared.encode(value, 'x'))).toEqual({ given: value })
      }),
    )
  })

  it('the output of a validator for undefined decides whether the attribute is required', () => {
    const optional = declarationOf(
      validator(value => ({ value })),
      'x',
    )
    const fallback = declarationOf(
      validator(value => ({ value: value ?? 7 })),
      'x',
    )
    const late = declarationOf(
      validator(() => Promise.reject(new Error('late'))),
      'x',
    )
    const failing = declarationOf(
      validator(() => {
        throw new TypeError('no value')
      }),
      'x',
    )
    expect([declarationOf(shortText, 'x'), optional, fallback, late, failing].map(each => each.optional)).toEqual([
      false,
      true,
      false,
      false,
      false,
    ])
    expect(fallback.fallback!(SURROUNDINGS)).toBe(7)
  })

  it('a validator is rejected if its output cannot be stored', () => {
    const dates = declarationOf(
      validator(() => ({ value: new Date() })),
      'x',
    )
    expect(codeOf(() => dates.encode('2020', 'x'))).toBe('value.type')
  })

  it('a validator inside a map may have a default', () => {
    const inside = map({ a: validator(value => ({ value: value ?? 7 })) })
    expect(inside.declared.encode({}, 'x')).toEqual({ M: { a: { N: '7' } } })
  })
})

describe('a ULID', () => {
  const { fallback, encode } = ulid().declared

  it('a ULID is made from the given clock and random bytes', () => {
    expect(fallback!(SURROUNDINGS)).toBe('01ARYZ6S411111111111111111')
  })

  it('ULIDs sort by their creation time', () => {
    const at = fc.integer({ min: 0, max: 2 ** 48 - 1 })
    fc.assert(
      fc.property(at, at, (a, b) => {
        const [first, second] = [a, b].map(time => fallback!({ ...SURROUNDINGS, now: () => time }) as string) as [
          string,
          string,
        ]
        expect(Math.sign(first.localeCompare(second, 'en'))).toBe(Math.sign(a - b))
        expect(encode(first, 'x')).toEqual({ S: first })
      }),
    )
  })
})

describe('invalid attribute declarations', () => {
  it.each([
    ['a string in place of an attribute', 'attribute.unknown', () => declarationOf('string' as never, 'x')],
    ['an empty range', 'attribute.range', () => integer({ min: 2, max: 1 })],
    ['a range with a fraction', 'attribute.range', () => integer({ min: 0.5 })],
    ['a range with an unknown bound', 'option.unknown', () => integer({ min: 0, maximum: 9 } as object)],
    ['a range that is not an object', 'call.argument', () => integer(0 as never)],
    ['an empty format', 'attribute.format', () => fixedText('')],
    ['a format without a placeholder', 'attribute.format', () => fixedText('INV')],
    ['a format that ends with a backslash', 'attribute.format', () => fixedText('0\\')],
    ['a format with a character of two bytes', 'attribute.format', () => fixedText('é00')],
    ['a format that is not a text', 'attribute.format', () => fixedText(7 as unknown as string)],
    ['an empty choice', 'attribute.choices', () => oneOf()],
    ['a duplicate choice', 'attribute.choices', () => oneOf('a', 'a')],
    ['a list of optional elements', 'attribute.element', () => list(string().optional())],
    ['a list of elements with a default', 'attribute.element', () => list(string().default('a'))],
    ['a list of counters', 'attribute.element', () => list(counter())],
    ['a set of lists', 'attribute.element', () => set(list(string()))],
    ['a set of validated values', 'attribute.element', () => set(shortText)],
    ['a member with a default', 'attribute.member', () => map({ a: string().default('a') })],
    ['an immutable member', 'attribute.member', () => map({ a: string().immutable() })],
    ['a counter inside a map', 'attribute.member', () => map({ a: counter() })],
    ['two members stored as one', 'name.duplicate', () => map({ a: string(), b: string().stored('a') })],
  ])('a declaration is rejected: %s', (_, code, declare) => {
    expect(codeOf(declare)).toBe(code)
  })
})
