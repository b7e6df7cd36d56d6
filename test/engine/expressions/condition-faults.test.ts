import { describe, expect, it } from 'vitest'
import { complaint } from './read-expressions.js'

const path = (levels: number) => Array(levels).fill('a').join('.')
const wrongType = (operator: string, type: string) =>
  `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`
const wrongCount = (operator: string, count: number) =>
  `Incorrect number of operands for operator or function; operator or function: ${operator}, number of operands: ${count}`
const notDistinct = (operator: string, first: string) =>
  'The first operand must be distinct from the remaining operands for this operator or function; ' +
  `operator: ${operator}, first operand: ${first}`
const misplaced = (name: string) =>
  `The function is not allowed to be used this way in an expression; function: ${name}`
const REDUNDANT = 'The expression has redundant parentheses;'
const UNKNOWN_NAME = 'An expression attribute name used in the document path is not defined; attribute name: '
const UNKNOWN_VALUE = 'An expression attribute value used in expression is not defined; attribute value: '
const RESERVED = 'Attribute name is a reserved keyword; reserved keyword: '

describe('rejected conditions', () => {
  it.each([
    ['((a = :s))', REDUNDANT],
    ['((a)) = :s', REDUNDANT],
    ['(((a) = (:s)))', REDUNDANT],
    ['(a) BETWEEN (((b.c)).d) AND (c)', REDUNDANT],
    ['a > foo((:s), ((a)))', REDUNDANT],
    ['a = :s AND ((a = :s AND (b = :s AND c = :s)))', REDUNDANT],
    ['a IN (((:s)))', REDUNDANT],
    ['foo(a)', 'Invalid function name; function: foo'],
    ['SIZE(a) = :n', 'Invalid function name; function: SIZE'],
    ['a = constructor(b)', 'Invalid function name; function: constructor'],
    ['a = if_not_exists(a, :s)', 'The function is not allowed in a condition expression; function: if_not_exists'],
    ['list_append(a, :l)', 'The function is not allowed in a condition expression; function: list_append'],
    ['size(a)', misplaced('size')],
    ['attribute_exists(a) = :s', misplaced('attribute_exists')],
    ['size(contains(a, b)) > a', misplaced('contains')],
    ['a IN (b, attribute_exists(c))', misplaced('attribute_exists')],
    ['status = :s', `${RESERVED}status`],
    ['NOT NOT status = :s', `${RESERVED}status`],
    ['a.b.abOrT = :s', `${RESERVED}abOrT`],
    ['a[2147483648] = :s', 'List index is not within the allowable range; index: [2147483648]'],
    ['#x.#a = :s', `${UNKNOWN_NAME}#x`],
    ['#a.#x = :s', `${UNKNOWN_NAME}#x`],
    ['a[0].#x = :s', `${UNKNOWN_NAME}#x`],
    ['a = :x', `${UNKNOWN_VALUE}:x`],
    [`${path(33)} = :s`, 'The document path has too many nesting levels; nesting levels: 33'],
    [`a${'[0]'.repeat(1000)} = :s`, 'The document path has too many nesting levels; nesting levels: 1001'],
    ['attribute_exists(a, b)', wrongCount('attribute_exists', 2)],
    ['begins_with(a)', wrongCount('begins_with', 1)],
    ['size(a, a) = :n', wrongCount('size', 2)],
    ['a = a', notDistinct('=', '[a]')],
    ['#a <> a', notDistinct('<>', '[a]')],
    ['a IN (b, a)', notDistinct('IN', '[a]')],
    ['a BETWEEN b AND a', notDistinct('BETWEEN', '[a]')],
    ['contains(a.b[1].c, a.b[1].#c)', notDistinct('contains', '[a, b, [1], c]')],
    ['attribute_type(a, a)', notDistinct('attribute_type', '[a]')],
    ['attribute_exists(:s)', 'Operator or function requires a document path; operator or function: attribute_exists'],
    ['attribute_type(a, :n)', wrongType('attribute_type', 'N')],
    ['attribute_type(a, size(b))', wrongType('attribute_type', 'N')],
    ['attribute_type(a, b)', wrongType('attribute_type', '{NS,SS,L,BS,N,M,B,BOOL,NULL,S}')],
    [
      'attribute_type(a, :s)',
      'Invalid attribute type name found; type: x, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}',
    ],
    ['size(size(a)) = :n', wrongType('size', 'N')],
    ['begins_with(:n, :bool)', wrongType('begins_with', 'N')],
    ['begins_with(a, size(b))', wrongType('begins_with', 'N')],
    [`a IN (${Array(101).fill(':s')})`, 'The IN operator is provided with too many operands; number of operands: 101'],
  ])('the condition %s is rejected with the message of the service', (text, message) => {
    expect(complaint('ConditionExpression', text)).toBe(message)
  })

  it.each(['<', '<=', '>', '>='])('unordered types cannot be compared by %s', operator => {
    for (const [value, type] of [
      [':bool', 'BOOL'],
      [':null', 'NULL'],
      [':l', 'L'],
      [':m', 'M'],
      [':ss', 'SS'],
      [':ns', 'NS'],
      [':bs', 'BS'],
    ]) {
      expect(complaint('ConditionExpression', `a ${operator} ${value}`)).toBe(wrongType(operator, type!))
      expect(complaint('ConditionExpression', `${value} ${operator} a`)).toBe(wrongType(operator, type!))
      expect(complaint('ConditionExpression', `a = ${value}`)).toBeUndefined()
    }
  })

  it('the bounds of BETWEEN must have one type and be in order', () => {
    const lower = 'lower bound operand: AttributeValue:'
    const upper = 'upper bound operand: AttributeValue:'
    expect(complaint('ConditionExpression', 'a BETWEEN :s AND :n')).toBe(
      `The BETWEEN operator requires same data type for lower and upper bounds; ${lower} {S:x}, ${upper} {N:1}`,
    )
    expect(complaint('ConditionExpression', 'a BETWEEN :n AND :n2')).toBe(
      'The BETWEEN operator requires upper bound to be greater than or equal to lower bound; ' +
        `${lower} {N:1}, ${upper} {N:0}`,
    )
    expect(complaint('ConditionExpression', 'a BETWEEN :b AND :b')).toBeUndefined()
    expect(complaint('ConditionExpression', 'a BETWEEN :bool AND :bool')).toBe(wrongType('BETWEEN', 'BOOL'))
    expect(complaint('ConditionExpression', 'a BETWEEN :n AND size(b)')).toBeUndefined()
    expect(complaint('ConditionExpression', 'a BETWEEN b AND :n')).toBeUndefined()
    expect(complaint('ConditionExpression', 'a BETWEEN :b AND :b2', { ':b2': { B: Uint8Array.of(1) } })).toBe(
      'The BETWEEN operator requires upper bound to be greater than or equal to lower bound; ' +
        `${lower} {B:eA==}, ${upper} {B:AQ==}`,
    )
  })

  it('300 operators are accepted and 301 are rejected', () => {
    const tooMany = 'The expression contains too many operators; operator count: 301'
    expect(complaint('ConditionExpression', Array(150).fill('a=:s').join(' AND '))).toBeUndefined()
    expect(complaint('ConditionExpression', Array(151).fill('a=:s').join(' AND '))).toBe(tooMany)
    expect(complaint('ConditionExpression', `${'NOT '.repeat(299)}a=:s`)).toBeUndefined()
    expect(complaint('ConditionExpression', `${'NOT '.repeat(300)}a=:s`)).toBe(tooMany)
    expect(complaint('ConditionExpression', `${'a=:s AND ('.repeat(350)}a=:s${')'.repeat(350)}`)).toBe(tooMany)
    expect(complaint('ConditionExpression', `${'size('.repeat(400)}a${')'.repeat(400)} = :n`)).toBe(tooMany)
  })
})

