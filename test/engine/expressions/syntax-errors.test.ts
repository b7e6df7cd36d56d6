import { describe, expect, it } from 'vitest'
import type { ExpressionKind } from '../../../src/engine/expressions/expression-errors.js'
import { complaint, readExpressions } from './read-expressions.js'

const syntaxError = (token: string, near: string) => `Syntax error; token: "${token}", near: "${near}"`

describe('syntax errors', () => {
  it.each([
    ['attribute_not_exists(', '<EOF>', '('],
    ['attribute_exists(pk', '<EOF>', 'pk'],
    ['a =', '<EOF>', '='],
    ['a = :s AND', '<EOF>', 'AND'],
    ['a BETWEEN :s', '<EOF>', ':s'],
    ['(a = :s', '<EOF>', ':s'],
    ['a.', '<EOF>', '.'],
    ['a[', '<EOF>', '['],
    ['NOT', '<EOF>', 'NOT'],
    ['size(a) =', '<EOF>', '='],
    ['(a)', '<EOF>', ')'],
    ['a', '<EOF>', 'a'],
    ['NOT a', '<EOF>', 'a'],
    ['attribute_exists(pk) x', 'x', ') x'],
    ['attribute_exists(pk) x y', 'x', ') x y'],
    ['a = :s :n x', ':n', ':s :n x'],
    ['a = :s)', ')', ':s)'],
    ['(a = :s).b', '.', ').b'],
    ['a = = :s', '=', '= = :s'],
    ['= :s', '=', '= :s'],
    ['AND a = :s', 'AND', 'AND a'],
    ['aaa = :s AND bbbb = :n cccc = :b', 'cccc', ':n cccc ='],
    ['attribute_exists pk', 'pk', 'attribute_exists pk'],
    ['attribute_exists(pk,)', ')', ',)'],
    ['attribute_exists()', ')', '()'],
    ['begins_with(a :s)', ':s', 'a :s)'],
    ['a IN :s', ':s', 'IN :s'],
    ['a IN ()', ')', '()'],
    ['a IN (:s,)', ')', ',)'],
    ['a BETWEEN :s OR :n', 'OR', ':s OR :n'],
    ['a[x] = :s', 'x', '[x]'],
    ['a[1 = :s', '=', '1 = :s'],
    ['a[00] = :s', '0', '00]'],
    ['a[-1] = :s', '-', '[-1'],
    ['a AND b', 'AND', 'a AND b'],
    ['(a AND b = :s)', 'AND', 'a AND b'],
    ['(a = :s) = :s', '=', ') = :s'],
    ['(NOT a)', ')', 'a)'],
    ['(a = :s AND b)', ')', 'b)'],
    ['a = :s + :n', '+', ':s + :n'],
    ['a = 12b', '12', '= 12b'],
    ['a and b = :s', 'and', 'a and b'],
    ['a.set = :s', 'set', '.set ='],
    ['size(a).b = :s', '.', ').b'],
    [':s.a = :s', '.', ':s.a'],
    ['a != :s', '!', 'a !='],
    ['a = :s !', '!', ':s !'],
    ['_a = :s', '_', '_a'],
    ['a = :', ':', '= :'],
    ['a#b', '#b', 'a#b'],
    ['é = :s', 'é', 'é ='],
    ['a = :s😀', '😀', ':s😀'],
    ['a\u00a0= :s', '\u00a0', 'a\u00a0='],
  ])('a syntax error in the condition %s shows the token and its neighbors', (text, token, near) => {
    expect(complaint('ConditionExpression', text)).toBe(syntaxError(token, near))
  })

  it('a syntax error shows blanks at either end of the text', () => {
    expect(complaint('FilterExpression', '  = :s')).toBe(syntaxError('=', '  = :s'))
    expect(complaint('FilterExpression', 'a =  ')).toBe(syntaxError('<EOF>', '=  '))
    expect(complaint('FilterExpression', '\t\n')).toBe(syntaxError('<EOF>', '\t\n'))
  })

  it.each([
    ['SET a =', '<EOF>', '='],
    ['SET', '<EOF>', 'SET'],
    ['SET a = :s x', 'x', ':s x'],
    ['SET a :s', ':s', 'a :s'],
    ['ADD a', '<EOF>', 'a'],
    ['ADD a b', 'b', 'a b'],
    ['ADD a (:n)', '(', 'a (:n'],
    ['REMOVE a :s', ':s', 'a :s'],
    ['REMOVE (a)', '(', 'REMOVE (a'],
    ['SET a = :s !', '!', ':s !'],
    ['INVALID SYNTAX HERE', 'INVALID', 'INVALID SYNTAX'],
    ['SET a = :s,', '<EOF>', ','],
    ['SET a = b + c + d', '+', 'c + d'],
    ['SET a = (b + c) + d', '+', ') + d'],
    ['SET a = b - (c - d)', '-', 'c - d'],
    ['SET a = (b.c).d + e', '.', ').d'],
    ['SET a = if_not_exists(a, :n + :n)', '+', ':n + :n'],
    ['SET a = (b + c', '<EOF>', 'c'],
    ['SET a = :n * :n', '*', ':n * :n'],
    ['SET and = :s', 'and', 'SET and ='],
  ])('a syntax error in the update %s shows the token and its neighbors', (text, token, near) => {
    expect(complaint('UpdateExpression', text)).toBe(syntaxError(token, near))
  })

  it.each([
    ['a a', 'a', 'a a'],
    ['a,', '<EOF>', ','],
    ['(a)', '(', '(a'],
    ['size(a)', '(', 'size(a'],
    [':s', ':s', ':s'],
    ['and', 'and', 'and'],
    ['a! b', '!', 'a! b'],
  ])('a syntax error in the projection %s shows the token and its neighbors', (text, token, near) => {
    expect(complaint('ProjectionExpression', text)).toBe(syntaxError(token, near))
  })
})

describe('all kinds of expressions', () => {
  const kinds = [
    'UpdateExpression',
    'ConditionExpression',
    'KeyConditionExpression',
    'FilterExpression',
    'ProjectionExpression',
  ] as const

  it.each(kinds)('an empty %s is rejected', kind => {
    expect(complaint(kind, '')).toBe('The expression can not be empty;')
  })

  it.each(kinds)('a %s of more than 4096 bytes is rejected before its syntax is checked', kind => {
    const tooLarge = 'Expression size has exceeded the maximum allowed size;'
    expect(complaint(kind, '!'.repeat(4096))).toBe(syntaxError('!', '!!'))
    expect(complaint(kind, '!'.repeat(4097))).toBe(tooLarge)
    expect(complaint(kind, 'é'.repeat(2049))).toBe(tooLarge)
  })

  it('the older validator reports the size of conditions only', () => {
    const tooLarge = 'Expression size has exceeded the maximum allowed size;'
    const read = (kind: ExpressionKind) => () => readExpressions({ [kind]: 'é'.repeat(2049) }, [kind], 'older')
    for (const kind of ['ConditionExpression', 'KeyConditionExpression', 'FilterExpression'] as const)
      expect(read(kind)).toThrow(`Invalid ${kind}: ${tooLarge} expression size: 4098`)
    for (const kind of ['UpdateExpression', 'ProjectionExpression'] as const)
      expect(read(kind)).toThrow(new RegExp(`${tooLarge}$`))
  })

  it.each(kinds)('the error of a %s begins with its name', kind => {
    expect(() => readExpressions({ [kind]: '!' })).toThrow(`Invalid ${kind}: ${syntaxError('!', '!')}`)
  })
})
