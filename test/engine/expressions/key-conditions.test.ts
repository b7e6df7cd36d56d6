import { describe, expect, it } from 'vitest'
import { complaint, read } from './read-expressions.js'

const x = { S: 'x' }
const parts = (text: string) => read('KeyConditionExpression', text).keyCondition!.parts

describe('key conditions', () => {
  it('a key condition is split into parts in the order of the text', () => {
    expect(parts('pk = :s AND sk > :n')).toEqual([
      { name: 'pk', operator: '=', values: [x] },
      { name: 'sk', operator: '>', values: [{ N: '1' }] },
    ])
    expect(parts('begins_with(#b, :s) AND #a = :s')).toEqual([
      { name: 'b', operator: 'begins_with', values: [x] },
      { name: 'a', operator: '=', values: [x] },
    ])
    expect(parts('pk BETWEEN :s2 AND :s')).toEqual([{ name: 'pk', operator: 'BETWEEN', values: [{ S: 'a' }, x] }])
  })

  it('a key condition has one part per attribute with any parentheses', () => {
    const text = '((a = :s AND b = :s) AND (c = :s AND d = :s)) AND (e = :s AND (f = :s AND (g > :s)))'
    expect(parts(text).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  })

  it.each([
    [':s = pk', '='],
    [':s < pk', '>'],
    [':s <= pk', '>='],
    [':s > pk', '<'],
    [':s >= pk', '<='],
  ])('a key condition can have the value first: %s', (text, operator) => {
    expect(parts(text)).toEqual([{ name: 'pk', operator, values: [x] }])
  })

  it('a key condition has canonical values', () => {
    const values = { ':v': { N: '1.50' } }
    expect(read('KeyConditionExpression', 'pk = :v', values).keyCondition!.parts[0]!.values).toEqual([{ N: '1.5' }])
  })
})

describe('rejected key conditions', () => {
  const operator = (name: string) => `Invalid operator used in KeyConditionExpression: ${name}`
  const condition = (detail: string) => `Invalid condition in KeyConditionExpression: ${detail}`
  const MULTIPLE = condition('Multiple attribute names used in one condition')
  const NESTED = 'KeyConditionExpressions cannot contain nested operations'
  const NOT_TOP = 'KeyConditionExpressions cannot have conditions on nested attributes'
  const REPEATED = 'KeyConditionExpressions must only contain one condition per key'

  it.each([
    ['a > b and size(b) > c or a > c', operator('OR')],
    ['a in (b, size(c), d)', operator('IN')],
    ['attribute_exists(a)', operator('attribute_exists')],
    ['attribute_not_exists(a)', operator('attribute_not_exists')],
    ['attribute_type(a, :type)', operator('attribute_type')],
    ['contains(a.d, b)', operator('contains')],
    ['not a > b', operator('NOT')],
    ['a <> b', operator('<>')],
    ['a = :s AND NOT b = :s', operator('NOT')],
    [
      ':s between size(b) and size(a) and b > :s',
      condition('BETWEEN operator must have the key attribute as its first operand'),
    ],
    ['begins_with(:s, b)', condition('begins_with operator must have the key attribute as its first operand')],
    ['size(b) > a AND a.b > b', NESTED],
    ['a > size(b.d)', NESTED],
    ['a between size(b) and size(c)', NESTED],
    ['b > a.b', MULTIPLE],
    ['a between b and size(c)', MULTIPLE],
    ['begins_with(a, b)', MULTIPLE],
    ['b.d > a', NOT_TOP],
    ['b[0] > a', NOT_TOP],
    [':s > :n AND a < :s', condition('No key attribute specified')],
    ['b > :n AND b < :n and c = :n', REPEATED],
    ['#b > :n AND b < :n', REPEATED],
  ])('the key condition %s is rejected', (text, message) => {
    expect(complaint('KeyConditionExpression', text)).toBe(message)
  })

  it('errors of any condition are reported before errors of key conditions', () => {
    expect(complaint('KeyConditionExpression', 'pk <> :s AND sk < :bool')).toBe(
      'Incorrect operand type for operator or function; operator or function: <, operand type: BOOL',
    )
    expect(complaint('KeyConditionExpression', '((pk <> :s))')).toBe('The expression has redundant parentheses;')
    expect(complaint('KeyConditionExpression', 'size(pk)')).toBe(
      'The function is not allowed to be used this way in an expression; function: size',
    )
  })
})
