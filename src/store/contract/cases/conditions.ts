import type { AttributeValue } from '../../../dynamodb/attribute-value.js'
import { same } from '../expect.js'
import { conditionCases } from './condition-trial.js'

const bytes = (...values: number[]): AttributeValue => ({ B: Uint8Array.from(values) })

/** Of every type a value, and others of the same type. */
const PAIRS: [AttributeValue, AttributeValue][] = [
  [{ S: 'a' }, { S: 'b' }],
  [{ N: '1' }, { N: '2' }],
  [bytes(1), bytes(1, 0)],
  [{ SS: ['a', 'b'] }, { SS: ['a'] }],
  [{ SS: ['a'] }, { SS: ['a', 'b'] }],
  [{ NS: ['1', '2'] }, { NS: ['1', '3'] }],
  [{ BS: [Uint8Array.of(1), Uint8Array.of(2)] }, { BS: [Uint8Array.of(1)] }],
  [{ BS: [Uint8Array.of(1), Uint8Array.of(2)] }, { BS: [Uint8Array.of(1), Uint8Array.of(3)] }],
  [{ M: { a: { N: '1' } } }, { M: { a: { N: '1' }, b: { N: '1' } } }],
  [{ L: [{ N: '1' }, { N: '2' }] }, { L: [{ N: '2' }, { N: '1' }] }],
  [{ BOOL: true }, { BOOL: false }],
]

