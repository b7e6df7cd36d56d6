import { describe, expect, it } from 'vitest'
import type { AttributeValue } from '../../../src/dynamodb/attribute-value.js'
import { read, toStored } from './read-expressions.js'

const bytes = (...values: number[]) => new Uint8Array(values)

const item = toStored({
  s: { S: 'a😀é' },
  n: { N: '5' },
  five: { N: '5.0' },
  big: { N: '12345678901234567890123456789012345678' },
  bool: { BOOL: true },
  nay: { BOOL: false },
  nothing: { NULL: true },
  b: { B: bytes(1, 2, 3) },
  part: { B: bytes(2, 3) },
  l: { L: [{ S: 'x' }, { N: '1' }, { L: [{ N: '1' }] }, { M: { k: { S: 'v' } } }] },
  m: { M: { k: { S: 'v' }, o: { N: '2' } } },
  ss: { SS: ['x', 'y'] },
  ss2: { SS: ['y', 'x'] },
  ns: { NS: ['1', '2'] },
  bs: { BS: [bytes(120)] },
  v: { S: 'v' },
  'a.b': { S: 'dotted' },
})

const holds = (text: string, value?: AttributeValue) =>
  read('ConditionExpression', text, value && { ':v': value }).condition!.test(item)

describe('comparisons', () => {
  it.each<[string, boolean, AttributeValue?]>([
    ['n = five', true],
    ['big > n', true],
    ['s < v', true],
    ['b < part', true],
    ['n = :v', false, { S: '5' }],
    ['n <> :v', true, { S: '5' }],
    ['n < :v', false, { S: '9' }],
    ['s BETWEEN :n AND n', false],
    ['bool = :bool', true],
    ['nay <> :bool', true],
    ['nothing = :null', true],
    ['bool <> nothing', true],
    ['l < n', false],
    ['ss = ss2', true],
    ['m = :v', true, { M: { o: { N: '2.0' }, k: { S: 'v' } } }],
    ['m = :v', false, { M: { k: { S: 'v' } } }],
    ['l[2] = :l', true],
    ['l[2][0] = :n', true],
    ['m.k = v', true],
    ['l[3].k = v', true],
    ['#dot = :v', true, { S: 'dotted' }],
    ['n BETWEEN :n2 AND five', true],
    ['n BETWEEN big AND five', false],
    ['n IN (s, five)', true],
    ['n IN (s, :n)', false],
    ['s < :v', true, { S: '\u{10FFFF}' }],
    ['v < :v', true, { S: 'v\u0000' }],
  ])('%s is %s', (text, expected, value) => {
    expect(holds(text, value)).toBe(expected)
  })
})

describe('missing attributes', () => {
  it.each<[string, boolean]>([
    ['zz = :s', false],
    ['zz <> :s', true],
    ['zz < :s', false],
    ['zz = yy', false],
    ['zz <> yy', true],
    ['zz <= yy', false],
    ['NOT zz = :s', true],
    ['zz BETWEEN :s AND :s', false],
    ['zz IN (:s, yy)', false],
    ['zz = :null', false],
    ['valueOf = :s', false],
    ['attribute_exists(toString)', false],
    ['attribute_exists(#proto)', false],
    ['attribute_exists(l[9])', false],
    ['attribute_exists(s.k)', false],
    ['attribute_exists(m[0])', false],
    ['attribute_exists(m.#constructor)', false],
    ['attribute_not_exists(zz)', true],
    ['attribute_type(zz, :type)', false],
    ['contains(zz, :s)', false],
    ['contains(ss, zz)', false],
    ['begins_with(zz, yy)', false],
    ['size(zz) = :n', false],
    ['size(zz) <> :n', true],
  ])('%s is %s', (text, expected) => {
    expect(holds(text)).toBe(expected)
  })

  it('attributes named like inherited members of objects are found', () => {
    const odd = toStored(JSON.parse('{"__proto__": {"S": "x"}, "constructor": {"S": "x"}}'))
    expect(read('ConditionExpression', '#proto = :s').condition!.test(odd)).toBe(true)
    expect(read('ConditionExpression', '#constructor = :s').condition!.test(odd)).toBe(true)
  })
})

describe('functions', () => {
  it.each<[string, boolean, AttributeValue?]>([
    ['size(s) = :v', true, { N: '4' }],
    ['size(b) = :v', true, { N: '3' }],
    ['size(l) = :v', true, { N: '4' }],
    ['size(m) = :v', true, { N: '2' }],
    ['size(ss) = :v', true, { N: '2' }],
    ['size(bs) = :n', true],
    ['size(:s) = :n', true],
    ['size(n) = :n', false],
    ['size(n) <> :n', true],
    ['size(bool) < :n', false],
    ['size(nothing) >= :n2', false],
    ['size(l) BETWEEN size(ss) AND size(s)', true],
    ['size(ss) IN (:n, :v)', true, { N: '2' }],
    ['size(s) = :v', false, { S: '4' }],
    ['contains(s, :v)', true, { S: '😀' }],
    ['contains(s, :v)', true, { S: '' }],
    ['contains(s, n)', false],
    ['contains(l, :s)', true],
    ['contains(l, :l)', true],
    ['contains(l, nothing)', false],
    ['contains(ss, :s)', true],
    ['contains(ss, ss2)', false],
    ['contains(ns, :n)', true],
    ['contains(ns, :v)', true, { N: '2.00' }],
    ['contains(bs, :b)', true],
    ['contains(b, part)', true],
    ['contains(part, b)', false],
    ['contains(n, :n)', false],
    ['contains(m, :v)', false, { S: 'k' }],
    ['contains(size(l), n)', false],
    ['begins_with(s, :s2)', true],
    ['begins_with(s, v)', false],
    ['begins_with(b, :v)', true, { B: bytes(1, 2) }],
    ['begins_with(part, b)', false],
    ['begins_with(n, :s)', false],
    ['begins_with(n, :b)', false],
    ['begins_with(s, b)', false],
    ['attribute_type(n, :type)', true],
    ['attribute_type(s, :type)', false],
    ['attribute_type(nothing, :v)', true, { S: 'NULL' }],
    ['attribute_type(size(l), :type)', true],
    ['attribute_exists(m.k)', true],
  ])('%s is %s', (text, expected, value) => {
    expect(holds(text, value)).toBe(expected)
  })
})

describe('operator precedence', () => {
  it.each<[string, boolean]>([
    ['bool = :bool OR nay = :bool AND nay = :bool', true],
    ['(bool = :bool OR nay = :bool) AND nay = :bool', false],
    ['NOT nay = :bool AND nay = :bool', false],
    ['NOT (nay = :bool AND nay = :bool)', true],
    ['NOT bool = :bool OR bool = :bool', true],
    ['NOT NOT bool = :bool', true],
    ['NOT NOT NOT bool = :bool', false],
    ['not (bool = :bool) or (not nay = :bool)', true],
  ])('%s is %s', (text, expected) => {
    expect(holds(text)).toBe(expected)
  })
})

describe('names in a condition', () => {
  it('a condition lists the attributes that it mentions, and those with nested paths', () => {
    const condition = read('FilterExpression', '#a.b = c OR size(d[0]) > :n AND #b = c').filter!
    expect([...condition.names].sort()).toEqual(['a', 'b', 'c', 'd'])
    expect([...condition.nestedNames].sort()).toEqual(['a', 'd'])
  })
})
