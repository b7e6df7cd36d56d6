import { describe, expect, it } from 'vitest'
import { complaint, read, toStored } from './read-expressions.js'

const n = (value: number) => ({ N: String(value) })
const item = toStored({
  s: { S: 't' },
  n: n(5),
  l: { L: [n(1), n(2), n(3)] },
  lm: { L: [{ M: { x: n(1), y: n(2) } }, n(7), { M: { x: n(3) } }] },
  m: { M: { a: n(1), deep: { M: { b: n(2), c: n(3) } } } },
})

const project = (text: string) => read('ProjectionExpression', text).projection!.project(item)

describe('projections', () => {
  it.each([
    ['s, n', { s: item.s, n: item.n }],
    ['zz, s', { s: item.s }],
    ['m', { m: item.m }],
    ['m.a, m.deep.b', { m: { M: { a: n(1), deep: { M: { b: n(2) } } } } }],
    ['m.deep.zz, m.a', { m: { M: { a: n(1) } } }],
    ['l[2], l[0]', { l: { L: [n(1), n(3)] } }],
    ['lm[2].x, lm[0].y', { lm: { L: [{ M: { y: n(2) } }, { M: { x: n(3) } }] } }],
    ['lm[0].x, lm[0].y', { lm: { L: [{ M: { x: n(1), y: n(2) } }] } }],
    ['lm[0].zz, lm[2].x', { lm: { L: [{ M: { x: n(3) } }] } }],
    ['lm[2].x, lm[1]', { lm: { L: [n(7), { M: { x: n(3) } }] } }],
  ])('the projection %s returns existing parts within their containers', (text, expected) => {
    expect(project(text)).toEqual(expected)
  })

  it.each(['m.zz', 'm.deep.zz', 'lm[1].x', 'l[9]', 'n.x', 'l[1][0]', 'lm[0].zz', 'm[0]', 'l.x', 'toString', '#proto'])(
    'the projection %s of a missing path returns nothing',
    text => {
      expect(project(text)).toEqual({})
    },
  )

  it('a projection returns an attribute named __proto__ as an own member', () => {
    const odd = toStored(JSON.parse('{"__proto__": {"M": {"__proto__": {"S": "x"}, "b": {"S": "y"}}}}'))
    const answer = read('ProjectionExpression', '#proto.#proto').projection!.project(odd)
    expect(JSON.stringify(answer)).toBe('{"__proto__":{"M":{"__proto__":{"S":"x"}}}}')
  })

  it('a projection lists its attributes, and those with nested paths', () => {
    const { names, nestedNames } = read('ProjectionExpression', 's, m.a, #a[0], m.deep').projection!
    expect(names).toEqual(['s', 'm', 'a'])
    expect([...nestedNames]).toEqual(['m', 'a'])
  })

  it('a projection without aliases is the same object for every request', () => {
    const [first, second] = [1, 2].map(() => read('ProjectionExpression', 's, m.a').projection)
    expect(first).toBe(second)
  })
})

describe('rejected projections', () => {
  const collision = (kind: string, one: string, two: string) =>
    `Two document paths ${kind} with each other; must remove or rewrite one of these paths; ` +
    `path one: ${one}, path two: ${two}`

  it.each([
    ['a, a', collision('overlap', '[a]', '[a]')],
    ['#a, a', collision('overlap', '[a]', '[a]')],
    ['a, a.b', collision('overlap', '[a]', '[a, b]')],
    ['a.b, a', collision('overlap', '[a, b]', '[a]')],
    ['a[0], b, a[0]', collision('overlap', '[a, [0]]', '[a, [0]]')],
    ['a.b, a[0]', collision('conflict', '[a, b]', '[a, [0]]')],
    ['a[0].b, a.b[0]', collision('conflict', '[a, [0], b]', '[a, b, [0]]')],
    ['a.b, a[0], a', collision('overlap', '[a, [0]]', '[a]')],
    ['a, status, #x', 'Attribute name is a reserved keyword; reserved keyword: status'],
    ['#x, #y', 'An expression attribute name used in the document path is not defined; attribute name: #y'],
    ['a[99999999999999999999]', 'List index is not within the allowable range; index: [99999999999999999999]'],
    [Array(33).fill('a').join('.'), 'The document path has too many nesting levels; nesting levels: 33'],
  ])('the projection %s is rejected', (text, message) => {
    expect(complaint('ProjectionExpression', text)).toBe(message)
  })
})
