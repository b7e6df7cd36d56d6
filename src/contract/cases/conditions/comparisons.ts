import type { AttributeValue } from '../../../dynamodb/attribute-value.js'
import { expectEqual } from '../../assertions.js'
import { defineConditionCases } from './condition-trial.js'

const binaryOf = (...values: number[]): AttributeValue => ({ B: Uint8Array.from(values) })

/** For every type, a value and other values of the same type. */
const PAIRS: [AttributeValue, AttributeValue][] = [
  [{ S: 'a' }, { S: 'b' }],
  [{ N: '1' }, { N: '2' }],
  [binaryOf(1), binaryOf(1, 0)],
  [{ SS: ['a', 'b'] }, { SS: ['a'] }],
  [{ SS: ['a'] }, { SS: ['a', 'b'] }],
  [{ NS: ['1', '2'] }, { NS: ['1', '3'] }],
  [{ BS: [Uint8Array.of(1), Uint8Array.of(2)] }, { BS: [Uint8Array.of(1)] }],
  [{ BS: [Uint8Array.of(1), Uint8Array.of(2)] }, { BS: [Uint8Array.of(1), Uint8Array.of(3)] }],
  [{ M: { a: { N: '1' } } }, { M: { a: { N: '1' }, b: { N: '1' } } }],
  [{ L: [{ N: '1' }, { N: '2' }] }, { L: [{ N: '2' }, { N: '1' }] }],
  [{ BOOL: true }, { BOOL: false }],
]

