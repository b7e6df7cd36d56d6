import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AttributeValue } from '../../src/dynamodb/attribute-value.js'
import { formatDecimal, numberFaultOf, parseDecimal } from '../../src/dynamodb/number.js'
import type { Attribute } from '../../src/schema/attribute.js'
import { bigint } from '../../src/schema/attributes/bigint.js'
import { binary } from '../../src/schema/attributes/binary.js'
import { boolean } from '../../src/schema/attributes/boolean.js'
import { counter } from '../../src/schema/attributes/counter.js'
import { date } from '../../src/schema/attributes/date.js'
import { day, yearMonth } from '../../src/schema/attributes/day.js'
import { decimal } from '../../src/schema/attributes/decimal.js'
import { embedded } from '../../src/schema/attributes/embedded.js'
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

const text = fc.string({ unit: 'binary' })
const whole = fc
  .integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER })
  .filter(value => !Object.is(value, -0))
const isExact = (value: number) =>
  !Object.is(value, -0) && (value === 0 || !numberFaultOf(parseDecimal(String(value))!))
const exact = fc.double({ noNaN: true, noDefaultInfinity: true }).filter(isExact)
const big = fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n })
const canonicalDecimal = fc
  .tuple(big, fc.integer({ min: 0, max: 90 }))
  .map(([digits, scale]) => formatDecimal(parseDecimal(`${digits}e-${scale}`)!))
const moment = fc.date({
  min: new Date('0000-01-01T00:00:00.000Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
})
const document = fc
  .json()
  .map(json => JSON.parse(json, (_, value) => (typeof value === 'number' && !isExact(value) ? 0 : value)))
  .filter(value => !JSON.stringify(value).includes('"":'))
const ulidDigit = fc.constantFrom(...'0123456789ABCDEFGHJKMNPQRSTVWXYZ')
const ulidText = fc
  .tuple(fc.constantFrom(...'01234567'), fc.string({ unit: ulidDigit, minLength: 25, maxLength: 25 }))
  .map(([head, tail]) => head + tail)
const entry = fc.record({ name: text, age: whole }, { requiredKeys: ['name'] })

type Case = {
  readonly attribute: Pick<Attribute<unknown>, 'declared' | '~standard'>
  readonly values: fc.Arbitrary<unknown>
  readonly stored: readonly string[]
}

const CASES: Record<string, Case> = {
  string: { attribute: string(), values: text, stored: ['S'] },
  number: { attribute: number(), values: exact, stored: ['N'] },
  integer: { attribute: integer(), values: whole, stored: ['N'] },
  bigint: { attribute: bigint(), values: big, stored: ['N'] },
  decimal: { attribute: decimal(), values: canonicalDecimal, stored: ['N'] },
  boolean: { attribute: boolean(), values: fc.boolean(), stored: ['BOOL'] },
  date: { attribute: date(), values: moment, stored: ['S'] },
  day: { attribute: day(), values: moment.map(at => at.toISOString().slice(0, 10)), stored: ['S'] },
  yearMonth: { attribute: yearMonth(), values: moment.map(at => at.toISOString().slice(0, 7)), stored: ['S'] },
  fixedText: { attribute: fixedText('INV-Aa*0\\0'), values: fc.constantFrom('INV-Zz900', 'INV-Bbq10'), stored: ['S'] },
  binary: { attribute: binary(), values: fc.uint8Array(), stored: ['B'] },
  oneOf: { attribute: oneOf('a', 'b'), values: fc.constantFrom('a', 'b'), stored: ['S'] },
  ulid: { attribute: ulid(), values: ulidText, stored: ['S'] },
  list: { attribute: list(date()), values: fc.array(moment), stored: ['L'] },
  map: { attribute: map({ name: string().stored('n'), age: integer().optional() }), values: entry, stored: ['M'] },
  set: {
    attribute: set(string()),
    values: fc.uniqueArray(text, { minLength: 1 }).map(each => new Set(each)),
    stored: ['SS'],
  },
  'set of numbers': {
    attribute: set(bigint()),
    values: fc.uniqueArray(big, { minLength: 1 }).map(each => new Set(each)),
    stored: ['NS'],
  },
  json: { attribute: json(), values: document, stored: ['S', 'N', 'BOOL', 'NULL', 'L', 'M'] },
  counter: { attribute: counter(), values: whole, stored: ['N'] },
  embedded: {
    attribute: embedded({ name: string(), age: integer().optional() }),
    values: fc.dictionary(text, entry),
    stored: ['M'],
  },
}

describe.each(Object.entries(CASES))('%s', (_, { attribute, values, stored }) => {
  const { declared } = attribute

  it('values are read back from the declared stored type', () => {
    fc.assert(
      fc.property(values, value => {
        const encoded = declared.encode(value, 'x')
        expect(stored).toContain(Object.keys(encoded)[0])
        expect(Object.keys(encoded)).toHaveLength(1)
        expect(declared.decode(encoded)).toEqual(value)
      }),
    )
  })

  it('values of another kind are rejected with their path', () => {
    for (const value of [undefined, Symbol.iterator, () => 1]) {
      expect(codeOf(() => declared.encode(value, 'movie.x'))).toMatch(/^value\./)
      expect(() => declared.encode(value, 'movie.x')).toThrow('movie.x')
    }
  })

  it('stored values of another type are rejected', () => {
    const others: AttributeValue[] = [{ NULL: true }, { BS: [new Uint8Array(1)] }, { $unknown: ['X', 1] } as never]
    for (const other of others.filter(value => !stored.includes(Object.keys(value)[0]!)))
      expect(codeOf(() => declared.decode(other))).toBe('stored.type')
  })

  it('the attribute is a Standard Schema that accepts exactly the storable values', () => {
    const schema = attribute['~standard']
    fc.assert(
      fc.property(values, value => {
        expect(schema.validate(value)).toEqual({ value })
      }),
      { numRuns: 20 },
    )
    expect(schema.validate(Symbol.iterator)).toMatchObject({ issues: [{ message: expect.stringContaining('value') }] })
  })
})

it('a set of binaries holds equal bytes once', () => {
  const { declared } = set(binary())
  const encoded = declared.encode(new Set([Uint8Array.of(1, 2), Uint8Array.of(1, 2), Uint8Array.of(3)]), 'x')
  expect(encoded).toEqual({ BS: [Uint8Array.of(1, 2), Uint8Array.of(3)] })
  expect(declared.decode(encoded)).toEqual(new Set([Uint8Array.of(1, 2), Uint8Array.of(3)]))
})

it('a decimal is stored without superfluous zeros', () => {
  expect(decimal().declared.encode('+001.50e1', 'x')).toEqual({ N: '15' })
  expect(decimal().declared.encode('-0.0', 'x')).toEqual({ N: '0' })
})

it('dates are read from the short forms that other programs write', () => {
  const { declared } = date()
  expect(declared.decode({ S: '2020-02-24' })).toEqual(new Date('2020-02-24T00:00:00.000Z'))
  expect(declared.decode({ S: '2020-02-24T10:00:00Z' })).toEqual(new Date('2020-02-24T10:00:00.000Z'))
})

it('members with names inherited from Object are data', () => {
  const value = JSON.parse('{"__proto__":{"a":1},"constructor":2}')
  const { declared } = json()
  expect(JSON.stringify(declared.decode(declared.encode(value, 'x')))).toBe(JSON.stringify(value))
})
