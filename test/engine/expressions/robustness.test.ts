import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../../src/engine/errors.js'
import type { ExpressionKind } from '../../../src/engine/expressions/expression-errors.js'
import { SyntaxCache } from '../../../src/engine/expressions/parsing/syntax-cache.js'
import { read, toStored } from './read-expressions.js'

const KINDS: readonly ExpressionKind[] = [
  'UpdateExpression',
  'ConditionExpression',
  'KeyConditionExpression',
  'FilterExpression',
  'ProjectionExpression',
]

const WORDS = [
  ...['a', 'b.c', 'a[0]', 'l', 'm', '#a', '#zz', 'status', ':s', ':n', ':l', ':ss', ':zz', '0', '12', '.', '[', ']'],
  ...['=', '<>', '<', '<=', '>', '>=', '+', '-', '(', ')', ',', 'AND', 'OR', 'NOT', 'BETWEEN', 'IN', '!', 'é', '😀'],
  ...['SET', 'REMOVE', 'ADD', 'DELETE', 'size(', 'contains(', 'attribute_exists(', 'if_not_exists(', 'list_append('],
]

const item = toStored({ a: { N: '1' }, l: { L: [{ N: '1' }] }, m: { M: { a: { SS: ['a'] } } } })

/** Parses and uses an expression; only the service's own errors may occur. */
function use(kind: ExpressionKind, text: string): void {
  try {
    const { update, condition, filter, projection } = read(kind, text)
    update?.projectUpdated(update.apply(item))
    condition?.test(item)
    filter?.test(item)
    projection?.project(item)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    expect(error.name).toBe('ValidationException')
  }
}

describe('robustness of the expression parser', () => {
  const kind = fc.constantFrom(...KINDS)

  it('any characters cause no error other than a validation error', () => {
    fc.assert(fc.property(kind, fc.string({ unit: 'binary', maxLength: 40 }), use), { numRuns: 2000 })
  })

  it('any sequence of grammar tokens causes no error other than a validation error', () => {
    const soup = fc.array(fc.constantFrom(...WORDS), { maxLength: 14 }).map(words => words.join(' '))
    fc.assert(fc.property(kind, soup, use), { numRuns: 5000 })
  })

  it.each([
    '(',
    'NOT ',
    'NOT(',
    '((a)',
    'a(',
    'a((',
    'size(',
    'a=',
    'a.b',
    'a[0]',
    '.a',
    '[0]',
    ':s ',
    'a,',
    'a=:s AND (',
    'a=:s OR ',
    'SET a=',
    'SET a=(',
    'SET a=if_not_exists(a,',
    'a IN(',
    'a BETWEEN ',
  ])('4 KB of %s cause no error other than a validation error', part => {
    const text = part.repeat(Math.floor(4096 / part.length))
    for (const kind of KINDS) {
      use(kind, text)
      use(kind, `SET a = ${text}`.slice(0, 4096))
      use(kind, `${text.slice(0, 2000)}a=:s${')'.repeat(2000)}`)
    }
  })

  it('a deep expression does not overflow an almost full stack', () => {
    const text = `${'NOT('.repeat(819)}a`
    const deep = (levels: number): void => (levels === 0 ? use('ConditionExpression', text) : deep(levels - 1))
    expect(() => deep(2000)).not.toThrow()
  })
})

describe('the expression cache', () => {
  it('the cache parses a text once and evicts the oldest when it is full', () => {
    const parsed: string[] = []
    const cache = new SyntaxCache(text => {
      parsed.push(text)
      return { text }
    }, 2)
    const first = cache.get('a')
    expect(cache.get('a')).toBe(first)
    cache.get('b')
    cache.get('c')
    cache.get('b')
    expect(parsed).toEqual(['a', 'b', 'c'])
    expect(cache.get('a')).not.toBe(first)
    expect(parsed).toEqual(['a', 'b', 'c', 'a'])
  })

  it('the cache does not store failed parses', () => {
    let calls = 0
    const cache = new SyntaxCache(() => {
      calls++
      throw new Error('no')
    }, 1)
    expect(() => cache.get('a')).toThrow('no')
    expect(() => cache.get('a')).toThrow('no')
    expect(calls).toBe(2)
  })
})
