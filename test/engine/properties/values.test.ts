import Big from 'big.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AttributeValue } from '../../../src/dynamodb/attribute-value.js'
import { countItemBytes } from '../../../src/dynamodb/size.js'
import { ServiceError } from '../../../src/engine/errors.js'
import { isEqualMap } from '../../../src/engine/values/compare-values.js'
import { addNumbers, toCanonicalNumber } from '../../../src/engine/values/numbers.js'
import { parseInputItem } from '../../../src/engine/values/parse-item.js'
import { toStoredItem } from '../../../src/engine/values/stored-item.js'
import { anyAttributes, anyNumberText } from '../../arbitraries.js'

/** Returns every object within a value except byte arrays, which cannot be frozen. */
function parts(value: unknown): object[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return []
  return [value, ...Object.values(value).flatMap(parts)]
}

describe('parsed items', () => {
  it('a parsed item is deeply frozen, equal to its input and shares nothing with it', () => {
    fc.assert(
      fc.property(anyAttributes, item => {
        const given = new Set<unknown>(parts(item))
        const { item: kept } = parseInputItem(item, 'current')
        for (const part of parts(kept)) {
          expect(Object.isFrozen(part)).toBe(true)
          expect(given.has(part)).toBe(false)
        }
        expect(isEqualMap(kept, parseInputItem(kept, 'current').item)).toBe(true)
        expect(Object.keys(kept).sort()).toEqual(Object.keys(item).sort())
      }),
    )
  })

  it('a parsed item has the correct size and knows whether it has binaries', () => {
    fc.assert(
      fc.property(anyAttributes, item => {
        const taken = parseInputItem(item, 'current')
        const made = toStoredItem({ ...taken.item })
        expect(taken.sizeBytes).toBe(countItemBytes(taken.item))
        expect([made.sizeBytes, made.hasBinary]).toEqual([taken.sizeBytes, taken.hasBinary])
      }),
    )
  })

  it('byte arrays are copied on the way in and out', () => {
    const bytes = Uint8Array.of(1, 2)
    const stored = parseInputItem({ a: { B: bytes }, l: { L: [{ M: { b: { BS: [bytes] } } }] } }, 'current')
    bytes[0] = 9
    const answer = stored.toOutput()
    answer.a!.B![0] = 8
    answer.l!.L![0]!.M!.b!.BS![0]![0] = 8
    expect(stored.toOutput()).toEqual({
      a: { B: Uint8Array.of(1, 2) },
      l: { L: [{ M: { b: { BS: [Uint8Array.of(1, 2)] } } }] },
    })
  })

  it('an item can have attributes of any name, including those that objects inherit', () => {
    const item = JSON.parse('{"__proto__":{"S":"a"},"constructor":{"S":"b"}}') as Record<string, AttributeValue>
    const { item: kept } = parseInputItem(item, 'current')
    expect(Object.keys(kept)).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype)
  })
})

describe('sums of numbers', () => {
  it('a sum is exact or rejected', () => {
    fc.assert(
      fc.property(anyNumberText, anyNumberText, fc.constantFrom<1 | -1>(1, -1), (x, y, sign) => {
        const [a, b] = [toCanonicalNumber(x), toCanonicalNumber(y)]
        const exact = sign === 1 ? new Big(a).plus(b) : new Big(a).minus(b)
        try {
          expect(new Big(addNumbers(a, b, sign)).eq(exact)).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError)
          expect(exact.c.length > 38 || exact.e > 125 || exact.e < -130).toBe(true)
        }
      }),
    )
  })
})