describe('conditions with several errors', () => {
  it.each([
    ['redundant parentheses before functions', 'foo(a) AND ((b = :s))', REDUNDANT],
    ['a syntax error before redundant parentheses', '((a = :s)) x', 'Syntax error; token: "x", near: ") x"'],
    ['a function before the names in it', 'foo(status)', 'Invalid function name; function: foo'],
    ['a misplaced function before the names in it', 'a = contains(status, :s)', misplaced('contains')],
    ['words in the order of the text', 'status = :s AND foo(a)', `${RESERVED}status`],
    ['words before placeholders', '#x = :x AND foo(a)', 'Invalid function name; function: foo'],
    ['a name before a value after it', '#x = :x', `${UNKNOWN_NAME}#x`],
    ['a value before a name after it', 'a = :x AND #x = :s', `${UNKNOWN_VALUE}:x`],
    ['the depth of a path before its names', `#x.${path(32)} = :s`, expect.stringContaining('too many nesting levels')],
    ['operands before their operator', 'attribute_exists(:s, :x)', `${UNKNOWN_VALUE}:x`],
    ['an inner function before an outer', 'attribute_not_exists(size(:n))', wrongType('size', 'N')],
    ['the number of operands before their types', 'begins_with(:n, a, :n)', wrongCount('begins_with', 3)],
    ['conditions in the order of the text', 'b < :bool AND a = :x', wrongType('<', 'BOOL')],
  ])('the service reports %s', (_, text, message) => {
    expect(complaint('ConditionExpression', text)).toEqual(message)
  })
})

describe('accepted conditions', () => {
  it.each([
    '(a) = :s',
    '(a).b = :s',
    '((a).b[0]) = :s',
    '((a = :s) AND (b = :s))',
    'a IN ((:s))',
    'NOT NOT a = :s',
    'contains(:s, :s)',
    ':s = :s',
    'size(a) = size(a)',
    'contains.begins_with = :s',
    'a[2147483647] = :s',
    `${path(32)} = :s`,
    'a=:s AND#b=:s',
    'a_b0 = :s',
    'a . b [ 0 ] = :s',
    'begins_with((a), (:s))',
  ])('the condition %s is accepted', text => {
    expect(complaint('ConditionExpression', text)).toBeUndefined()
  })
})
