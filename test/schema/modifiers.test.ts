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
  it('give a new attribute and leave the one before', () => {
    const plain = string()
    const { declared } = plain.optional().immutable().stored('n').default('x')
    expect(declared).toMatchObject({ kind: 'string', optional: true, immutable: true, storedAs: 'n' })
    expect(declared.fallback!(SURROUNDINGS)).toBe('x')
    const { optional, immutable, storedAs, fallback } = plain.declared
    expect([optional, immutable, storedAs, fallback]).toEqual([false, false, undefined, undefined])
  })

  it('refuse a default that could not be stored, when it is declared', () => {
    expect(codeOf(() => integer({ max: 3 }).default(4))).toBe('value.range')
  })

  it('make a default by a function each time', () => {
    let count = 0
    const { fallback } = integer().default(() => ++count).declared
    expect([fallback!(SURROUNDINGS), fallback!(SURROUNDINGS)]).toEqual([1, 2])
  })

  it('refuse stored names that are empty, ours or what every object has', () => {
    expect(codeOf(() => string().stored(''))).toBe('name.invalid')
    expect(codeOf(() => string().stored('$etag'))).toBe('name.reserved')
    expect(codeOf(() => string().stored('toString'))).toBe('name.reserved')
    expect(codeOf(() => map({ hasOwnProperty: string().optional() }))).toBe('name.reserved')
  })

  it('let an optional attribute be undefined in its Standard Schema', () => {
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
  it('stores what the validator returns', () => {
    expect(string().check(shortText).declared.encode(' a ', 'x')).toEqual({ S: 'a' })
  })

  it('refuses what the validator refuses, in its words and at its place', () => {
    expect(codeOf(() => string().check(shortText).declared.encode('abcdef', 'x'))).toBe('value.check')
    expect(() => string().check(shortText).declared.encode('abcdef', 'movie.name')).toThrow('movie.name.a.0: too long')
  })

  it('and at no place within where the path, of a class of its own as those of arktype are, is empty', () => {
    class Path extends Array<string> {
      constructor(...keys: string[]) {
        super()
        this.push(...keys)
      }
    }
    const text = validator<string>(() => ({ issues: [{ message: 'must be a string', path: new Path() }] }))
    expect(() => string().check(text).declared.encode('a', 'movie.name')).toThrow(/^movie\.name: must be a string$/)
  })

  it('refuses a validator that answers later', () => {
    const late = validator<string>(() => Promise.reject(new Error('late')))
    expect(codeOf(() => string().check(late).declared.encode('a', 'x'))).toBe('value.check.async')
  })
})

describe('a validator that stands for an attribute', () => {
  it('stores its output as JSON', () => {
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

  it('is required, optional or has a default, as it answers to undefined', () => {
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

  it('is refused where its output cannot be stored', () => {
    const dates = declarationOf(
      validator(() => ({ value: new Date() })),
      'x',
    )
    expect(codeOf(() => dates.encode('2020', 'x'))).toBe('value.type')
  })

  it('may have a default inside a map', () => {
    const inside = map({ a: validator(value => ({ value: value ?? 7 })) })
    expect(inside.declared.encode({}, 'x')).toEqual({ M: { a: { N: '7' } } })
  })
})

describe('a ULID', () => {
  const { fallback, encode } = ulid().declared

  it('is made of the time and of chance as given', () => {
    expect(fallback!(SURROUNDINGS)).toBe('01ARYZ6S411111111111111111')
  })

  it('sorts by the time of its making', () => {
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

describe('an attribute is refused', () => {
  it.each([
    ['what is none', 'attribute.unknown', () => declarationOf('string' as never, 'x')],
    ['an empty range', 'attribute.range', () => integer({ min: 2, max: 1 })],
    ['a range with a fraction', 'attribute.range', () => integer({ min: 0.5 })],
    ['a range of other names', 'option.unknown', () => integer({ min: 0, maximum: 9 } as object)],
    ['a range that is not by name', 'call.given', () => integer(0 as never)],
    ['an empty format', 'attribute.format', () => fixedText('')],
    ['a format of which every text is the same', 'attribute.format', () => fixedText('INV')],
    ['a format that ends with a backslash', 'attribute.format', () => fixedText('0\\')],
    ['a format with a character of two bytes', 'attribute.format', () => fixedText('é00')],
    ['a format that is not a text', 'attribute.format', () => fixedText(7 as unknown as string)],
    ['a choice of nothing', 'attribute.choices', () => oneOf()],
    ['a choice twice', 'attribute.choices', () => oneOf('a', 'a')],
    ['a list of optional elements', 'attribute.element', () => list(string().optional())],
    ['a list of elements with a default', 'attribute.element', () => list(string().default('a'))],
    ['a list of counters', 'attribute.element', () => list(counter())],
    ['a set of lists', 'attribute.element', () => set(list(string()))],
    ['a set of what a validator makes', 'attribute.element', () => set(shortText)],
    ['a member with a default', 'attribute.member', () => map({ a: string().default('a') })],
    ['an immutable member', 'attribute.member', () => map({ a: string().immutable() })],
    ['a counter inside a map', 'attribute.member', () => map({ a: counter() })],
    ['two members stored as one', 'name.duplicate', () => map({ a: string(), b: string().stored('a') })],
  ])('%s', (_, code, declare) => {
    expect(codeOf(declare)).toBe(code)
  })
})