/** Conditions that compare and combine. */
export const conditionComparisonCases = conditionCases(
  {
    one: { N: '1' },
    two: { N: '2' },
    text: { S: 'beta' },
    bytes: bytes(128, 1),
    flag: { BOOL: true },
    map: { M: { inner: { L: [{ S: 'zero' }, { M: { deep: { N: '7' } } }] } } },
    'with.dot': { S: 'dotted' },
    list: { L: [{ N: '10' }, { N: '20' }] },
  },
  {
    'equality is by type and value, for every type': async trial => {
      for (const [value, other] of PAIRS) {
        const item = await trial.with({ a: value })
        same(await item.holds('a = :v', { ':v': value }), true)
        same(await item.holds('a <> :v', { ':v': value }), false)
        same(await item.holds('a = :v', { ':v': other }), false)
        same(await item.holds('a <> :v', { ':v': other }), true)
        same(await item.holds('a = :v', { ':v': { S: '1' } }), false)
        same(await item.holds('a <> :v', { ':v': { S: '1' } }), true)
      }
      const item = await trial.with({ a: { NULL: true } })
      same(await item.holds('a = :v', { ':v': { NULL: true } }), true)
      same(await item.holds('a = :v', { ':v': { BOOL: true } }), false)
    },
    'numbers are compared by value, however they are written': async trial => {
      same(await trial.holds('one = :v', { ':v': { N: '1.00' } }), true)
      same(await trial.holds('one = :v', { ':v': { N: '100e-2' } }), true)
      same(await trial.holds('two < :v', { ':v': { N: '10' } }), true)
      same(await trial.holds('two > :v', { ':v': { N: '-10' } }), true)
      same(await trial.holds('two > :v', { ':v': { N: '1.99999999999999999999999999999999999' } }), true)
      same(await trial.holds('one < :v', { ':v': { N: '1.0000000000000000000000000000000000001' } }), true)
    },
    'each ordering operator holds on its side and at equality as it says': async trial => {
      const expected = { '<': [true, false, false], '<=': [true, true, false], '>': [false, false, true] }
      for (const [operator, verdicts] of Object.entries({ ...expected, '>=': [false, true, true] })) {
        for (const [i, bound] of ['3', '2', '1'].entries())
          same(await trial.holds(`two ${operator} :v`, { ':v': { N: bound } }), verdicts[i])
        for (const [i, bound] of ['betaa', 'beta', 'bet'].entries())
          same(await trial.holds(`#t ${operator} :v`, { '#t': 'text', ':v': { S: bound } }), verdicts[i])
        for (const [i, bound] of [bytes(128, 2), bytes(128, 1), bytes(127, 255)].entries())
          same(await trial.holds(`#b ${operator} :v`, { '#b': 'bytes', ':v': bound }), verdicts[i])
      }
    },
    'strings are ordered by their UTF-8 bytes': async trial => {
      const item = await trial.with({ a: { S: '\uffee' } })
      same(await item.holds('a < :v', { ':v': { S: '\u{1f600}' } }), true)
      same(await item.holds('a > :v', { ':v': { S: 'é' } }), true)
      same(await item.holds('a > :v', { ':v': { S: 'zzz' } }), true)
      const upper = await trial.with({ a: { S: 'Z' } })
      same(await upper.holds('a < :v', { ':v': { S: 'a' } }), true)
    },
    'values of different types are unequal and have no order': async trial => {
      same(await trial.holds('one = :v', { ':v': { S: '1' } }), false)
      same(await trial.holds('one <> :v', { ':v': { S: '1' } }), true)
      for (const operator of ['<', '<=', '>', '>='])
        same(await trial.holds(`one ${operator} :v`, { ':v': { S: '1' } }), false)
      same(await trial.holds('flag < :v', { ':v': { N: '5' } }), false)
      same(await trial.holds('one BETWEEN :a AND :b', { ':a': { S: '0' }, ':b': { S: '9' } }), false)
      same(await trial.holds('one IN (:a)', { ':a': { S: '1' } }), false)
    },
    'an absent attribute is unequal to everything and has no order': async trial => {
      const v = { ':v': { N: '1' } }
      same(await trial.holds('absent = :v', v), false)
      same(await trial.holds('absent <> :v', v), true)
      for (const operator of ['<', '<=', '>', '>=']) same(await trial.holds(`absent ${operator} :v`, v), false)
      same(await trial.holds('absent = gone'), false)
      same(await trial.holds('NOT absent = :v', v), true)
      same(await trial.holds('absent IN (:v)', v), false)
      same(await trial.holds('absent BETWEEN :v AND :v', v), false)
    },
    'operands may be attributes and values on either side': async trial => {
      same(await trial.holds('one < two'), true)
      same(await trial.holds('two < one'), false)
      same(await trial.holds(':v = two', { ':v': { N: '2' } }), true)
      same(await trial.holds(':v > two', { ':v': { N: '2' } }), false)
      same(await trial.holds(':v = :w', { ':v': { N: '2' }, ':w': { N: '2' } }), true)
      same(await trial.holds(':v = :v', { ':v': { N: '2' } }), true)
    },
    'BETWEEN takes in both its ends': async trial => {
      const bounds = (low: string, high: string) => ({ ':a': { N: low }, ':b': { N: high } })
      same(await trial.holds('two BETWEEN :a AND :b', bounds('2', '3')), true)
      same(await trial.holds('two BETWEEN :a AND :b', bounds('1', '2')), true)
      same(await trial.holds('two BETWEEN :a AND :b', bounds('2.1', '3')), false)
      same(await trial.holds('two BETWEEN :a AND :b', bounds('0', '1.9')), false)
      same(await trial.holds('NOT two BETWEEN :a AND :b', bounds('3', '4')), true)
      same(await trial.holds(':a BETWEEN one AND two', { ':a': { N: '1.5' } }), true)
      same(await trial.holds(':a BETWEEN two AND one', { ':a': { N: '1.5' } }), false)
      same(await trial.holds('#t BETWEEN :a AND :b', { '#t': 'text', ':a': { S: 'b' }, ':b': { S: 'c' } }), true)
      same(await trial.holds('#t BETWEEN :a AND :b', { '#t': 'bytes', ':a': bytes(127), ':b': bytes(129) }), true)
    },
    'IN holds for any one of its operands': async trial => {
      same(await trial.holds('two IN (:a)', { ':a': { N: '2.0' } }), true)
      same(await trial.holds('two IN (:a, :b)', { ':a': { N: '1' }, ':b': { N: '2' } }), true)
      same(await trial.holds('two IN (:a, :b)', { ':a': { N: '1' }, ':b': { N: '3' } }), false)
      same(await trial.holds('two IN (one, :b)', { ':b': { S: '2' } }), false)
      same(await trial.holds(':b IN (one, two)', { ':b': { N: '2' } }), true)
      same(await trial.holds('flag IN (:a)', { ':a': { BOOL: true } }), true)
      same(await trial.holds('NOT two IN (:a)', { ':a': { N: '1' } }), true)
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
      for (const [condition, verdict] of cases) same(await trial.holds(condition, given), verdict)
    },
    'keywords are read in any case and blanks do not matter': async trial => {
      const given = { ':a': { N: '1' }, ':b': { N: '2' } }
      same(await trial.holds('one=:a and two=:b', given), true)
      same(await trial.holds('\tone\n= :a aNd nOt\r\n two  <>:b', given), true)
      same(await trial.holds('one between :a and :b or one in(:b)', given), true)
      same(await trial.holds('one=:b Or two=:a', given), false)
    },
    'a document path reaches into maps and lists': async trial => {
      const seven = { ':v': { N: '7' } }
      same(await trial.holds('#m.#i[1].deep = :v', { '#m': 'map', '#i': 'inner', ...seven }), true)
      same(await trial.holds('#m.#i[0].deep = :v', { '#m': 'map', '#i': 'inner', ...seven }), false)
      same(await trial.holds('#l[1] > #l[0]', { '#l': 'list' }), true)
      same(await trial.holds('attribute_exists(#l[2])', { '#l': 'list' }), false)
      same(await trial.holds('attribute_exists(one.deep)'), false)
      same(await trial.holds('attribute_exists(one[0])'), false)
      same(await trial.holds('attribute_exists(#m[0])', { '#m': 'map' }), false)
      same(await trial.holds('attribute_exists(#l.deep)', { '#l': 'list' }), false)
    },
    'an alias stands for a whole name, dots and all': async trial => {
      same(await trial.holds('#d = :v', { '#d': 'with.dot', ':v': { S: 'dotted' } }), true)
      same(await trial.holds('attribute_exists(#d)', { '#d': 'map.inner' }), false)
      same(await trial.holds('attribute_exists(#d)', { '#d': 'list[0]' }), false)
    },
    'a part of the condition that does not decide it is still checked': async trial => {
      await trial.refuses(
        'one = :v OR two < :w',
        { ':v': { N: '1' }, ':w': { BOOL: true } },
        'Invalid ConditionExpression: Incorrect operand type for operator or function; operator or function: <, operand type: BOOL',
      )
    },
  },
)
