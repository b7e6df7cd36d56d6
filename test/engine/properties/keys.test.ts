import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AttributeValue, Item } from '../../../src/dynamodb/attribute-value.js'
import type { KeyConditionPart } from '../../../src/engine/expressions/key-condition.js'
import { keyEncoder } from '../../../src/engine/keys/key-encoder.js'
import { encodeIndexKey, encodeKey, type KeySchema } from '../../../src/engine/keys/key-schema.js'
import { segmentRangeOf } from '../../../src/engine/keys/scan-segments.js'
import { toKeyRange } from '../../../src/engine/reads/key-range.js'
import { compareStrings, compareValues } from '../../../src/engine/values/compare-values.js'
import { parseInputValue } from '../../../src/engine/values/parse-item.js'
import { keyValue } from '../../arbitraries.js'

const PARTITION = { S: 'p' }
const encoded = (...parts: AttributeValue[]) => {
  const key = keyEncoder.beginPartition([PARTITION])
  for (const part of parts) key.appendPart(part)
  return key.toText()
}
const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const types = ['S', 'N', 'B'] as const

/** Returns whether the range of a condition contains an item with this sort key. */
function isWithin(value: AttributeValue, operator: KeyConditionPart['operator'], ...values: AttributeValue[]): boolean {
  const partition: KeyConditionPart = { name: 'pk', operator: '=', values: [PARTITION] }
  const { from, to } = toKeyRange({ partition: [partition], sort: [{ name: 'sk', operator, values }] })
  const key = encoded(value)
  return key >= from && (to === undefined || key < to)
}

describe('encoded keys', () => {
  it('encoded strings have the order of their UTF-8 bytes', () => {
    fc.assert(
      fc.property(keyValue.S, keyValue.S, (a, b) => {
        expect(Math.sign(compareStrings(a.S!, b.S!))).toBe(Buffer.compare(Buffer.from(a.S!), Buffer.from(b.S!)))
      }),
    )
  })

  it.each(types)('encoded values of type %s keep their order and are distinct', type => {
    fc.assert(
      fc.property(keyValue[type], keyValue[type], (x, y) => {
        const [a, b] = [parseInputValue(x, 'current'), parseInputValue(y, 'current')]
        expect(order(encoded(a), encoded(b))).toBe(Math.sign(compareValues(a, b)!))
      }),
      { numRuns: 1000 },
    )
  })

  it('encoded keys compare part by part', () => {
    fc.assert(
      fc.property(keyValue.S, keyValue.B, keyValue.S, keyValue.B, (a1, a2, b1, b2) => {
        const expected = Math.sign(compareValues(a1, b1)!) || Math.sign(compareValues(a2, b2)!)
        expect(order(encoded(a1, a2), encoded(b1, b2))).toBe(expected)
      }),
      { numRuns: 1000 },
    )
  })

  it('the range of begins_with contains exactly the keys with the prefix', () => {
    fc.assert(
      fc.property(keyValue.S, keyValue.S, (a, b) => {
        expect(isWithin(b, 'begins_with', a)).toBe(
          Buffer.from(b.S!).subarray(0, Buffer.byteLength(a.S!)).equals(Buffer.from(a.S!)),
        )
      }),
      { numRuns: 1000 },
    )
  })

  it('the range of a comparison contains exactly the keys that satisfy it', () => {
    const value = fc.constantFrom(...types).chain(type => fc.tuple(keyValue[type], keyValue[type], keyValue[type]))
    fc.assert(
      fc.property(value, ([a, b, c]) => {
        const order = compareValues(a, b)!
        expect(isWithin(a, '=', b)).toBe(order === 0)
        expect(isWithin(a, '<', b)).toBe(order < 0)
        expect(isWithin(a, '<=', b)).toBe(order <= 0)
        expect(isWithin(a, '>', b)).toBe(order > 0)
        expect(isWithin(a, '>=', b)).toBe(order >= 0)
        expect(isWithin(a, 'BETWEEN', b, c)).toBe(order >= 0 && compareValues(a, c)! <= 0)
      }),
      { numRuns: 1000 },
    )
  })

  it('encoded index keys of different items are distinct, even with equal index attributes', () => {
    const table: KeySchema = { partition: [{ name: 'pk', type: 'S' }], sort: [{ name: 'sk', type: 'N' }] }
    const index: KeySchema = { partition: [{ name: 'g', type: 'S' }], sort: [{ name: 'pk', type: 'S' }] }
    const item = fc.record({
      pk: keyValue.S,
      sk: keyValue.N.map(value => parseInputValue(value, 'current')),
      g: fc.constant<AttributeValue>({ S: 'same' }),
    })
    fc.assert(
      fc.property(item, item, (a: Item, b: Item) => {
        const same = encodeKey(table, a) === encodeKey(table, b)
        expect(encodeIndexKey(index, table, a) === encodeIndexKey(index, table, b)).toBe(same)
      }),
    )
  })

  it('every key is in exactly one of any number of segments', () => {
    const schema: KeySchema = { partition: [{ name: 'pk', type: 'S' }], sort: [] }
    fc.assert(
      fc.property(keyValue.S, fc.integer({ min: 1, max: 5000 }), (pk, total) => {
        const key = encodeKey(schema, { pk })
        const inside = Array.from({ length: total }, (_, segment) => segmentRangeOf(segment, total)).filter(
          ({ from, to }) => key >= from && (to === undefined || key < to),
        )
        expect(inside).toHaveLength(1)
      }),
      { numRuns: 50 },
    )
  })
})
