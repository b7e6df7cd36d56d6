import { describe, expect, it } from 'vitest'
import { complaint, readExpressions } from './read-expressions.js'

const wrongType = (operator: string, type: string) =>
  `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`
const wrongCount = (operator: string, count: number) =>
  `Incorrect number of operands for operator or function; operator or function: ${operator}, number of operands: ${count}`
const collision = (kind: string, one: string, two: string) =>
  `Two document paths ${kind} with each other; must remove or rewrite one of these paths; path one: ${one}, path two: ${two}`
const once = (section: string) => `The "${section}" section can only be used once in an update expression;`
const misplaced = (name: string) =>
  `The function is not allowed to be used this way in an expression; function: ${name}`
const NEEDS_PATH = 'Operator or function requires a document path; operator or function: if_not_exists'
const UNKNOWN_NAME = 'An expression attribute name used in the document path is not defined; attribute name: '
const UNKNOWN_VALUE = 'An expression attribute value used in expression is not defined; attribute value: '
const RESERVED = 'Attribute name is a reserved keyword; reserved keyword: '

const notTaken = (section: string, type: string, taker = 'ADD') =>
  `Incorrect operand type for operator or function; operator: ${section}, operand type: ${type}, ` +
  `typeSet: ALLOWED_FOR_${taker}_OPERAND`

describe('rejected updates', () => {
  it.each([
    ['SET a = :s SET b = :s', once('SET')],
    ['REMOVE a SET b = :s REMOVE c', once('REMOVE')],
    ['ADD a :n ADD b :n', once('ADD')],
    ['DELETE a :ss SET b = :s DELETE c :ss', once('DELETE')],
    ['SET a = :s, a = :s', collision('overlap', '[a]', '[a]')],
    ['SET a.b = :s, a = :m', collision('overlap', '[a, b]', '[a]')],
    ['SET a = :m REMOVE a.b', collision('overlap', '[a]', '[a, b]')],
    ['SET #a[3].b = :s, a[3] = :s', collision('overlap', '[a, [3], b]', '[a, [3]]')],
    ['REMOVE a.#c SET a[1] = :s', collision('conflict', '[a, c]', '[a, [1]]')],
    ['SET d[1] = a, d.b = a, c[1].a = a, #c = if_not_exists(a)', collision('overlap', '[c, [1], a]', '[c]')],
    ['SET a = ((:n))', 'The expression has redundant parentheses;'],
    ['SET a = foo(b)', 'Invalid function name; function: foo'],
    ['SET a = IF_NOT_EXISTS(a, :s)', 'Invalid function name; function: IF_NOT_EXISTS'],
    ['SET a = size(b)', 'The function is not allowed in an update expression; function: size'],
    ['SET a = list_append(list_append(:l, :l), :l)', misplaced('list_append')],
    ['SET a = list_append(:l, :l) + :n', misplaced('list_append')],
    ['SET a.status = :s', `${RESERVED}status`],
    ['SET a = status', `${RESERVED}status`],
    ['SET a = b + status', `${RESERVED}status`],
    ['SET a = if_not_exists(b, status)', `${RESERVED}status`],
    ['SET a[99999999999] = :s', 'List index is not within the allowable range; index: [99999999999]'],
    ['SET #x = :s', `${UNKNOWN_NAME}#x`],
    ['ADD a :x', `${UNKNOWN_VALUE}:x`],
    ['SET a = if_not_exists(:s, :n)', NEEDS_PATH],
    ['SET a = if_not_exists(if_not_exists(a, b), c)', NEEDS_PATH],
    ['SET a = if_not_exists(c)', wrongCount('if_not_exists', 1)],
    ['SET a = list_append(c)', wrongCount('list_append', 1)],
    [
      'SET a = if_not_exists(b, #b)',
      'The first operand must be distinct from the remaining operands for this operator or function; ' +
        'operator: if_not_exists, first operand: [b]',
    ],
    [`SET ${Array(33).fill('a').join('.')} = :s`, 'The document path has too many nesting levels; nesting levels: 33'],
    [
      `SET ${Array.from({ length: 301 }, (_, i) => `a${i}=:n+:n`)}`,
      'The expression contains too many operators; operator count: 301',
    ],
  ])('the update %s is rejected with the message of the service', (text, message) => {
    expect(complaint('UpdateExpression', text)).toBe(message)
  })

  it.each([
    [':s', 'S', 'STRING'],
    [':b', 'B', 'Binary'],
    [':bool', 'BOOL', 'BOOL'],
    [':null', 'NULL', 'NULL'],
    [':l', 'L', 'LIST'],
    [':m', 'M', 'MAP'],
  ])('%s cannot be added, deleted or summed', (value, type, name) => {
    for (const section of ['ADD', 'DELETE'])
      expect(complaint('UpdateExpression', `${section} a ${value}`)).toBe(notTaken(section, name))
    for (const sign of ['+', '-']) {
      expect(complaint('UpdateExpression', `SET a = a ${sign} ${value}`)).toBe(wrongType(sign, type))
      expect(complaint('UpdateExpression', `SET a = ${value} ${sign} a`)).toBe(wrongType(sign, type))
    }
  })

  it.each(['ADD', 'DELETE'])('the older validator names the types that %s accepts', section => {
    const request = { UpdateExpression: `${section} a :s`, ExpressionAttributeValues: { ':s': { S: 'x' } } }
    expect(() => readExpressions(request, ['UpdateExpression'], 'older')).toThrow(notTaken(section, 'STRING', section))
  })

  it('DELETE rejects numbers, and list_append rejects all types but lists', () => {
    expect(complaint('UpdateExpression', 'DELETE a :n')).toBe(notTaken('DELETE', 'NUMBER'))
    for (const [value, type] of [
      [':n', 'N'],
      [':ss', 'SS'],
      [':m', 'M'],
    ]) {
      expect(complaint('UpdateExpression', `SET a = list_append(a, ${value})`)).toBe(wrongType('list_append', type!))
      expect(complaint('UpdateExpression', `SET a = list_append(${value}, a)`)).toBe(wrongType('list_append', type!))
    }
  })
})

describe('updates with several errors', () => {
  it.each([
    ['a section used twice after the words in it', 'SET b = :s SET status = :s', `${RESERVED}status`],
    ['a section used twice before the words after it', 'SET b = :s SET c = :s REMOVE status', once('SET')],
    ['functions before placeholders', 'SET #x = foo(a)', 'Invalid function name; function: foo'],
    ['written paths before values', 'SET a = :x, a = :s', collision('overlap', '[a]', '[a]')],
    ['the last of several names', 'SET #x = :s, #y = :s', `${UNKNOWN_NAME}#y`],
    ['the last of several values', 'SET a = :x ADD b :y', `${UNKNOWN_VALUE}:y`],
    ['the last action', 'SET b = list_append(:s, a), c = if_not_exists(a) ADD d :s', notTaken('ADD', 'STRING')],
    ['operands before their function', 'SET a = if_not_exists(:x)', `${UNKNOWN_VALUE}:x`],
  ])('the service reports %s', (_, text, message) => {
    expect(complaint('UpdateExpression', text)).toBe(message)
  })
})
