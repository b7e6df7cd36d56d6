import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countItemBytes, countNumberBytes, countUtf8Bytes } from '../../src/dynamodb/size.js'

describe('sizes', () => {
  it('the size of a string is its number of UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(countUtf8Bytes(text)).toBe(Buffer.byteLength(text, 'utf8'))
      }),
    )
  })

  it('a lone surrogate counts as the three bytes that replace it', () => {
    expect(countUtf8Bytes('\ud800')).toBe(3)
    expect(countUtf8Bytes('a\udfffb')).toBe(5)
    expect(countUtf8Bytes('\ud83d\ude00')).toBe(4)
  })

  // Measured at the service, each with an item just below and just above 400 KB.
  it.each([
    ['0', 1],
    ['1', 2],
    ['12', 2],
    ['123', 3],
    ['1234', 3],
    ['12345678901234567890123456789012345678', 20],
    ['100', 2],
    ['1010', 3],
    ['0.0000001', 2],
    ['1.5', 3],
    ['15', 2],
    ['1.234', 4],
    ['3.14159', 5],
    ['123456', 4],
    ['100.5', 4],
    ['0.15', 2],
    ['-42', 3],
    // The sizes that DynamoDB Local and dynalite compute.
    ['110', 3],
    ['1100', 2],
    ['11000', 3],
    ['-1120', 4],
    ['0.015', 3],
    ['0.0015', 2],
    ['12.5', 3],
    ['110.5', 4],
    ['1.1E38', 3],
    ['1.1E39', 2],
    [`9.${'9'.repeat(37)}`, 21],
    [`-9.${'9'.repeat(37)}`, 21],
  ])('the size of the number %s is %i bytes', (text, bytes) => {
    expect(countNumberBytes(text)).toBe(bytes)
  })

  it('the size of an item includes names, values, and the overhead of containers', () => {
    expect(countItemBytes({ ab: { S: 'cde' } })).toBe(5)
    expect(countItemBytes({ a: { BOOL: true }, b: { NULL: true } })).toBe(4)
    expect(countItemBytes({ a: { SS: ['ab', 'c'] }, b: { NS: ['1', '22'] } })).toBe(1 + 3 + 1 + 4)
    expect(countItemBytes({ a: { B: new Uint8Array(7) } })).toBe(8)
    expect(countItemBytes({ a: { L: [] } })).toBe(4)
    expect(countItemBytes({ a: { L: [{ S: 'x' }, { N: '1' }] } })).toBe(1 + 3 + 1 + 1 + 1 + 2)
    expect(countItemBytes({ a: { M: { key: { S: 'x' } } } })).toBe(1 + 3 + 1 + 3 + 1)
  })
})