/** Cases of comparisons and logical operators in conditions. */
export const conditionComparisonCases = defineConditionCases(
  {
    one: { N: '1' },
    two: { N: '2' },
    text: { S: 'beta' },
    bytes: binaryOf(128, 1),
    flag: { BOOL: true },
    map: { M: { inner: { L: [{ S: 'zero' }, { M: { deep: { N: '7' } } }] } } },
    'with.dot': { S: 'dotted' },
    list: { L: [{ N: '10' }, { N: '20' }] },
  },
  {
    'values are equal if their types and values are equal': async trial => {
      for (const [value, other] of PAIRS) {
        const item = await trial.withAttributes({ a: value })
        expectEqual(await item.isMet('a = :v', { ':v': value }), true)
        expectEqual(await item.isMet('a <> :v', { ':v': value }), false)
        expectEqual(await item.isMet('a = :v', { ':v': other }), false)
        expectEqual(await item.isMet('a <> :v', { ':v': other }), true)
        expectEqual(await item.isMet('a = :v', { ':v': { S: '1' } }), false)
        expectEqual(await item.isMet('a <> :v', { ':v': { S: '1' } }), true)
      }
      const item = await trial.withAttributes({ a: { NULL: true } })
      expectEqual(await item.isMet('a = :v', { ':v': { NULL: true } }), true)
      expectEqual(await item.isMet('a = :v', { ':v': { BOOL: true } }), false)
    },
    'numbers are compared by value, independent of their notation': async trial => {
      expectEqual(await trial.isMet('one = :v', { ':v': { N: '1.00' } }), true)
      expectEqual(await trial.isMet('one = :v', { ':v': { N: '100e-2' } }), true)
      expectEqual(await trial.isMet('two < :v', { ':v': { N: '10' } }), true)
      expectEqual(await trial.isMet('two > :v', { ':v': { N: '-10' } }), true)
      expectEqual(await trial.isMet('two > :v', { ':v': { N: '1.99999999999999999999999999999999999' } }), true)
      expectEqual(await trial.isMet('one < :v', { ':v': { N: '1.0000000000000000000000000000000000001' } }), true)
    },
    'each ordering operator holds on its side of the bound, and at the bound if it includes it': async trial => {
      const expected = { '<': [true, false, false], '<=': [true, true, false], '>': [false, false, true] }
      for (const [operator, verdicts] of Object.entries({ ...expected, '>=': [false, true, true] })) {
        for (const [i, bound] of ['3', '2', '1'].entries())
          expectEqual(await trial.isMet(`two ${operator} :v`, { ':v': { N: bound } }), verdicts[i])
        for (const [i, bound] of ['betaa', 'beta', 'bet'].entries())
          expectEqual(await trial.isMet(`#t ${operator} :v`, { '#t': 'text', ':v': { S: bound } }), verdicts[i])
        for (const [i, bound] of [binaryOf(128, 2), binaryOf(128, 1), binaryOf(127, 255)].entries())
          expectEqual(await trial.isMet(`#b ${operator} :v`, { '#b': 'bytes', ':v': bound }), verdicts[i])
      }
    },
    'strings are ordered by their UTF-8 bytes': async trial => {
      const item = await trial.withAttributes({ a: { S: '\uffee' } })
      expectEqual(await item.isMet('a < :v', { ':v': { S: '\u{1f600}' } }), true)
      expectEqual(await item.isMet('a > :v', { ':v': { S: 'é' } }), true)
      expectEqual(await item.isMet('a > :v', { ':v': { S: 'zzz' } }), true)
      const upper = await trial.withAttributes({ a: { S: 'Z' } })
      expectEqual(await upper.isMet('a < :v', { ':v': { S: 'a' } }), true)
    },
    'values of different types are unequal and have no order': async trial => {
      expectEqual(await trial.isMet('one = :v', { ':v': { S: '1' } }), false)
      expectEqual(await trial.isMet('one <> :v', { ':v': { S: '1' } }), true)
      for (const operator of ['<', '<=', '>', '>='])
        expectEqual(await trial.isMet(`one ${operator} :v`, { ':v': { S: '1' } }), false)
      expectEqual(await trial.isMet('flag < :v', { ':v': { N: '5' } }), false)
      expectEqual(await trial.isMet('one BETWEEN :a AND :b', { ':a': { S: '0' }, ':b': { S: '9' } }), false)
      expectEqual(await trial.isMet('one IN (:a)', { ':a': { S: '1' } }), false)
    },
    'an absent attribute is unequal to everything and has no order': async trial => {
      const v = { ':v': { N: '1' } }
      expectEqual(await trial.isMet('absent = :v', v), false)
      expectEqual(await trial.isMet('absent <> :v', v), true)
      for (const operator of ['<', '<=', '>', '>=']) expectEqual(await trial.isMet(`absent ${operator} :v`, v), false)
      expectEqual(await trial.isMet('absent = gone'), false)
      expectEqual(await trial.isMet('NOT absent = :v', v), true)
      expectEqual(await trial.isMet('absent IN (:v)', v), false)
      expectEqual(await trial.isMet('absent BETWEEN :v AND :v', v), false)
    },
    'operands can be attributes and values on either side': async trial => {
      expectEqual(await trial.isMet('one < two'), true)
      expectEqual(await trial.isMet('two < one'), false)
      expectEqual(await trial.isMet(':v = two', { ':v': { N: '2' } }), true)
      expectEqual(await trial.isMet(':v > two', { ':v': { N: '2' } }), false)
      expectEqual(await trial.isMet(':v = :w', { ':v': { N: '2' }, ':w': { N: '2' } }), true)
      expectEqual(await trial.isMet(':v = :v', { ':v': { N: '2' } }), true)
    },
    'BETWEEN includes both bounds': async trial => {
      const bounds = (low: string, high: string) => ({ ':a': { N: low }, ':b': { N: high } })
      expectEqual(await trial.isMet('two BETWEEN :a AND :b', bounds('2', '3')), true)
      expectEqual(await trial.isMet('two BETWEEN :a AND :b', bounds('1', '2')), true)
      expectEqual(await trial.isMet('two BETWEEN :a AND :b', bounds('2.1', '3')), false)
      expectEqual(await trial.isMet('two BETWEEN :a AND :b', bounds('0', '1.9')), false)
      expectEqual(await trial.isMet('NOT two BETWEEN :a AND :b', bounds('3', '4')), true)
      expectEqual(await trial.isMet(':a BETWEEN one AND two', { ':a': { N: '1.5' } }), true)
      expectEqual(await trial.isMet(':a BETWEEN two AND one', { ':a': { N: '1.5' } }), false)
      expectEqual(await trial.isMet('#t BETWEEN :a AND :b', { '#t': 'text', ':a': { S: 'b' }, ':b': { S: 'c' } }), true)
      expectEqual(
        await trial.isMet('#t BETWEEN :a AND :b', { '#t': 'bytes', ':a': binaryOf(127), ':b': binaryOf(129) }),
        true,
      )
    },
    'IN holds for any one of its operands': async trial => {
      expectEqual(await trial.isMet('two IN (:a)', { ':a': { N: '2.0' } }), true)
      expectEqual(await trial.isMet('two IN (:a, :b)', { ':a': { N: '1' }, ':b': { N: '2' } }), true)
      expectEqual(await trial.isMet('two IN (:a, :b)', { ':a': { N: '1' }, ':b': { N: '3' } }), false)
      expectEqual(await trial.isMet('two IN (one, :b)', { ':b': { S: '2' } }), false)
      expectEqual(await trial.isMet(':b IN (one, two)', { ':b': { N: '2' } }), true)
      expectEqual(await trial.isMet('flag IN (:a)', { ':a': { BOOL: true } }), true)
      expectEqual(await trial.isMet('NOT two IN (:a)', { ':a': { N: '1' } }), true)
    },
    'NOT binds tighter than AND, and AND tighter than OR': async trial => {
      const given = { ':one': { N: '1' }, ':two': { N: '2' } }
      const truth = 'one = :one'
      const falsehood = 'two = :one'
      const cases: [string, boolean][] = [
        [`${truth} OR ${falsehood} AND two <> :two`, true],
        [`(${truth} OR ${falsehood}) AND two <> :two`, false],
        [`NOT ${falsehood} AND two = :two`, true],
        [`NOT (${falsehood} OR two = :two)`, false],
        [`NOT ${truth} OR two = :two`, true],
        [`NOT NOT ${truth} AND two = :two`, true],
        [`${falsehood} AND two = :two OR ${truth}`, true],
        [`${falsehood} AND (two = :two OR ${truth})`, false],
      ]
      for (const [condition, verdict] of cases) expectEqual(await trial.isMet(condition, given), verdict)
    },
    'keywords are read in any case and blanks do not matter': async trial => {
      const given = { ':a': { N: '1' }, ':b': { N: '2' } }
      expectEqual(await trial.isMet('one=:a and two=:b', given), true)
      expectEqual(await trial.isMet('\tone\n= :a aNd nOt\r\n two  <>:b', given), true)
      expectEqual(await trial.isMet('one between :a and :b or one in(:b)', given), true)
      expectEqual(await trial.isMet('one=:b Or two=:a', given), false)
    },
    'a document path reaches into maps and lists': async trial => {
      const seven = { ':v': { N: '7' } }
      expectEqual(await trial.isMet('#m.#i[1].deep = :v', { '#m': 'map', '#i': 'inner', ...seven }), true)
      expectEqual(await trial.isMet('#m.#i[0].deep = :v', { '#m': 'map', '#i': 'inner', ...seven }), false)
      expectEqual(await trial.isMet('#l[1] > #l[0]', { '#l': 'list' }), true)
      expectEqual(await trial.isMet('attribute_exists(#l[2])', { '#l': 'list' }), false)
      expectEqual(await trial.isMet('attribute_exists(one.deep)'), false)
      expectEqual(await trial.isMet('attribute_exists(one[0])'), false)
      expectEqual(await trial.isMet('attribute_exists(#m[0])', { '#m': 'map' }), false)
      expectEqual(await trial.isMet('attribute_exists(#l.deep)', { '#l': 'list' }), false)
    },
    'an alias stands for a whole name, including dots': async trial => {
      expectEqual(await trial.isMet('#d = :v', { '#d': 'with.dot', ':v': { S: 'dotted' } }), true)
      expectEqual(await trial.isMet('attribute_exists(#d)', { '#d': 'map.inner' }), false)
      expectEqual(await trial.isMet('attribute_exists(#d)', { '#d': 'list[0]' }), false)
    },
    'a condition is validated completely, including parts that do not affect the result': async trial => {
      await trial.expectInvalid(
        'one = :v OR two < :w',
        { ':v': { N: '1' }, ':w': { BOOL: true } },
        'Invalid ConditionExpression: Incorrect operand type for operator or function; operator or function: <, operand type: BOOL',
      )
    },
  },
)
