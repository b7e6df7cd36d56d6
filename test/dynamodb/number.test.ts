import Big from 'big.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareNumbers, formatDecimal, numberFaultOf, parseDecimal } from '../../src/dynamodb/number.js'
import { anyNumberText } from '../arbitraries.js'

describe('a decimal', () => {
  it('a decimal is formatted in plain notation with its exact value', () => {
    fc.assert(
      fc.property(anyNumberText, text => {
        const written = formatDecimal(parseDecimal(text)!)
        expect(new Big(written).eq(new Big(text))).toBe(true)
        expect(written).toMatch(/^(0|-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?)$/)
      }),
    )
  })

  it('decimals sort by value', () => {
    fc.assert(
      fc.property(anyNumberText, anyNumberText, (a, b) => {
        const [left, right] = [a, b].map(text => formatDecimal(parseDecimal(text)!))
        expect(Math.sign(compareNumbers(left!, right!))).toBe(new Big(a).cmp(new Big(b)))
      }),
    )
  })

  it.each(['', '.', '-', 'e5', '1e', '1.2.3', ' 1', '1 ', '0x1', 'NaN', 'Infinity', '1_000', '--1', '1e+'])(
    '%j is not a decimal',
    text => {
      expect(parseDecimal(text)).toBeUndefined()
    },
  )

  it('the time to parse a decimal is linear in its length', () => {
    const zeros = '0'.repeat(300_000)
    expect(numberFaultOf(parseDecimal(`1${zeros}1`)!)).toBe('too many digits')
    expect(parseDecimal(`${zeros}1.50e${zeros}2`)).toEqual({ negative: false, digits: '15', exponent: 3 })
    expect(parseDecimal(`1e${'9'.repeat(30_000_000)}`)).toBeUndefined()
  }, 10_000)

  it.each([
    ['9.9999999999999999999999999999999999999E+125', undefined],
    ['1E+126', 'too large'],
    ['-1E+126', 'too large'],
    ['1E-130', undefined],
    ['1E-131', 'too small'],
    ['12345678901234567890123456789012345678', undefined],
    ['123456789012345678901234567890123456789', 'too many digits'],
    ['0E126', 'too large'],
    ['0E-131', 'too small'],
    ['0E125', undefined],
    ['0.0E126', undefined],
    ['0.1E126', undefined],
  ])('the number %s can be stored, except for: %s', (text, fault) => {
    expect(numberFaultOf(parseDecimal(text)!)).toBe(fault)
  })
})
